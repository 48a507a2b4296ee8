import type { Needs } from "../../../../schemas/access.ts";
import type { JsonSchema, ManifestEntry } from "../../../../schemas/manifest.ts";
import type { ProgramNeeds } from "../../../programs/narrow/program_needs.ts";
import type { McpServer } from "../config/mcp_server.ts";

/** The toolset of tools of servers. */
const TOOLSET = "mcp";
/** Longest time of a call that the server's entry does not say, in milliseconds. */
const CALL_MS = 120_000;

/** What is said about one tool of a server. */
export interface ToolWords {
  /** The name by which models call it. */
  name: string;
  /** The server's own name for it. */
  own: string;
  description: string;
  readOnly: boolean;
  /** Is offered by name alone. */
  optional: boolean;
  input: JsonSchema;
  output: JsonSchema;
}

/**
 * Describes a tool of a server as all tools are described.
 *
 * @param options `needs` is what the server's entry permits, with absolute paths
 */
export function describeMcpTool(
  { name, own, description, readOnly, optional, input, output }: ToolWords,
  { server, needs }: { server: McpServer; needs: ProgramNeeds },
): ManifestEntry {
  return {
    full_name: `${TOOLSET}/${name}`,
    toolset: TOOLSET,
    ...{ name, own_name: own, description, description_start: description, see_also: [] },
    needs: needsOf(server, needs),
    read_only: readOnly,
    // Two calls that change something may depend on each other.
    parallel: readOnly,
    ...{
      killable: false,
      threads: 0,
      optional,
      error_lead: "",
      leaves_files: false,
      asks: false,
      asks_model: false,
    },
    ...{ interprets: false, ends_run: null, settings: [], secrets: [] },
    outside: reachesNetwork(server),
    limits: { timeout_ms: server.timeouts.callMs ?? CALL_MS, concurrency: null },
    permission: "allow",
    ...{ trial: null, examples: [], prompt_hints: [], reads_on: null, paths: [], typed_argument: null },
    open_input: true,
    input_schema: input,
    output_schema: output,
  };
}

/**
 * What the entry permits, as far as the run grants it: that is told, and the server's own walls hold it. A server on this
 * machine is a program.
 */
function needsOf({ transport }: McpServer, { read = [], write = [], net = [] }: ProgramNeeds): Needs {
  const kinds = Object.entries({ read, write, net }).filter(([, scope]) => scope === true || scope.length > 0)
    .map(([kind, scope]) => [kind, scope === true ? "granted" as const : scope]);
  return { ...Object.fromEntries(kinds), ...transport.kind === "stdio" && { run: "granted" } };
}

/** What it gives may then be what strangers wrote. */
function reachesNetwork({ transport, grants }: McpServer): boolean {
  return transport.kind !== "stdio" || (grants !== null && (grants.net === true || grants.net.length > 0));
}
