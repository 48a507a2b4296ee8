import { ToolError } from "../../schemas/error.ts";
import type { Manifest } from "../../schemas/manifest.ts";
import manifestJson from "../../tools/manifest.json" with { type: "json" };
import { checkOptions } from "../host/options/check_options.ts";
import {
  fieldsOf,
  FUNCTION,
  OBJECT,
  RUNNER_FIELDS,
  TEXT,
  TEXTS,
  without,
} from "../host/options/option_schema.ts";
import { type RunnerOptions, runnerSettings } from "../host/runner_settings.ts";
import { MAIN_URL } from "../self/entry_urls.ts";
import { serveTools } from "./serve_tools.ts";
import { startServer } from "./start_server.ts";

export { ToolError } from "../../schemas/error.ts";
export type { RunnerOptions } from "../host/runner_settings.ts";

/** Which tools a program offers to clients of the Model Context Protocol, and how they reach it. */
export interface McpServerOptions extends Omit<RunnerOptions, "confirm" | "ask" | "onEvent" | "session"> {
  /** The complete set of tools: names, bare or full, as `NAME=ALIAS` under another one. @default the toolsets' */
  tools?: readonly string[];
  /** Toolsets whose tools clients get. @default the default toolset, and the tools of files and functions */
  toolsets?: readonly string[];
  /** Added to the toolsets' tools; excludes `tools`. */
  extraTools?: readonly string[];
  /**
   * Serves Streamable HTTP on this port of this machine; 0 takes one that is free. Every request must bring the token, of 16
   * characters or more. @default stdin and stdout
   */
  http?: { port: number; token: string };
  /** Ends the server. @default it ends with its clients */
  signal?: AbortSignal;
  /** Called once clients can connect, with the port of HTTP. */
  onReady?(port: number | null): void;
}

const SERVER_OPTIONS = fieldsOf({
  ...without(RUNNER_FIELDS, ["confirm", "ask", "onEvent", "session"]),
  tools: TEXTS,
  toolsets: TEXTS,
  extraTools: TEXTS,
  http: fieldsOf({ port: { type: "number" }, token: TEXT }, ["port", "token"]),
  signal: OBJECT,
  onReady: FUNCTION,
}, ["workspace"]);

/** Shortest token that is worth the name. */
const MIN_TOKEN = 16;

/**
 * Serves tools to clients of the Model Context Protocol, behind the same walls as a runner: what is granted is fixed when
 * it starts, and nobody is asked for consent. Over stdin and stdout, nothing else of this program may use them. As
 * `createRunner` it starts rooms as processes; Deno must be started with `--unstable-worker-options`.
 *
 * @returns When the clients are gone, or the signal aborted
 * @throws {TypeError} For tools together with toolsets or extra tools, and for a port or a token that cannot be used
 * @throws {ToolError} As a runner does, also for options that are not understood, and if the port cannot be listened on
 *
 * @example
 * ```ts ignore
 * import { serveMcp } from "bulkhead/mcp";
 *
 * await serveMcp({ workspace: Deno.cwd(), policy: "read-only", tools: ["Read", "Grep"] });
 * ```
 */
export async function serveMcp(options: McpServerOptions): Promise<void> {
  const { tools = [], toolsets = [], extraTools = [], http, signal, onReady, ...runner } = checkOptions(
    "serveMcp",
    SERVER_OPTIONS,
    options,
  );
  if (tools.length > 0 && toolsets.length + extraTools.length > 0) {
    throw new TypeError("Give tools, or toolsets and extraTools: tools is the complete set");
  }
  if (http !== undefined) checkHttp(http);
  // TypeScript widens the literals of JSON; the file is generated from this very type.
  const manifest = manifestJson as Manifest;
  const settings = runnerSettings(runner, manifest, MAIN_URL);
  const way = http === undefined ? { kind: "stdio" as const } : { kind: "http" as const, ...http };
  const failure = await serveTools(startServer(way), {
    ...{ settings, manifest, way },
    choice: { tools, toolsets, extraTools },
    signal: signal ?? new AbortController().signal,
    onReady: (port) => onReady?.(port),
  });
  if (failure !== null) throw new ToolError(failure.code, failure.message, failure);
}

function checkHttp({ port, token }: { port: number; token: string }): void {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError(`The port must be a whole number from 0 to 65535, got ${port}`);
  }
  if (!new RegExp(`^[\\x21-\\x7e]{${MIN_TOKEN},}$`).test(token)) {
    throw new TypeError(`The token must have ${MIN_TOKEN} characters or more, without blanks`);
  }
}
