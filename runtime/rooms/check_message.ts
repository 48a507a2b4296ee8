import { ACCESS_KINDS, type Target } from "../../schemas/access.ts";
import type { FileChange, Progress } from "../../schemas/context.ts";
import { type ErrorInfo, EXIT_CODES } from "../../schemas/error.ts";
import type { ResultImage } from "../../schemas/result.ts";
import { isObject } from "../../schemas/json/shape.ts";
import { isAsk } from "./asks/check_ask.ts";
import type { FromRoom, Outcome } from "./protocol.ts";
import { boundWarnings } from "../text/bound_warnings.ts";
import { onOneLine, stripControls } from "../text/strip_controls.ts";

/** Longest line for a person, in characters. */
const MAX_SUMMARY = 500;
/** Longest message of progress, in characters. */
const MAX_PROGRESS = 2_000;
/** Longest message of an error, in characters. */
const MAX_MESSAGE = 100_000;
/** Longest reason of a room's end, in characters. */
const MAX_WHAT = 2_000;

/**
 * Reads a message of a room. A tool may have taken the room over, so it can hold anything.
 *
 * @returns `null` for a message that is not of the protocol
 */
export function readMessage(message: unknown): FromRoom | null {
  if (!isObject(message)) return null;
  const { t, id, n, ask, what } = message;
  if (t === "ready") return { t };
  if (t === "breach" || t === "died") {
    return typeof what === "string" ? { t, what: stripControls(what).slice(0, MAX_WHAT) } : null;
  }
  if (t === "ask") return isWhole(n) && isAsk(ask) ? { t, n, ask } : null;
  if (!isWhole(id)) return null;
  if (t === "progress") return { t, id, progress: readProgress(message.progress) };
  if (t === "change") {
    const change = readChange(message.change);
    return change && { t, id, change };
  }
  const outcome = t === "done" ? readOutcome(message.outcome) : null;
  return outcome && { t: "done", id, outcome };
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function readChange(value: unknown): FileChange | null {
  const { path, before } = isObject(value) ? value : {};
  const isKnown = before === null || before === false || isText(before);
  return isText(path) && isKnown ? { path, before } : null;
}

/** Keeps the valid fields of a progress report. */
function readProgress(value: unknown): Progress {
  const { done, total, message } = isObject(value) ? value : {};
  return {
    ...(typeof done === "number" && { done }),
    ...(typeof total === "number" && { total }),
    ...(typeof message === "string" && { message: stripControls(message.slice(0, MAX_PROGRESS)) }),
  };
}

function readOutcome(value: unknown): Outcome | null {
  if (!isObject(value)) return null;
  const { ok, result = null, text, images, warnings, error, targets, summary, preview } = value;
  const isKnown = typeof text === "string" && isListOf(images, isImage) && isListOf(warnings, isText) &&
    isListOf(targets, isTarget);
  if (!isKnown) return null;
  const shown = {
    result,
    text: stripControls(text),
    images,
    warnings: boundWarnings(warnings).map(stripControls),
    ...(typeof preview === "string" && { preview: stripControls(preview) }),
    ...(typeof summary === "string" && { summary: onOneLine(summary.slice(0, MAX_SUMMARY)) }),
  };
  if (ok === true && error === null) return { ok, error, ...shown, targets };
  if (ok !== false || !isError(error)) return null;
  const message = stripControls(error.message.slice(0, MAX_MESSAGE));
  return { ok, error: { ...error, message }, ...shown, targets };
}

function isListOf<T>(value: unknown, check: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(check);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isImage(value: unknown): value is ResultImage {
  return isObject(value) && isText(value.mime_type) && isText(value.data);
}

function isTarget(value: unknown): value is Target {
  return isObject(value) && isText(value.value) && ACCESS_KINDS.some((kind) => kind === value.kind) &&
    (value.ifNeeded === undefined || typeof value.ifNeeded === "boolean");
}

function isError(value: unknown): value is ErrorInfo {
  return isObject(value) && isText(value.code) && Object.hasOwn(EXIT_CODES, value.code) &&
    isText(value.message) &&
    typeof value.retryable === "boolean" && isObject(value.details);
}
