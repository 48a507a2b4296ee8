import type { ErrorInfo } from "../../schemas/error.ts";
import { ToolError } from "../../schemas/error.ts";
import type { Progress } from "../../schemas/context.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { OfferedTool } from "../calls/catalog/choose_tools.ts";
import { callTool } from "../calls/call_tool.ts";
import { toToolError } from "../calls/failed_result.ts";
import { capResult } from "../calls/results/cap_result.ts";
import type { Host } from "../host/open_host.ts";
import { canonicalJson } from "../text/canonical_json.ts";
import { VERSION } from "../self/version.ts";
import { Connections, type OpenNarrowed } from "./connections.ts";
import {
  type CallProgress,
  type ClientCall,
  type FromServer,
  PIPE,
  type ServeWay,
  type ToServer,
} from "./protocol.ts";
import { type ServedPlan, ServedTools } from "./served_tools.ts";
import type { ServerWorker } from "./start_server.ts";
import { toAnswer } from "./to_answer.ts";

/** What {@linkcode runServer} needs. */
export interface ServeOptions extends Pick<ServedPlan, "offered" | "choice" | "isForeign"> {
  way: ServeWay;
  /** A host with all that is granted; it belongs to the server from now on, with its gate. */
  host: Host;
  /** Opens further hosts; they use the gate of `host`. */
  open: OpenNarrowed;
  /** Sources may add tools. */
  grows: boolean;
  /** Ends the server. */
  signal: AbortSignal;
  /** Called once the server has loaded; calls wait until it is done. @default nothing is done */
  prepare?(): Promise<void>;
  /** Called with the port once clients can connect; `null` for stdio. */
  onReady(port: number | null): void;
  warn(message: string): void;
}

/** How long the worker may take to say goodbye to its clients, in milliseconds. */
const CLOSING_MS = 1_000;

const INSTRUCTIONS =
  "Each call runs inside permissions that the user fixed when this server started. A call that needs more fails and " +
  "names what is missing; only the user can grant it, by starting the server anew.";

/**
 * Serves tools to clients of the Model Context Protocol, until the clients are gone or the signal aborts. Every call
 * passes the same way as one of a batch: turn, permission, hooks, room, audit. Nobody is asked for consent.
 *
 * @returns Why it ended, `null` if that is no failure
 */
export async function runServer(started: ServerWorker, options: ServeOptions): Promise<ErrorInfo | null> {
  const { host, open, signal } = options;
  await using connections = new Connections(open, host, { single: options.way.kind === "stdio" });
  using server = new Server(started, { ...options, connections });
  const onAbort = () => server.close();
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await server.closed;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Main's side of the worker. */
class Server implements Disposable {
  readonly #worker: Worker;
  readonly #options: ServeOptions & { connections: Connections };
  readonly #served: ServedTools;
  readonly #cancels = new Map<number, AbortController>();
  readonly #end = Promise.withResolvers<ErrorInfo | null>();
  readonly #prepared = Promise.withResolvers<void>();
  #isClosing = false;

  constructor({ worker, early }: ServerWorker, options: ServeOptions & { connections: Connections }) {
    this.#worker = worker;
    this.#options = options;
    const tell: ServedPlan["tell"] = (connection, list) => this.#send({ t: "tools", connection, list });
    this.#served = new ServedTools({ ...options, tell });
    worker.onmessage = ({ data }: MessageEvent<FromServer>) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      const why = `The server of the protocol broke down: ${event.message}`;
      this.#end.resolve(new ToolError("internal", why).toInfo());
    };
    this.#send({
      t: "open",
      settings: {
        name: "bulkhead",
        version: VERSION,
        instructions: INSTRUCTIONS,
        way: options.way,
        list: this.#served.listOf(PIPE),
        grows: options.grows,
      },
    });
    for (const message of early) this.#receive(message);
  }

  /** Settles when nothing is served any more. */
  get closed(): Promise<ErrorInfo | null> {
    return this.#end.promise;
  }

  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#cancelAll();
    this.#send({ t: "close" });
    const late = setTimeout(() => this.#end.resolve(null), CLOSING_MS);
    this.#end.promise.finally(() => clearTimeout(late));
  }

  [Symbol.dispose](): void {
    this.#cancelAll();
    this.#served[Symbol.dispose]();
    this.#worker.terminate();
  }

  #cancelAll(): void {
    for (const cancel of this.#cancels.values()) cancel.abort(new ToolError("cancelled", "The server ends"));
  }

  #send(message: ToServer): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromServer): void {
    const { connections, onReady, warn } = this.#options;
    if (message.t === "ready") {
      this.#prepare();
      onReady(message.port);
    } else if (message.t === "warning") warn(message.message);
    else if (message.t === "closed") this.#end.resolve(message.error);
    else if (message.t === "ended") {
      this.#served.end(message.connection);
      connections.end(message.connection);
    } else if (message.t === "cancel") {
      this.#cancels.get(message.id)?.abort(new ToolError("cancelled", "The client cancelled the call"));
    } else if (message.t === "call") this.#answer(message.id, (signal) => this.#call(message, signal));
    else if (message.t === "list") {
      const resources = connections.of(message.connection).resources.list();
      this.#send({ t: "resources", id: message.id, resources });
    } else {
      this.#answer(message.id, async () => ({
        t: "content",
        id: message.id,
        content: await connections.of(message.connection).resources.read(message.uri),
      }));
    }
  }

  /** What takes part of the processor starts only now, when clients need not wait for it. */
  async #prepare(): Promise<void> {
    try {
      const { prepare, way, host } = this.#options;
      await prepare?.();
      this.#prepared.resolve();
      // The host of the one connection has loaded already, and its sources may add tools before any call.
      if (way.kind === "stdio") await this.#served.ready(PIPE, host);
    } catch (error) {
      this.#end.resolve(toToolError(error).toInfo());
    }
  }

  /** Answers a request of the worker, whatever happens. */
  async #answer(id: number, work: (signal: AbortSignal) => Promise<ToServer>): Promise<void> {
    const cancel = new AbortController();
    this.#cancels.set(id, cancel);
    try {
      this.#send(await work(cancel.signal));
    } catch (error) {
      this.#send({ t: "failed", id, error: toToolError(error).toInfo() });
    } finally {
      this.#cancels.delete(id);
    }
  }

  async #call({ id, call }: { id: number; call: ClientCall }, signal: AbortSignal): Promise<ToServer> {
    const { connections } = this.#options;
    const offered = this.#served.of(call.connection);
    const called = offered.all.find(({ name }) => name === call.name);
    if (called === undefined) throw new ToolError("invalid_input", `Unknown tool "${call.name}"`);
    await this.#prepared.promise;
    const connection = connections.of(call.connection);
    return await connection.use(call.roots, async (host) => {
      await this.#served.ready(call.connection, host, signal);
      const entry = entryOf(host, called);
      const progress = progressTeller((progress) => this.#send({ t: "progress", id, progress }));
      const result = await callTool(entry, call.input, {
        machine: { ...host, telemetry: host.telemetry?.under(call.traceparent) },
        signal,
        names: offered.names,
        onProgress: progress,
      });
      const capped = await capResult(result, { folder: host.artifacts, offered: offered.all });
      const resources = connection.resources.add(capped.artifacts);
      const structured = "outputSchema" in this.#served.describe(called);
      const answer = toAnswer(capped, { resources, structured });
      return { t: "answer", id, answer, leaves: resources.length > 0 };
    });
  }
}

/** The same tool, carried by the host of the connection. */
function entryOf(
  { catalog: { entries, addedToolsets } }: Host,
  { entry }: OfferedTool,
): OfferedTool["entry"] {
  const own = entries.find(({ tool }) => tool.full_name === entry.tool.full_name);
  const isOfSource = addedToolsets?.includes(entry.tool.toolset) ?? false;
  if (own && isOfSource && !isSame(own.tool, entry.tool)) {
    throw new ToolError(
      "conflict",
      `${entry.tool.full_name} is described in another way than to this client`,
    );
  }
  if (own) return { ...own, tool: entry.tool };
  throw new ToolError("unavailable", `${entry.tool.full_name} is gone: its source has failed`);
}

/** Each connection starts servers of its own, which may not all say the same. */
function isSame(own: ManifestEntry, told: ManifestEntry): boolean {
  return own.description === told.description &&
    canonicalJson(own.input_schema) === canonicalJson(told.input_schema);
}

/** Clients expect a number that grows with each message. */
function progressTeller(tell: (progress: CallProgress) => void): (progress: Progress) => void {
  let last = 0;
  return ({ message, output, done, total }) => {
    last = done !== undefined && done > last ? done : last + (done === undefined ? 1 : 0.001);
    const said = [message, output].filter((part) => part !== undefined).join("\n");
    tell({
      progress: last,
      ...(done !== undefined && total !== undefined && { total }),
      ...(said !== "" && { message: said }),
    });
  };
}
