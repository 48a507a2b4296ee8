import type { Wire } from "../../../net/wire/wire.ts";
import { ClientSink } from "./client_sink.ts";
import { Deadline } from "./deadline.ts";
import { HttpFailure } from "./http_failure.ts";
import type { HttpLimits } from "./http_limits.ts";
import { readRequestBody } from "./read_request_body.ts";
import { type Incoming, readRequest } from "./read_request.ts";
import type { Reply } from "./reply.ts";
import { replyHead, writeReply } from "./write_reply.ts";

/** One request, as it is answered. */
export interface HttpExchange {
  request: Incoming;
  /** Address of the client, without a port. */
  client: string;
  /** Address and port that the client reached. */
  local: string;
  /** Aborts when the client is gone. */
  gone: AbortSignal;
  /**
   * Reads the body.
   *
   * @throws {HttpFailure}
   */
  body(maxBytes: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** What connections are served with. */
export interface ConnectionParts {
  limits: HttpLimits;
  /** Makes the answer, whatever goes wrong. */
  answer(exchange: HttpExchange): Promise<Reply>;
  /** How a failure is told before it is known what is asked for. */
  refuse(failure: HttpFailure): Reply;
  /** Counts bytes of bodies; throws if there are too many. Negative ones are given back. */
  onBody(count: number): void;
  /** The connection waits for a request or the rest of one, or goes on with it. */
  onWaiting(isWaiting: boolean): void;
  closing: AbortSignal;
}

/** Serves one connection: its requests one after the other. */
export async function serveConnection(
  wire: Wire,
  { client, local }: Pick<HttpExchange, "client" | "local">,
  parts: ConnectionParts,
): Promise<void> {
  const { limits, refuse, onWaiting, closing } = parts;
  using deadline = new Deadline(() => wire.close());
  const close = () => wire.close();
  const sink = new ClientSink(wire.conn, deadline, limits.takeMs);
  let isFirst = true;
  const wait = async (): Promise<Incoming | null> => {
    onWaiting(true);
    closing.addEventListener("abort", close, { once: true });
    try {
      if (closing.aborted) return null;
      deadline.set(isFirst ? limits.headMs : limits.idleMs);
      if (wire.unread.length === 0 && !await wire.fill()) return null;
      deadline.set(limits.headMs);
      return await readRequest(wire);
    } finally {
      closing.removeEventListener("abort", close);
      deadline.clear();
      onWaiting(false);
    }
  };
  try {
    for (;;) {
      const request = await wait();
      if (request === null || !await serveOne(wire, request, { client, local, deadline, sink }, parts)) {
        return;
      }
      isFirst = false;
    }
  } catch (error) {
    // All else is a client that has gone, or was cut.
    if (error instanceof HttpFailure) await lastWords(wire, refuse(error), deadline, limits);
  } finally {
    wire.close();
    // It takes its place until the system has let go of it.
    await sink.released;
  }
}

interface Served extends Pick<HttpExchange, "client" | "local"> {
  deadline: Deadline;
  sink: ClientSink;
}

/** Answers a request. Says whether another one may follow. */
async function serveOne(
  wire: Wire,
  request: Incoming,
  { client, local, deadline, sink }: Served,
  { limits, answer, onBody, onWaiting, closing }: ConnectionParts,
): Promise<boolean> {
  const gone = new AbortController();
  let bytes = 0;
  let isWhole = request.length === 0;
  const watch = () => wire.watch((hasEnded) => hasEnded && gone.abort());
  if (isWhole) watch();
  const letGo = () => {
    onBody(-bytes);
    bytes = 0;
  };
  const body = async (maxBytes: number) => {
    if (isWhole) return new Uint8Array();
    const onBytes = (count: number) => {
      onBody(count);
      bytes += count;
    };
    // Who does not go on makes room for others.
    onWaiting(true);
    try {
      const read = await readRequestBody(wire, request, { maxBytes, ms: limits.bodyMs, deadline, onBytes });
      isWhole = true;
      watch();
      return read;
    } catch (error) {
      letGo();
      throw error;
    } finally {
      onWaiting(false);
    }
  };
  try {
    const reply = await answer({ request, client, local, gone: gone.signal, body });
    if (gone.signal.aborted || deadline.isLate) {
      if (!(reply.body instanceof Uint8Array)) reply.body.cancel();
      return false;
    }
    // What is left of a body is not read: nothing behind it could be understood.
    if (!isWhole) {
      await lastWords(wire, reply, deadline, limits);
      return false;
    }
    const isHead = request.method === "HEAD";
    const keeps = request.keeps && !reply.isLast && !closing.aborted;
    return await writeReply(reply, { sink, keeps, isHead, closing, gone: gone.signal });
  } finally {
    letGo();
  }
}

/** Answers for the last time. */
async function lastWords(
  wire: Wire,
  reply: Reply,
  deadline: Deadline,
  { takeMs }: HttpLimits,
): Promise<void> {
  if (!(reply.body instanceof Uint8Array)) return reply.body.cancel();
  const head = replyHead(reply, reply.body.length, false);
  const all = new Uint8Array(head.length + reply.body.length);
  all.set(head);
  all.set(reply.body, head.length);
  deadline.set(takeMs);
  await wire.endWith(all).catch(() => {});
}
