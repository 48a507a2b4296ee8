import type { ErrorInfo } from "../../schemas/error.ts";
import type { Handlers } from "./answer.ts";
import { callHandlers } from "./calls/call_handlers.ts";
import { CallMachines } from "./calls/call_machines.ts";
import { infoHandlers } from "./calls/info_handlers.ts";
import type { ListenSettings } from "./protocol.ts";
import { serveApi } from "./serve_api.ts";
import type { Served } from "./served.ts";
import type { ServerWorker } from "./start_server.ts";

/** What is served, and to whom. */
export interface Serving {
  served: Served;
  listen: ListenSettings;
  /** Ends the server. */
  signal: AbortSignal;
  /** Called once clients can connect. */
  onReady(port: number): void;
}

/**
 * Serves runs, calls and the page until the signal aborts. What is at work then is kept.
 *
 * @returns Why it ended, `null` if that is no failure
 * @throws {ToolError} As the start of a run does
 */
export async function serve(started: ServerWorker, serving: Serving): Promise<ErrorInfo | null> {
  const { served, ...rest } = serving;
  await using machines = new CallMachines(served);
  const handlers: Handlers = { ...callHandlers(machines), ...infoHandlers(served, machines) };
  return await serveApi(started, { ...rest, handlers, warn: served.host.warn });
}
