import type { WebAnswer } from "../../../../schemas/context.ts";
import { type ErrorCode, ToolError } from "../../../../schemas/error.ts";
import type { Service } from "./services.ts";

/** Longest part of a service's own words that a message repeats. */
const MAX_WORDS = 200;
/** Statuses that mean that the plan, or the money, is used up. */
const USED_UP: ReadonlySet<number> = new Set([402, 432, 433]);
/** Codes and words of services for the same. */
const USED_UP_WORDS =
  /QUOTA_LIMITED|not enough credits|insufficient ?balance|(?:exceed|run out of|no more) .*credits/i;
/** Services that refuse a key with another status than 401. */
const REFUSED_KEY: Readonly<Record<string, (status: number, words: string) => boolean>> = {
  serper: (status) => status === 403,
  brave: (status, words) => status === 422 && words.includes("SUBSCRIPTION_TOKEN_INVALID"),
};

/**
 * Passes an answer with a status of success.
 *
 * @throws {ToolError} `unauthenticated` for a refused key; `rate_limited`, which only another day or plan helps if it is
 * not retryable; `external_failure` for the rest
 */
export function refuseStatus(service: Service, answer: WebAnswer): void {
  const { status } = answer;
  if (status >= 200 && status < 300) return;
  const text = new TextDecoder().decode(answer.body.subarray(0, 20_000));
  const words = wordsOf(text);
  const { code, reason, retryable } = judge(service, { status, text });
  const said = words === "" ? "" : `, and says ${JSON.stringify(words)}`;
  const after = retryable ? retryAfter(answer) : null;
  throw new ToolError(
    code,
    `${service.label} ${reason}: it answers HTTP ${status}${said}${
      after === null ? "" : `; try again in ${after} s`
    }`,
    {
      retryable,
      details: { service: service.name, status, ...(after !== null && { retry_after_seconds: after }) },
    },
  );
}

function judge(
  { name, key }: Service,
  { status, text }: { status: number; text: string },
): { code: ErrorCode; reason: string; retryable: boolean } {
  if (USED_UP.has(status) || USED_UP_WORDS.test(text)) {
    return { code: "rate_limited", reason: "has no searches left for this key", retryable: false };
  }
  if (key !== undefined && (status === 401 || REFUSED_KEY[name]?.(status, text))) {
    return { code: "unauthenticated", reason: `refuses the key in ${key.variable}`, retryable: false };
  }
  if (status === 429) return { code: "rate_limited", reason: "is asked too often", retryable: true };
  const later = status >= 500 || status === 408;
  return { code: "external_failure", reason: later ? "failed" : "refuses the request", retryable: later };
}

/** The service's own words, on one line: they are foreign. */
function wordsOf(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "";
  }
  return (sentenceIn(value, 0) ?? "").replace(/\s+/g, " ").trim().slice(0, MAX_WORDS);
}

/** Services put their words at different places. */
const PLACES = ["readableMessage", "message", "detail", "error", "errors", "code"];

function sentenceIn(value: unknown, depth: number): string | null {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth > 3) return null;
  if (Array.isArray(value)) return sentenceIn(value[0], depth + 1);
  for (const place of PLACES) {
    const found = sentenceIn((value as Record<string, unknown>)[place], depth + 1);
    if (found !== null && found.trim() !== "") return found;
  }
  return null;
}

/** A day of the week, and a time of the day. */
const DATE = /^[A-Za-z]{3,9},?\s.*\d\d:\d\d/;

/** Seconds until the service wants to be asked again, `null` if it does not say. */
export function retryAfter({ headers }: Pick<WebAnswer, "headers">): number | null {
  const said = headers["retry-after"]?.trim() ?? "";
  if (/^\d{1,9}$/.test(said)) return Number(said);
  // The date parser accepts nearly any text, so this checks the form first.
  const date = DATE.test(said) ? Date.parse(said) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
