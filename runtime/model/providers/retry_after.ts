const SECONDS = 1_000;

/** Returns how long a server asks to wait, in milliseconds, as it says it in its headers; `null` if it does not. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const ms = waitOf(headers.get("retry-after-ms"), 1);
  if (ms !== null) return ms;
  const after = headers.get("retry-after");
  const seconds = waitOf(after, SECONDS);
  if (seconds !== null) return seconds;
  // The date parser accepts nearly any text, so this checks the form first.
  const date = /^\s*[A-Za-z]{3,9},?\s.*\d\d:\d\d/.test(after ?? "") ? Date.parse(after ?? "") : NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function waitOf(text: string | null, unit: number): number | null {
  if (text === null || !/^\s*\d+(\.\d*)?\s*$/.test(text)) return null;
  const wait = Number(text) * unit;
  return Number.isFinite(wait) ? Math.ceil(wait) : null;
}
