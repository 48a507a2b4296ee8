import type { ErrorInfo } from "../../schemas/error.ts";
import { ToolError } from "../../schemas/error.ts";
import { sessionSources } from "../state/sessions/read_sources.ts";
import type { Handlers } from "./contract/answer.ts";
import { makeRedactor, secretValues } from "../text/secrets/redact.ts";
import { callHandlers } from "./calls/call_handlers.ts";
import { CallMachines } from "./calls/call_machines.ts";
import { modelHandlers } from "./calls/model_handlers.ts";
import { infoHandlers, serverOffer } from "./calls/info_handlers.ts";
import { changeHandlers } from "./changes/change_handlers.ts";
import { WorkMetrics } from "../telemetry/metrics/work_metrics.ts";
import { healthHandlers } from "./requests/health_handlers.ts";
import { servedWith, withMetrics } from "./requests/metrics_handler.ts";
import { requestFolders } from "./requests/request_folders.ts";
import { chatHandlers } from "./openai/chat_handlers.ts";
import { responseHandlers } from "./openai/responses/response_handlers.ts";
import type { StreamStyle } from "./openai/show_steps.ts";
import { openRuns } from "./runs/open_runs.ts";
import { RunAccess } from "./runs/run_access.ts";
import { runHandlers } from "./runs/run_handlers.ts";
import type { Runs } from "./runs/runs.ts";
import { type ApiOptions, serveApi } from "./serve_api.ts";
import type { Served } from "./contract/served.ts";
import { agentHandlers } from "./agents/agent_handlers.ts";
import { stepTools } from "./agents/agent_state.ts";
import type { ListenerWorker } from "./start_listener.ts";

/** How the server speaks with clients that were made for others. */
export interface CompatSettings {
  /** How streams show what an agent does, unless a request says. */
  style: StreamStyle;
  /** Absolute path of the folder of requests as ResearchHarness makes them, `null` for none. */
  apiRunsDir: string | null;
}

/** What is served, and to whom. */
export interface ServerSetup extends Pick<ApiOptions, "signal" | "onReady"> {
  served: Served;
  compat: CompatSettings;
  listen: ApiOptions["settings"];
}

/**
 * Serves runs, calls and the page until the signal aborts. What is at work then is kept.
 *
 * @returns Why it ended, `null` if that is no failure
 * @throws {ToolError} As the start of a run does
 */
export async function serve(started: ListenerWorker, serving: ServerSetup): Promise<ErrorInfo | null> {
  const { served: given, compat, listen: settings, ...rest } = serving;
  const metrics = new WorkMetrics();
  const served = servedWith(metrics, given);
  const access = new RunAccess(served);
  await using machines = new CallMachines(served, { access });
  await using runs = openRuns(served, access);
  const parts = { served, compat, machines, runs, access };
  const handlers = withMetrics(handlersOf(parts), { metrics, served, runs });
  return await serveApi(started, { ...rest, settings, handlers, warn: served.host.warn });
}

interface Parts extends Pick<ServerSetup, "served" | "compat"> {
  machines: CallMachines;
  runs: Runs;
  access: RunAccess;
}

function handlersOf({ served, compat: { style, apiRunsDir }, machines, runs, access }: Parts): Handlers {
  const { manifest, host: { env, control, warn } } = served;
  const { state } = access;
  const offer = serverOffer(served, machines);
  const trace = apiRunsDir === null
    ? undefined
    : requestFolders({ folder: apiRunsDir, runs, now: () => new Date(), warn });
  return {
    ...callHandlers(machines),
    ...infoHandlers(served, offer),
    ...modelHandlers(served),
    ...runHandlers(runs),
    ...changeHandlers({
      ...{ manifest, access },
      redact: makeRedactor([...secretValues(env), ...control.secrets ?? []]),
    }),
    ...chatHandlers({ runs, offer, style, trace }),
    ...responseHandlers({ runs, offer, trace }),
    ...agentHandlers({
      ...{ runs, style, tools: stepTools(manifest) },
      countSources: async (id) => (await sessionSources(state, id, manifest).catch(noSources)).length,
    }),
    ...healthHandlers({ offer, apiRunsDir }),
  };
}

/** A run that searched for nothing has none. */
function noSources(error: unknown): [] {
  if (error instanceof ToolError) return [];
  throw error;
}
