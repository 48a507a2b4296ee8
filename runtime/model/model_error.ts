import { type ErrorCode, ToolError } from "../../schemas/error.ts";
import { isObject } from "../../schemas/json/shape.ts";
import { headerSecrets, makeMasker } from "../text/secrets/redact.ts";
import { stripControls } from "../text/strip_controls.ts";
import type { ModelSettings } from "./protocol.ts";
import { isLoopback } from "./providers/addresses.ts";
import { retryAfterMs } from "./providers/retry_after.ts";
import type { FetchRefusal } from "./watched_fetch.ts";

/** Longest part of a server's message that is passed on, in characters. */
const MAX_MESSAGE = 500;
const CONTEXT_CODES = new Set([
  "context_length_exceeded",
  "context_window_exceeded",
  "exceed_context_size_error",
  "model_context_window_exceeded",
]);
/** How providers without a code for it say that a conversation is too long. */
const CONTEXT_WORDS =
  /context (?:length|window|size)|(?:prompt|input|conversation|request)\b[^.]{0,40}\b(?:too long|too large)|too many (?:input |prompt )?tokens|maximum (?:prompt|input) length|input token count|reduce the length of the (?:messages|prompt|input)/i;
/** The statuses under which a server sends such words. */
const CONTEXT_STATUSES = new Set([400, 413, 422, 500]);
/** In any other words: what is too long, that it is about length, and that there is a bound. */
const OF_INPUT =
  /\b(?:inputs?|prompts?|context|conversation|messages?|sequence|history|num_ctx|n_ctx)\b|上下文|输入|提示|对话/i;
const OF_LENGTH =
  /\btokens?\b|\blength\b|\blong(?:er)?\b|\blarger?\b|\bsize\b|\bwindow\b|\bbig\b|\bcharacters\b|长/i;
const OF_BOUND =
  /max|limit|exceed|\btoo\b|\bover|long(?:er)?\b|larger|greater|more than|less than|at most|up to|reduce|shorten|truncat|\bfit|beyond|range|between|within|must be|should be|not enough|insufficient|\bonly\b|[<>≤]|超|限/i;
/** What a bound may be about instead. */
const OF_OTHERS =
  /max_(?:completion_|output_|new_)?tokens|(?:completion|output) tokens|\btools?\b|function|schema|image|picture|\bname\b|\bid\b|\brole/i;
/** A limit of tokens a minute that no wait makes room for. */
const NEVER_FITS =
  /request (?:is )?too large|reduce(?:d)? (?:your|the) (?:message|prompt|input|request)|must be reduced/i;
const UNKNOWN_MODEL_CODES = new Set(["model_not_found", "invalid_model", "unknown_model"]);
/** How servers say with 400 that they have no such model. */
const UNKNOWN_MODEL_WORDS =
  /not a valid model|(?:invalid|unknown|no such) model\b|\bmodel\b[^.]{0,80}(?:not exist|not found|not available)/i;
/** Waiting does not help against such a 429. */
const SPENT_CODES = new Set(["insufficient_quota", "billing_hard_limit_reached", "quota_exceeded"]);
/** Characters that stand in a web page under a name. */
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
/** Refusals that may pass. */
const PASSING_STATUSES = new Set([408, 409, 425]);

/**
 * Makes the error of an answer whose status is not success.
 *
 * @param asked.hint What else to say
 * @param asked.limit The longest reply that was asked for, in tokens, if the server refused a longer one before
 */
export function modelRefusal(
  { status, headers, body }: FetchRefusal,
  settings: ModelSettings,
  { limit = null, hint = "" }: { limit?: number | null; hint?: string } = {},
): ToolError {
  const { message, code } = readBody(body);
  const retry_after_ms = retryAfterMs(headers, Date.now());
  return failure(settings, {
    status,
    code,
    message: redirectOf(status, headers) || message || "it gave no reason",
    details: {
      status,
      ...(code !== "" && { provider_code: code }),
      ...(retry_after_ms !== null && { retry_after_ms }),
    },
    hint: limit === null
      ? hint
      : `; it was asked for at most ${limit} tokens: set models."${settings.name}".output_tokens to what it takes`,
  });
}

/** Makes the error for a failure that a server reports in the middle of a reply. */
export function streamError(error: unknown, settings: ModelSettings): ToolError {
  const { message, code } = readError(error);
  const said = isObject(error) ? Number(error.status ?? error.code) : NaN;
  // The reply began well, so a new try may work.
  const status = said >= 400 && said < 600 ? said : code.includes("rate_limit") ? 429 : 500;
  const details = { status, ...(code !== "" && { provider_code: code }) };
  return failure(settings, { status, code, message: message || "it gave no reason", details });
}

/**
 * Makes the error for a reply that its server gives up. It broke off, whatever its code says; but a conversation that is
 * too long, and money or requests that are used up, stay what they are.
 */
export function givenUpReply(error: unknown, settings: ModelSettings): ToolError {
  const failed = streamError(error, settings);
  const { code, retryable, details: { status } } = failed;
  if (retryable || code === "limit_exceeded" || code === "rate_limited" || status === 402) return failed;
  const reason = clean(readError(error).message || "it gave no reason", settings);
  return brokenReply(`${reason} (${status})`, settings);
}

/**
 * Makes the error of a connection that could not be made or broke. A server of this machine that is not there is not
 * waited for: nobody starts it meanwhile.
 */
export async function connectionError(
  cause: unknown,
  settings: ModelSettings,
  { begun }: { begun: boolean },
): Promise<ToolError> {
  const reason = clean(causeOf(cause), settings);
  if (begun) return brokenReply(reason, settings, { cause });
  const text = `Cannot reach the model at ${hostOf(settings)}: ${reason}`;
  const isAbsent = await refusesLocally(settings);
  const hint = isAbsent ? "; start its server, or set another base URL" : "";
  return new ToolError("external_failure", `${text}${hint}`, {
    cause,
    ...(isAbsent && { retryable: false }),
  });
}

/** Makes the error of a reply that broke off. */
export function brokenReply(
  reason: string,
  settings: ModelSettings,
  { cause }: { cause?: unknown } = {},
): ToolError {
  const text = `The reply of the model at ${hostOf(settings)} broke off: ${reason}`;
  return new ToolError("external_failure", text, { cause });
}

/** Whether nothing listens at an address of this machine. An error of `fetch` says so only in words. */
async function refusesLocally({ baseUrl }: ModelSettings): Promise<boolean> {
  const { hostname, port, protocol } = new URL(baseUrl);
  if (!isLoopback(hostname)) return false;
  try {
    const name = hostname.replace(/^\[|\]$/g, "");
    const connection = await Deno.connect({
      hostname: name,
      port: Number(port) || (protocol === "https:" ? 443 : 80),
    });
    connection.close();
    return false;
  } catch (error) {
    return error instanceof Deno.errors.ConnectionRefused;
  }
}

/** Makes the error of an answer that is not a reply. */
export function noReplyError(what: string, settings: ModelSettings): ToolError {
  return new ToolError(
    "external_failure",
    `The server at ${hostOf(settings)} answered with ${what}: check the model's base URL`,
    { retryable: false },
  );
}

interface Failure {
  status: number;
  code: string;
  message: string;
  details: Record<string, unknown>;
  /** What to do about it. @default nothing is known */
  hint?: string;
}

function failure(
  settings: ModelSettings,
  { status, code, message, details, hint = "" }: Failure,
): ToolError {
  const text = `${clean(message, settings)}${hint}`;
  const make = (kind: ErrorCode, lead: string, retryable: boolean, more: Record<string, unknown> = {}) =>
    new ToolError(kind, `${lead} (${status}): ${text}`, { retryable, details: { ...details, ...more } });
  const at = `the model at ${hostOf(settings)}`;
  if (isContext(status, code, message)) {
    return make("limit_exceeded", `The conversation is too long for ${at}`, false, { reason: "context" });
  }
  if (namesNoModel({ status, code, message }, settings)) {
    return make("configuration", `The model "${settings.name}" is not known at ${hostOf(settings)}`, false);
  }
  if (status === 402 || SPENT_CODES.has(code)) {
    return make(
      status === 429 ? "rate_limited" : "external_failure",
      `No money or quota is left for ${at}`,
      false,
    );
  }
  if (status === 401 || status === 403) return make("unauthenticated", `The key is refused by ${at}`, false);
  if (status === 429) {
    return make("rate_limited", `Too many requests for ${at}`, true);
  }
  const passes = PASSING_STATUSES.has(status);
  if (status >= 500) return make("external_failure", `The model at ${hostOf(settings)} failed`, true);
  return make("external_failure", `The request is refused by ${at}`, passes);
}

/** Says whether a server refused a request because it has no model of this name. */
export function isUnknownModel({ status, body }: FetchRefusal, settings: ModelSettings): boolean {
  return namesNoModel({ status, ...readBody(body) }, settings);
}

function namesNoModel(
  { status, code, message }: { status: number; code: string; message: string },
  { name }: ModelSettings,
): boolean {
  if (status < 400 || status >= 500) return false;
  if (UNKNOWN_MODEL_CODES.has(code)) return true;
  if (status === 404) return /\bmodels?\b/i.test(message) || (name.length > 3 && message.includes(name));
  return status === 400 && UNKNOWN_MODEL_WORDS.test(message);
}

function isContext(status: number, code: string, message: string): boolean {
  if (CONTEXT_CODES.has(code) || status === 413) return true;
  if (status === 429) return NEVER_FITS.test(message);
  if (!CONTEXT_STATUSES.has(status)) return false;
  if (CONTEXT_WORDS.test(message)) return true;
  const isBound = [OF_INPUT, OF_LENGTH, OF_BOUND].every((words) => words.test(message));
  return status !== 500 && isBound && !OF_OTHERS.test(message);
}

function redirectOf(status: number, headers: Headers): string {
  const location = headers.get("location");
  if (status >= 400 || location === null) return "";
  return `it redirects to ${location}, which is not followed: set the base URL to where it leads`;
}

function readBody(body: string): { message: string; code: string } {
  try {
    const value: unknown = JSON.parse(body);
    const document = Array.isArray(value) ? value[0] : value;
    return readError(isObject(document) ? document.error ?? document : body);
  } catch {
    return { message: body.trimStart().startsWith("<") ? titleOf(body) : body, code: "" };
  }
}

/** What a web page says of itself: its title, or its first heading. */
function titleOf(page: string): string {
  const [, title = ""] = /<title[^>]*>([^<]+)/i.exec(page) ?? /<h1[^>]*>([^<]+)/i.exec(page) ?? [];
  return title.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? "").trim();
}

function readError(error: unknown): { message: string; code: string } {
  if (!isObject(error)) return { message: String(error ?? ""), code: "" };
  const message = error.message ?? error.detail ?? error.error ?? error;
  const code = [error.code, error.type].find((name) => typeof name === "string" && name !== "");
  return { message: textOf(message), code: typeof code === "string" ? code : "" };
}

function textOf(message: unknown): string {
  if (typeof message === "string") return message;
  return isObject(message) && Object.keys(message).length === 0 ? "" : JSON.stringify(message);
}

function causeOf(error: unknown): string {
  let innermost = error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  const message = innermost instanceof Error ? innermost.message : String(innermost);
  // The message names the address already.
  return message.replace(/^error sending request .*?client error \(\w+\): /, "");
}

function clean(message: string, { apiKey, headers }: ModelSettings): string {
  const text = makeMasker([apiKey, ...headerSecrets(headers)])(stripControls(message)).replace(/\s+/g, " ")
    .trim();
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text;
}

/** Host and port, as they are reached. */
function hostOf({ baseUrl }: ModelSettings): string {
  const { hostname, port, protocol } = new URL(baseUrl);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}
