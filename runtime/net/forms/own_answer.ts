import { type GateFailure, statusOf } from "../dial/gate_failure.ts";
import { ANSWER_HEADERS } from "./gate_headers.ts";
import { writeHead } from "./http_head.ts";

/** Ends a connection after one request. */
export const CLOSE = ["Connection", "close"] as const;

/**
 * Makes an answer of the gate's own.
 *
 * @param text What a person reads
 * @param nonce The request's own word, `""` if it has none
 */
export function ownAnswer({ reason, rule, flag }: GateFailure, text: string, nonce: string): Uint8Array {
  const body = new TextEncoder().encode(`${text}\n`);
  const head = writeHead(`HTTP/1.1 ${statusOf(reason)} Gate`, [
    ...(nonce === "" ? [] : [[ANSWER_HEADERS.nonce, nonce] as const]),
    [ANSWER_HEADERS.reason, reason],
    [ANSWER_HEADERS.rule, encodeURIComponent(rule)],
    ...(flag === null ? [] : [[ANSWER_HEADERS.flag, encodeURIComponent(flag)] as const]),
    ["Content-Type", "text/plain; charset=utf-8"],
    ["Content-Length", String(body.length)],
    CLOSE,
  ]);
  const answer = new Uint8Array(head.length + body.length);
  answer.set(head);
  answer.set(body, head.length);
  return answer;
}
