import type { RunEvent } from "../../../schemas/agent/events.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { AgentSettings } from "../../agent/agent_settings.ts";
import { endOfRun, endUnbegun } from "../../agent/ending/end_event.ts";
import { openAgent } from "../../agent/open_agent.ts";
import { startAgent } from "../../agent/start_agent.ts";
import { toToolError } from "../../calls/failed_result.ts";
import type { HostSettings } from "../../host/host_settings.ts";
import { tracePath } from "../../state/sessions/session_folder.ts";
import { readTrace } from "../../state/sessions/trace_file.ts";
import type { Served } from "../contract/served.ts";
import type { LiveRun } from "./live_run.ts";
import { planRun } from "./settings/run_settings.ts";
import type { SharedModels } from "./settings/shared_models.ts";

/** What all runs of a server share. */
export interface RunBench {
  served: Served;
  /** Where sessions are kept. */
  state: string;
  models: SharedModels;
}

/** Does a run to its last event; never rejects. */
export async function doRun(live: LiveRun, bench: RunBench): Promise<void> {
  live.isAtWork = true;
  let last: RunEvent;
  try {
    last = await toItsEnd(live, await settingsOf(live, bench));
  } catch (error) {
    const failure = failureOf(error, live.signal);
    last = endUnbegun(failure);
    tellFailure(live, failure);
  }
  live.emit(last);
}

/** All that the run started has ended when this returns. */
async function toItsEnd(live: LiveRun, settings: AgentSettings): Promise<RunEvent> {
  await using agent = await openAgent(settings);
  const outcome = await startAgent(agent.start);
  return endOfRun(outcome, live.facts.agent);
}

async function settingsOf(
  live: LiveRun,
  { served, state, models }: RunBench,
): Promise<AgentSettings> {
  const { id, request, signal, isResumed } = live;
  if (signal.aborted) throw signal.reason;
  const kept = isResumed ? await lastSettings(state, id) : null;
  const plan = await planRun(served, request, { id, kept });
  const emit = (event: RunEvent) => live.emit(event);
  return {
    ...plan,
    host: asking(plan.host, live),
    openModel: (options) => models.use(options, signal),
    onFacts: ({ agent, model }) => {
      live.facts = { ...live.facts, ...(agent !== undefined && { agent }), ...(model && { model }) };
    },
    emit,
    onUsage: (usage) => live.addUsage(usage),
    signal,
  };
}

/** Questions go to whoever watches; without a person they end the run, or are refused. */
function asking(host: HostSettings, live: LiveRun): HostSettings {
  const { ask, confirm } = live.questions;
  const { choice } = live.request;
  const isAlone = choice.ask === false;
  const person = {
    ask: isAlone ? null : ask,
    confirm: isAlone && choice.consentSeconds === undefined ? null : confirm,
  };
  return {
    ...host,
    control: { ...host.control, ...person, telemetry: host.control.telemetry?.under(live.traceparent) },
    warn: (message) => live.emit({ type: "warning", message }),
  };
}

async function lastSettings(state: string, id: string) {
  const begun = (await readTrace(tracePath(state, id))).findLast((line) => line.t === "run");
  if (begun?.settings) return begun.settings;
  throw new ToolError(
    "configuration",
    `Cannot go on with session ${id} here: it was begun by an earlier version, which did not keep its permissions; go on ` +
      `with it by bulkhead run --resume ${id}`,
  );
}

/** After the end of a run was asked for, other failures do not count. */
function failureOf(error: unknown, signal: AbortSignal): ToolError {
  return signal.aborted ? toToolError(signal.reason) : toToolError(error);
}

function tellFailure(live: LiveRun, failure: ToolError): void {
  if (failure.code !== "cancelled") live.emit({ type: "warning", message: failure.message });
  try {
    live.fail(failure);
  } catch (error) {
    live.emit({ type: "warning", message: toToolError(error).message });
  }
}
