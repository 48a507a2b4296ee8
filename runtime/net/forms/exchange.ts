import type { Destination } from "../dial/dial.ts";
import { GateFailure } from "../dial/gate_failure.ts";
import { proxyRefusal } from "../dial/upstream.ts";
import { hostAndPort } from "../../walls/net/read_host.ts";
import {
  type AnswerHead,
  answerLength,
  type BodyLength,
  type HeaderLine,
  headerOf,
  headersToPass,
  lengthHeader,
  parseAnswerHead,
  readHead,
  writeHead,
} from "./http_head.ts";
import { maskAnswer } from "./mask_answer.ts";
import { CLOSE } from "./own_answer.ts";
import { passMessage } from "./pass_body.ts";
import type { ConnectionTrace } from "./service.ts";
import { maskTexts } from "../wire/masked_source.ts";
import type { Wire } from "../wire/wire.ts";

/** One request on its way. */
export interface Exchange {
  /** Who asks. */
  from: Wire;
  /** The way to the server. */
  up: Wire;
  to: Destination;
  /** A proxy of the user is at the other end of it. */
  byProxy: boolean;
  method: string;
  /** The lines before the body, as the server gets them. */
  head: Uint8Array;
  length: number | "chunked";
  /** Who asks may send another request on its connection; else it knows the end of an answer by the end of that, too. */
  keeps: boolean;
  /** What the answer must not repeat. @default nothing */
  masks?: readonly string[];
}

/** How an exchange ended. */
export interface ExchangeEnd {
  /** Who asks may send another request on its connection. */
  fromStays: boolean;
  /** The server takes another request on its connection. */
  upStays: boolean;
}

/** The server had closed its connection, or did so, before the first byte of an answer. */
export class NoAnswer extends GateFailure {
  constructor({ host, port }: Destination) {
    super("connect", `${hostAndPort(host, port)} closed the connection without an answer`);
  }
}

/**
 * Sends exactly one request, and hands exactly one answer on, its body unread. What the answer says of its own length is
 * read strictly and written anew, so that who asks ends it where the gate does: what follows would be taken for the next
 * answer, of another server.
 *
 * @throws {GateFailure} {@linkcode NoAnswer}; `connect` for what is no answer; `request` for a body that cannot be read
 */
export async function runExchange(exchange: Exchange, { counts }: ConnectionTrace): Promise<ExchangeEnd> {
  const { from, up, head, length } = exchange;
  let hasLeft = false;
  let isSent = false;
  let failure: unknown;
  const sending = async () => {
    counts.sentBytes += head.length;
    await passMessage(length, { from, to: up.conn, head, onBytes: (count) => counts.sentBytes += count });
    isSent = true;
    from.watch((hasEnded) => {
      if (!hasEnded) return;
      hasLeft = true;
      up.close();
    });
  };
  const sent = sending().catch((error) => {
    failure = error;
    // Else the server does not take the rest, and may say why.
    if (error instanceof GateFailure) up.close();
  });
  const answer: Answer = { hasBegun: false };
  try {
    const stays = await passAnswer(exchange, answer, counts);
    // A request that is not whole yet has no other behind it.
    if (isSent) return stays;
    from.close();
    // A server that takes no more of it would never end the wait.
    up.close();
    await sent;
    return { fromStays: false, upStays: false };
  } catch (error) {
    if (hasLeft) return { fromStays: false, upStays: false };
    if (answer.hasBegun) from.close();
    // What fails first is the reason of what fails after it.
    if (failure instanceof GateFailure) throw failure;
    // A body that cannot be read from its first byte.
    throw error instanceof GateFailure && error.reason === "request" ? noHttp(exchange.to) : error;
  }
}

/** What is known of an answer. */
interface Answer {
  /** Some of it went to who asks. */
  hasBegun: boolean;
}

async function passAnswer(
  { from, up, to, byProxy, method, keeps, masks = [] }: Exchange,
  answer: Answer,
  counts: ConnectionTrace["counts"],
): Promise<ExchangeEnd> {
  const told = await readAnswer(up, to, { counts, masks });
  // The proxy wants that of the user: who asks has none for it.
  if (byProxy && told.status === 407) throw proxyRefusal(hostAndPort(to.host, to.port), String(told.status));
  const toldLength = answerLength(told, method);
  if (toldLength === null || told.status === 101) throw noHttp(to);
  const { source, head, length } = masks.length === 0 || toldLength === 0
    ? { source: up, head: told, length: toldLength }
    : maskAnswer(told, { from: up, length: toldLength, masks });
  await passMessage(length, {
    from: source,
    to: from.conn,
    head: writeHead(`HTTP/1.1 ${head.line}`, [
      ...headersToPass(head),
      ...lengthLines(head, length, keeps),
      ...(keeps ? [] : [CLOSE]),
    ]),
    onBytes(count) {
      answer.hasBegun = true;
      counts.receivedBytes += count;
    },
    inPieces: keeps,
  });
  return { fromStays: keeps, upStays: head.keeps && length !== "close" && up.unread.length === 0 };
}

/** An answer without a body may still tell how long it would be. */
function lengthLines(head: AnswerHead, length: BodyLength, keeps: boolean): HeaderLine[] {
  if (head.status === 204 || (length === "close" && !keeps)) return [];
  if (length !== 0) return [lengthHeader(length)];
  const told = headerOf(head, "content-length");
  return told !== null && /^\d{1,15}$/.test(told) ? [["Content-Length", told]] : [];
}

/** Reads the lines before the body of the answer itself, past those such as "100 Continue". */
async function readAnswer(
  up: Wire,
  to: Destination,
  { counts, masks }: Pick<ConnectionTrace, "counts"> & { masks: readonly string[] },
): Promise<AnswerHead> {
  for (;;) {
    const text = await firstLines(up, to, counts);
    counts.receivedBytes += text.length;
    const head = parseAnswerHead(maskTexts(text, masks));
    if (head === null) throw noHttp(to);
    if (head.status >= 200 || head.status === 101) return head;
  }
}

async function firstLines(up: Wire, to: Destination, counts: ConnectionTrace["counts"]): Promise<string> {
  try {
    const text = await readHead(up);
    if (text !== null) return text;
  } catch (error) {
    if (error instanceof GateFailure || up.unread.length > 0 || counts.receivedBytes > 0) throw noHttp(to);
  }
  throw counts.receivedBytes > 0 ? noHttp(to) : new NoAnswer(to);
}

function noHttp({ host, port }: Destination): GateFailure {
  return new GateFailure("connect", `${hostAndPort(host, port)} gave no answer of HTTP that can be read`);
}
