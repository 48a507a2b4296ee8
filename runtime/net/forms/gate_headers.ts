/**
 * Where a room's requests seem to go: no connection to it ever stands, and it is no name, which Deno 2.9 would look up
 * before it turns to the socket.
 */
export const GATE_HOST = "255.255.255.255:80";

/** Returns the line that a bridge says before the bytes of its client: it is the bridge that the socket is for. */
export function proxyGreeting(token: string): string {
  return `${token}\n`;
}

/** Request headers between a room and the gate; the gate takes them off. */
export const GATE_HEADERS = {
  /** The URL that is wanted. */
  url: "x-gate-url",
  /** Says that the request is one of the room that the socket is for. */
  token: "x-gate-token",
  /** Names the call, for the audit. */
  call: "x-gate-call",
  /** A word that no server can know: the gate's own answers carry it. */
  nonce: "x-gate-nonce",
  /** `NAME HEADER SCHEME?`: the gate adds `HEADER: SCHEME value`. */
  secret: "x-gate-secret",
} as const;

/** Response headers of the gate's own answers. */
export const ANSWER_HEADERS = {
  /** The request's own word: only then the answer is the gate's. */
  nonce: "x-gate-nonce",
  /** A `GateReason`. */
  reason: "x-gate-reason",
  /** What decided. */
  rule: "x-gate-rule",
  /** The flag that would allow it. */
  flag: "x-gate-flag",
} as const;
