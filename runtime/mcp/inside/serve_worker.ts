import { ToolError } from "../../../schemas/error.ts";
import { type FromServer, PIPE, type ServeSettings, type ToServer } from "../protocol.ts";
import { buildServer, type Extend, tellClient } from "./build_server.ts";
import { MainLink } from "./main_link.ts";
import type { Pipe } from "./stdio_wire.ts";
import { ToolLists } from "./tool_lists.ts";

/** The part of a worker's global scope that a server uses. */
export interface ServerScope {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: FromServer): void;
}

/** What {@linkcode serveWorker} needs. */
export interface WorkerOptions {
  /** stdin and stdout, for the one client that is served over them. */
  pipe: Pipe;
  /** Adds to each server what this program does not offer itself. @default nothing */
  extend?: Extend | undefined;
}

/** What is being served. */
interface Serving {
  close(): Promise<void>;
}

/** Speaks with clients: the whole life of the server's worker. */
export function serveWorker(scope: ServerScope, { pipe, extend }: WorkerOptions): void {
  const link = new MainLink((message) => scope.postMessage(message));
  let serving: Promise<Serving> | undefined;
  let lists: ToolLists | undefined;
  scope.onmessage = ({ data }: MessageEvent<ToServer>) => {
    if (data.t === "open") {
      lists = new ToolLists(data.settings.list);
      serving = open(data.settings, { scope, link, lists, pipe, extend });
      serving.catch((error) => scope.postMessage({ t: "closed", error: failureOf(error, data.settings) }));
    } else if (data.t === "tools") lists?.set(data.connection, data.list);
    else if (data.t === "close") {
      serving?.then((one) => one.close()).finally(() => scope.postMessage({ t: "closed", error: null }));
    } else link.receive(data);
  };
}

interface WorkerParts extends WorkerOptions {
  scope: ServerScope;
  link: MainLink;
  lists: ToolLists;
}

async function open(
  settings: ServeSettings,
  { scope, link, lists, pipe, extend }: WorkerParts,
): Promise<Serving> {
  const { way } = settings;
  const parts = { settings, link, lists, extend };
  if (way.kind === "http") {
    const { serveHttp } = await import("./serve_http.ts");
    const server = serveHttp({
      ...way,
      build: (connection, context, tellChange) => buildServer(context, { ...parts, connection, tellChange }),
      onEnd(connection) {
        lists.end(connection);
        link.end(connection);
      },
    });
    scope.postMessage({ t: "ready", port: server.port });
    return server;
  }
  const { servePipe } = await import("./serve_pipe.ts");
  const server = servePipe(pipe, {
    build: (context) => buildServer(context, { ...parts, connection: PIPE, tellChange: tellClient }),
    onEnd: () => scope.postMessage({ t: "closed", error: null }),
  });
  scope.postMessage({ t: "ready", port: null });
  return server;
}

function failureOf(error: unknown, { way }: ServeSettings) {
  if (error instanceof Deno.errors.AddrInUse && way.kind === "http") {
    const why = `Cannot listen on port ${way.port}: something else does; name another one with --http=PORT`;
    return new ToolError("unavailable", why).toInfo();
  }
  return new ToolError("internal", `The server could not start: ${error}`).toInfo();
}
