import { resolve } from "@std/path";

import { ToolError } from "../../../../schemas/error.ts";
import type { CompatSettings } from "../../../server/serve.ts";
import type { Served } from "../../../server/contract/served.ts";
import { namedFileError } from "../../../walls/files/system_error.ts";
import { realOrNull } from "../../../walls/files/file_facts.ts";
import type { Options } from "../../args/options/option_table.ts";
import { type Io, userFolder } from "../../io/io.ts";
import { limitsOf } from "../../setup/agent_settings_of.ts";
import { hostSettings } from "../../setup/open_run.ts";

const DEFAULT_RUNS = 4;

/**
 * Returns what the command line offers to clients. Needs `read` of the folders.
 *
 * @throws {ToolError} `invalid_input` for a folder that is not there
 */
export async function servedBy(
  options: Options,
  { io, secrets, apiRunsDir }: {
    io: Io;
    secrets: readonly string[];
    /** Runs work in folders below it, `null` for none. */
    apiRunsDir: CompatSettings["apiRunsDir"];
  },
): Promise<Served> {
  const { toolset: toolsets = [], tool: tools = [], extraTool: extraTools = [] } = options;
  const { agent, agents, model, baseUrl, thinking, maxRuns = DEFAULT_RUNS } = options;
  const roots = (options.workspaces ?? []).map((path) => realFolder(path, io));
  const host = hostSettings(options, io, { runsCalls: true, stdinTaken: true });
  const usual = options.workspace === undefined && roots.length > 0
    ? roots[0]!
    : realFolder(host.places.workspace, io);
  return {
    host: {
      ...host,
      places: { ...host.places, workspace: usual },
      control: { ...host.control, secrets: [...host.control.secrets ?? [], ...secrets] },
    },
    manifest: await io.manifest(),
    tools: { toolsets, tools, extraTools },
    model: { name: model, baseUrl },
    limits: limitsOf(options),
    ...(thinking && { thinking: { kind: thinking } }),
    agent: { name: agent, file: agents && resolve(userFolder(io), agents) },
    roots: [...new Set([usual, ...roots, ...apiRunsDir === null ? [] : [apiRunsDir]])],
    maxRuns,
    stopOnDisconnect: options.stopOnDisconnect ?? false,
  };
}

/**
 * Returns how the server speaks with clients that were made for others. Needs `read` of the folder, and `write` where it is
 * not there yet.
 *
 * @throws {ToolError} What the system says
 */
export function compatSettings(
  { streamStyle: style = "reasoning", apiRunsDir }: Options,
  io: Io,
): CompatSettings {
  if (apiRunsDir === undefined) return { style, apiRunsDir: null };
  const path = resolve(userFolder(io), apiRunsDir);
  try {
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw namedFileError(error, "make", path);
  }
  return { style, apiRunsDir: realFolder(path, io) };
}

function realFolder(path: string, io: Io): string {
  const real = realOrNull(resolve(userFolder(io), path));
  if (real !== null && Deno.statSync(real).isDirectory) return real;
  throw new ToolError("invalid_input", `Cannot serve ${JSON.stringify(path)}: there is no such folder`);
}
