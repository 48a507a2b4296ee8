import { resolve } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import type { Served } from "../../server/contract/served.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import type { Options } from "../args/options/option_table.ts";
import { type Io, userFolder } from "../io/io.ts";
import { limitsOf } from "./agent_settings_of.ts";
import { hostSettings, type RunPlan } from "./open_run.ts";
import { readRoles } from "./read_agent_files.ts";

const DEFAULT_RUNS = 4;

/** What is served besides what the options say. */
export interface ServedParts extends Pick<RunPlan, "inputs" | "outputs"> {
  io: Io;
  /** Texts that nobody may see. @default none besides those of the environment */
  secrets?: readonly string[];
  /** A further folder below which runs work. @default none */
  apiRunsDir?: string | null;
}

/**
 * Returns what the command line offers to clients, and to tasks of a file. Needs `read` of the folders.
 *
 * @throws {ToolError} `invalid_input` for a folder that is not there
 */
export async function servedBy(
  options: Options,
  { io, secrets = [], apiRunsDir = null, ...files }: ServedParts,
): Promise<Served> {
  const { toolset: toolsets = [], tool: tools = [], extraTool: extraTools = [] } = options;
  const { agent, agents, model, baseUrl, thinking, maxRuns = DEFAULT_RUNS } = options;
  const roots = (options.workspaces ?? []).map((path) => realFolder(path, io));
  const host = hostSettings(options, io, { runsCalls: true, stdinTaken: true, ...files });
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
    model: { name: model, baseUrl, idleSeconds: options.maxSilence },
    limits: limitsOf(options),
    ...(thinking && { thinking: { kind: thinking } }),
    agent: { name: agent, file: agents && resolve(userFolder(io), agents) },
    roles: await readRoles(options.rolePrompt ?? [], io),
    roots: [...new Set([usual, ...roots, ...apiRunsDir === null ? [] : [apiRunsDir]])],
    maxRuns,
    stopOnDisconnect: options.stopOnDisconnect ?? false,
  };
}

/**
 * Returns the real path of a folder of the user. Needs `read`.
 *
 * @throws {ToolError} `invalid_input` if there is none
 */
export function realFolder(path: string, io: Io): string {
  const real = realOrNull(resolve(userFolder(io), path));
  if (real !== null && Deno.statSync(real).isDirectory) return real;
  throw new ToolError("invalid_input", `Cannot work in ${JSON.stringify(path)}: there is no such folder`);
}
