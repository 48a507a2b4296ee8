import { resolve } from "@std/path";

import type { AgentLimits } from "../../../schemas/agent/agent.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { AgentSettings } from "../../agent/agent_settings.ts";
import type { HostSettings } from "../../host/host_settings.ts";
import type { NamedOutput } from "../../walls/files/place_output.ts";
import { flagOf, type Options } from "../args/options/option_table.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { type Io, printError, userFolder } from "../io/io.ts";
import type { AgentReport } from "../show/agent_report.ts";
import { hostSettings } from "./open_run.ts";
import { readRoles, readSchema } from "./read_agent_files.ts";
import { stateFolder, stateProblem } from "../../state/state_folder.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { readPrompt } from "./read_prompt.ts";

/** The part of the program that shows the run. */
export interface Watcher {
  report: AgentReport;
  /** Files of the user that the report is written to. */
  outputs: readonly NamedOutput[];
  /** Aborts when the run is to end. */
  signal: AbortSignal;
}

/**
 * Returns the command line's options as an agent understands them, with the files that they name.
 *
 * @throws {ToolError} `invalid_input` for options that do not go together, for files that cannot be used, and without a
 * prompt
 */
export async function agentSettings(
  { positionals, options }: Invocation,
  io: Io,
  { report, outputs, signal }: Watcher,
): Promise<AgentSettings> {
  checkOptions(options);
  const { stdinTaken, ...prompt } = await readPrompt(positionals, options, io);
  const { outputSchema, record } = options;
  return {
    host: askingBelow(report, hostSettings(options, io, { runsCalls: true, stdinTaken, outputs })),
    manifest: await io.manifest(),
    tools: {
      toolsets: options.toolset ?? [],
      tools: options.tool ?? [],
      extraTools: options.extraTool ?? [],
    },
    model: { name: options.model, baseUrl: options.baseUrl, idleSeconds: options.maxSilence },
    limits: limitsOf(options),
    ...(options.thinking && { thinking: { kind: options.thinking } }),
    task: {
      ...prompt,
      images: options.image ?? [],
      roles: await readRoles(options.rolePrompt ?? [], io),
      project: !options.noProject,
      agent: { name: options.agent, file: options.agents && resolve(userFolder(io), options.agents) },
    },
    session: keepsNothing(options, io) ? null : sessionWish(options),
    output: outputSchema === undefined
      ? undefined
      : { schema: await readSchema(outputSchema, io), name: outputSchema },
    record: record === undefined ? undefined : resolve(userFolder(io), record),
    replay: { replayTools: options.replayTools ?? false, strict: options.strict ?? false },
    ownsProcess: true,
    onFacts: (facts) => void Object.assign(report.facts, facts),
    emit: (event) => report.emit(event),
    onQuestion: (state) => report.follow(state),
    signal,
  };
}

/** A question stands below what was shown before it. */
function askingBelow(report: AgentReport, host: HostSettings): HostSettings {
  const { ask } = host.control;
  if (!ask) return host;
  const askBelow: typeof ask = async (...asked) => {
    await report.written;
    return await ask(...asked);
  };
  return { ...host, control: { ...host.control, ask: askBelow } };
}

/** What only says how many tasks are done. */
const OF_TASKS = ["maxRuns", "workspaces", "failFast", "report", "queue"] as const;

function checkOptions({ model, replayTools, strict, resume, session, ...options }: Options): void {
  const lost = OF_TASKS.find((name) => options[name] !== undefined);
  if (lost !== undefined) {
    throw new ToolError("invalid_input", `Option ${flagOf(lost)} is for many tasks: --tasks FILE`);
  }
  for (const [flag, given] of [["--replay-tools", replayTools], ["--strict", strict]] as const) {
    if (!given || model?.startsWith("replay:")) continue;
    throw new ToolError("invalid_input", `Option ${flag} is for a replay: --model replay:FILE`);
  }
  if (typeof resume === "string" && session !== undefined && session !== resume) {
    throw new ToolError(
      "invalid_input",
      `Options --resume ${resume} and --session ${session} name two sessions`,
    );
  }
}

/** Returns the bounds of runs that the command line names. */
export function limitsOf(options: Options): Partial<AgentLimits> {
  const { maxRounds, maxCalls, maxTime, maxTokens, maxCost, maxTools } = options;
  return {
    ...(maxRounds !== undefined && { rounds: maxRounds }),
    ...(maxCalls !== undefined && { calls: maxCalls }),
    ...(maxTime !== undefined && { seconds: maxTime }),
    ...(maxTokens !== undefined && { tokens: maxTokens }),
    ...(maxCost !== undefined && { cost: maxCost }),
    ...(maxTools !== undefined && { tools: maxTools }),
  };
}

/** A run whose session cannot be kept goes on without one, unless that session was named. */
function keepsNothing(options: Options, io: Io): boolean {
  if (options.noSession) return true;
  if (options.session !== undefined || options.resume !== undefined) return false;
  const problem = stateProblem(stateFolder(io.env("XDG_STATE_HOME"), io.env("HOME") ?? ""));
  if (problem === null) return false;
  if (!options.quiet) {
    void printError(
      io,
      `bulkhead: this run keeps no session: ${
        onOneLine(problem)
      }; set XDG_STATE_HOME to a folder that can be ` +
        "written, or say --no-session\n",
    );
  }
  return true;
}

function sessionWish({ resume, session, workspace }: Options) {
  const keepsPlace = workspace === undefined;
  return { resume: resume === true ? session ?? true as const : resume, id: session, keepsPlace };
}
