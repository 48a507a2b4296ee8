import { type ErrorInfo, ToolError } from "../../../schemas/error.ts";
import { startAgent } from "../../agent/start_agent.ts";
import { AgentReport } from "../show/agent_report.ts";
import { offerEnvFile } from "../coming/offer_env_file.ts";
import type { Io } from "../io/io.ts";
import { openAgent } from "../../agent/open_agent.ts";
import { agentSettings } from "../setup/agent_settings_of.ts";
import { makeOutput, type Output } from "../io/output.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { checkQueueOptions } from "./queue/queue_options.ts";
import { toToolError } from "../../calls/failed_result.ts";

/** `run [PROMPT] [-]`: the agent; its answer goes to stdout, or its events, or one document. With `--tasks`, many runs. */
export async function runAgentCommand(invocation: Invocation, io: Io): Promise<number> {
  const { options } = invocation;
  checkQueueOptions(options);
  if (options.tasks !== undefined) {
    const { runTasks } = await import("./agent/run_tasks.ts");
    return await runTasks(options.tasks, invocation, io);
  }
  using output = makeOutput(options.output, io, { form: options.events ? "lines" : "whole" });
  using report = new AgentReport(io, options, output);
  let outcome: Awaited<ReturnType<typeof startAgent>>;
  try {
    outcome = await runToEnd(invocation, io, { report, output });
  } catch (error) {
    // Nothing can be told there.
    if (error === output.failure) throw error;
    return await report.fail(toInfo(offerEnvFile(error, io), io));
  }
  return await report.end(outcome);
}

/** All that the run started has ended when this returns. */
async function runToEnd(
  invocation: Invocation,
  io: Io,
  { report, output }: { report: AgentReport; output: Output },
): ReturnType<typeof startAgent> {
  const interrupted = interruptSignal(io, report.closed);
  const settings = await agentSettings(invocation, io, {
    report,
    outputs: output.files,
    signal: interrupted,
  });
  await using agent = await openAgent(settings);
  return await startAgent(agent.start);
}

/** Aborts with the error that calls and requests are to end with. */
function interruptSignal(io: Io, closed: AbortSignal): AbortSignal {
  const ended = new AbortController();
  const onEvent = (signal: AbortSignal, message: string) => {
    const end = () => ended.abort(new ToolError("cancelled", message));
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  };
  onEvent(io.interrupt, "The run was interrupted");
  onEvent(closed, "The reader of the events has gone");
  return ended.signal;
}

/** After an interrupt, other failures do not count: the run was to end. */
function toInfo(error: unknown, io: Io): ErrorInfo {
  if (!io.interrupt.aborted) return toToolError(error).toInfo();
  return new ToolError("cancelled", "Interrupted before the run began").toInfo();
}
