import { ToolError } from "../../../schemas/error.ts";
import { documentOf } from "../api/openapi.ts";
import { OPERATIONS } from "../api/operations.ts";
import { SERVER_OPERATIONS } from "../api/server_operations.ts";
import type { FromListener, ListenSettings, ToListener } from "../contract/protocol.ts";
import { answerRequest, refuseUnread, type RequestParts } from "./answer_request.ts";
import { Asks } from "./asks.ts";
import { openServerGate } from "./guard.ts";
import { Routes } from "./routes.ts";
import { HTTP_LIMITS, type HttpLimits } from "./wire/http_limits.ts";
import { type HttpListener, listen } from "./wire/listen.ts";

/** The part of a worker's global scope that a listener uses. */
export interface ListenerScope {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: FromListener): void;
}

/** Speaks with clients over HTTP: the whole life of the server's worker. */
export function serveListener(scope: ListenerScope, { page }: Pick<RequestParts, "page">): void {
  const asks = new Asks((message) => scope.postMessage(message));
  let listener: Promise<HttpListener> | undefined;
  scope.onmessage = ({ data }: MessageEvent<ToListener>) => {
    if (data.t === "open") {
      listener = open(data.settings, {
        asks,
        page,
        warn: (message) => scope.postMessage({ t: "warning", message }),
      });
      listener.then(
        ({ port }) => scope.postMessage({ t: "ready", port }),
        (error) => scope.postMessage({ t: "closed", error: failureOf(error, data.settings) }),
      );
    } else if (data.t === "close") {
      const closed = listener?.then((one) => one.close()) ?? Promise.resolve();
      closed.finally(() => scope.postMessage({ t: "closed", error: null })).catch(() => {});
    } else asks.receive(data);
  };
}

async function open(
  settings: ListenSettings,
  { asks, page, warn }: Pick<RequestParts, "page"> & { asks: Asks; warn(message: string): void },
): Promise<HttpListener> {
  const limits: HttpLimits = { ...HTTP_LIMITS, ...settings.limits };
  const served = OPERATIONS.filter(({ id }) => settings.operations.includes(id));
  const operations = [...SERVER_OPERATIONS, ...served];
  const gate = Promise.withResolvers<RequestParts["gate"]>();
  const parts = {
    ...{ asks, limits, page },
    connections: () => listener.open,
    routes: new Routes(operations),
    own: {
      getHealth: () => ({ status: "healthy", service: "bulkhead", version: settings.version }),
      getOpenApi: () => documentOf(operations, settings.version),
    },
  };
  const { host, port, tls } = settings;
  const listener: HttpListener = listen({
    ...{ host, port, tls, limits },
    refuse: refuseUnread,
    answer: async (exchange) => await answerRequest(exchange, { ...parts, gate: await gate.promise }),
  });
  gate.resolve(await openServerGate(settings, listener.port, warn));
  return listener;
}

function failureOf(error: unknown, { host, port }: ListenSettings) {
  if (error instanceof Deno.errors.AddrInUse) {
    const why = `Cannot listen on ${host}:${port}: something else does; name another port with --port`;
    return new ToolError("unavailable", why).toInfo();
  }
  if (error instanceof Deno.errors.AddrNotAvailable) {
    return new ToolError("unavailable", `Cannot listen on ${host}: it is no address of this machine`)
      .toInfo();
  }
  const said = error instanceof Error ? error.message : String(error);
  return new ToolError("unavailable", `The server could not start on ${host}:${port}: ${said}`).toInfo();
}
