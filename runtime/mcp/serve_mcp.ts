import type { ErrorInfo } from "../../schemas/error.ts";
import { ToolError } from "../../schemas/error.ts";
import { exportTool } from "../../schemas/json/export.ts";
import type { Progress } from "../../schemas/context.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { OfferedTool } from "../calls/catalog/choose_tools.ts";
import { callTool } from "../calls/call_tool.ts";
import { toToolError } from "../calls/failed_result.ts";
import { capResult } from "../calls/results/cap_result.ts";
import type { Host } from "../host/open_host.ts";
import { VERSION } from "../self/version.ts";
import { Connections, type OpenNarrowed } from "./connections.ts";
import type { CallProgress, ClientCall, FromServer, ServeWay, ToServer } from "./protocol.ts";
import type { ServerWorker } from "./start_server.ts";
import { toAnswer } from "./to_answer.ts";

/** What {@linkcode runServer} needs. */
export interface ServeOptions {
  way: ServeWay;
  /** A host with all that is granted; it belongs to the server from now on, with its gate. */
  host: Host;
  /** Opens further hosts; they use the gate of `host`. */
  open: OpenNarrowed;
  offered: readonly OfferedTool[];
  /** Says whether a tool has its schema from others: it is passed on as it is. @default no tool has */
  isForeign?(tool: ManifestEntry): boolean;
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
  /** The offered tools, in the form of the protocol. */
  readonly #tools: readonly Record<string, unknown>[];
  /** Under which names they are offered, by their full names. */
  readonly #names: ReadonlyMap<string, string>;
  readonly #cancels = new Map<number, AbortController>();
  readonly #end = Promise.withResolvers<ErrorInfo | null>();
  readonly #prepared = Promise.withResolvers<void>();
  #isClosing = false;

  constructor({ worker, early }: ServerWorker, options: ServeOptions & { connections: Connections }) {
    this.#worker = worker;
    this.#options = options;
    this.#tools = options.offered.map((one) => describe(one, options.isForeign?.(one.entry.tool) ?? false));
    this.#names = new Map(options.offered.map(({ entry: { tool }, name }) => [tool.full_name, name]));
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
        tools: this.#tools,
        rooted: options.offered.filter(({ entry }) => touchesFiles(entry.tool)).map(({ name }) => name),
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
    else if (message.t === "ended") connections.end(message.connection);
    else if (message.t === "cancel") {
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
      await this.#options.prepare?.();
      this.#prepared.resolve();
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
    const { offered, connections } = this.#options;
    const at = offered.findIndex(({ name }) => name === call.name);
    if (at < 0) throw new ToolError("invalid_input", `Unknown tool "${call.name}"`);
    await this.#prepared.promise;
    const connection = connections.of(call.connection);
    return await connection.use(call.roots, async (host) => {
      await host.ready({ signal });
      const entry = entryOf(host, offered[at]!);
      const progress = progressTeller((progress) => this.#send({ t: "progress", id, progress }));
      const result = await callTool(entry, call.input, {
        machine: host,
        signal,
        names: this.#names,
        onProgress: progress,
      });
      const capped = await capResult(result, { folder: host.artifacts, offered });
      const resources = connection.resources.add(capped.artifacts);
      const structured = "outputSchema" in this.#tools[at]!;
      const answer = toAnswer(capped, { resources, structured });
      return { t: "answer", id, answer, leaves: resources.length > 0 };
    });
  }
}

function touchesFiles({ needs: { read, write, run } }: ManifestEntry): boolean {
  return [read, write, run].some((need) => need !== undefined);
}

/** What providers of models refuse is left out of the schemas of our own tools. */
function describe({ entry: { tool }, name }: OfferedTool, isForeign: boolean): Record<string, unknown> {
  const exported = exportTool(tool, "mcp", { name });
  return isForeign && tool.input_schema.type === "object"
    ? { ...exported, inputSchema: tool.input_schema }
    : exported;
}

/** The same tool, carried by the host of the connection. */
function entryOf({ catalog }: Host, { entry }: OfferedTool): OfferedTool["entry"] {
  const own = catalog.entries.find(({ tool }) => tool.full_name === entry.tool.full_name);
  if (own) return { ...own, tool: entry.tool };
  throw new ToolError("unavailable", `${entry.tool.full_name} is gone: its source has failed`);
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
