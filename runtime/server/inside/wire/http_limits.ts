/** Bounds of connections and requests: bytes, milliseconds, and counts. */
export interface HttpLimits {
  /** Longest time from the first byte of a request to the end of its head, and until a new connection says anything. */
  headMs: number;
  /** Longest time until the next request of a connection. */
  idleMs: number;
  /** Longest time for a body, besides a second for each 64 KiB of it. */
  bodyMs: number;
  /** Longest time in which a client takes nothing of an answer. */
  takeMs: number;
  /** Longest time that requests may take to end once the server closes. */
  closeMs: number;
  /** Longest body. */
  bodyBytes: number;
  /** Bytes of all bodies whose requests are not yet answered. */
  allBodyBytes: number;
  connections: number;
  /** Connections of one address. */
  connectionsOfOne: number;
  /** Requests that wait for the beginning of their answer. */
  requests: number;
}

export const HTTP_LIMITS: HttpLimits = {
  headMs: 10_000,
  idleMs: 60_000,
  bodyMs: 15_000,
  takeMs: 60_000,
  closeMs: 3_000,
  bodyBytes: 40 * 1024 * 1024,
  allBodyBytes: 160 * 1024 * 1024,
  connections: 1_024,
  connectionsOfOne: 512,
  requests: 512,
};

/** Longest body of an operation that has no use for one, in bytes. */
export const UNUSED_BODY_BYTES = 64 * 1024;
/** Longest first line and headers together, in bytes. */
export const MAX_HEAD_BYTES = 32 * 1024;
export const MAX_HEADERS = 100;
/** Longest path with its query, in bytes. */
export const MAX_TARGET_BYTES = 8 * 1024;
