import type { Msg, MsgHdrs } from "@nats-io/nats-core";

/** A message of a stream, as a consumer gives it. */
export interface StreamMessage {
  subject: string;
  /** Lies in a buffer that it shares with others. */
  data: Uint8Array;
  headers: MsgHdrs | undefined;
  /** Where it is acknowledged. */
  reply: string;
  /** Number in the stream. */
  seq: number;
  /** It was given to somebody before. */
  isAgain: boolean;
  /** Number of what this consumer has given, from 1. */
  delivery: number;
  /** How many the consumer has not given yet. */
  pending: number;
  /** When it was written, in milliseconds since 1970. */
  writtenAt: number;
}

/** Words before the numbers, in the two forms of servers. */
const OLD_WORDS = 9;

/** Reads what the engine says of a message, which stands in the subject of its answer; `null` for none of a stream. */
export function readStreamMessage({ subject, data, headers, reply = "" }: Msg): StreamMessage | null {
  const words = reply.split(".");
  // $JS.ACK.[domain.account.]stream.consumer.deliveries.seq.delivery.time.pending
  if (words[0] !== "$JS" || words[1] !== "ACK") return null;
  const numbers = words.slice(words.length === OLD_WORDS ? 4 : 6);
  const [deliveries = 1, seq = 0, delivery = 0, time = 0, pending = 0] = numbers.map(Number);
  return {
    ...{ subject, data, headers, reply, seq, delivery, pending },
    isAgain: deliveries > 1,
    writtenAt: Math.floor(time / 1e6),
  };
}
