/** Where a span stands. */
export interface TracePlace {
  /** 32 digits in base 16, not all 0. */
  traceId: string;
  /** 16 digits in base 16, not all 0. */
  spanId: string;
  /** Its trace is told. */
  isSampled: boolean;
}

/** Reads a `traceparent` of the W3C's Trace Context; `null` if it is none. */
export function readTraceparent(text: string | undefined): TracePlace | null {
  const [, version = "ff", traceId = "", spanId = "", flags = "", rest = ""] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text?.trim() ?? "") ?? [];
  // Later versions may have more behind it.
  if (version === "ff" || (version === "00" && rest !== "")) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & 1) === 1 };
}

/** Makes an id of so many bytes. */
export function newId(bytes: 8 | 16): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  const id = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return /^0+$/.test(id) ? newId(bytes) : id;
}
