import { isObject } from "../../../schemas/json/shape.ts";
import { type LeftOut, simplerSchemas, withoutField, withoutPictures, withoutTools } from "./leave_out.ts";
import { readTokenLimit, type SaidLimit } from "./token_limit.ts";

/** By which API a server is asked. */
export interface ApiQuirks {
  /** It takes no chat completions: it is asked by the Responses API. */
  responses?: boolean;
  /** It takes no encrypted reasoning there. */
  noReasoning?: boolean;
  /** It takes no tools: they are told in words, and calls and results are texts. */
  noTools?: boolean;
  /** It takes no demand to call a tool: it is told in words. */
  noChoice?: boolean;
  /** It takes no schema of the reply: it is told in words. */
  noForm?: boolean;
}

/** What a server does not take. A model learns it from refusals, for its whole life. */
export interface Quirks extends ApiQuirks, LeftOut {
  /** The option that asks for usage. */
  noUsage?: boolean;
  /** `max_tokens`: it has another name for it. */
  newTokenLimit?: boolean;
  /** Any limit of the reply (`refused`), or a request without one (`needed`). */
  tokenLimit?: "refused" | "needed";
  /** A longer reply than this, in tokens. */
  mostTokens?: number;
  /** More than `tokens` for conversation and reply; a character of a request takes about `perCharacter`. */
  window?: { tokens: number; perCharacter: number };
  /** Fields of earlier replies. */
  noExtra?: boolean;
  /** A streamed reply. */
  noStream?: boolean;
  /** Messages of the system. */
  noSystem?: boolean;
  /** A message of the user behind a result or behind another one. */
  strictOrder?: boolean;
  /** The mark before the thoughts of a reply: it sends only the one behind them. */
  noThoughtMark?: boolean;
}

/** What {@linkcode learn} must know of a refused request. */
export interface SentRequest {
  status: number;
  /** The server's words. */
  body: string;
  /** The request, as it was sent. */
  sent: Readonly<Record<string, unknown>>;
  /** What this request has taught so far: nothing is learned twice from it. */
  lessons: Set<Lesson>;
}

/** The fields that limit a reply. */
export const LIMIT_FIELDS = ["max_tokens", "max_completion_tokens"] as const;

/** Something that a refusal can teach. */
export type Lesson = keyof Quirks | "limit" | "refused" | "needed" | "tool" | "tools" | "field" | "fields";

/** A refusal as the lessons look at it. */
interface Refused {
  said: string;
  body: string;
  sent: Readonly<Record<string, unknown>>;
  messages: readonly Record<string, unknown>[];
  quirks: Quirks;
}

type Learned = Partial<Quirks> | null;

const REFUSED = new Set([400, 422]);
/** Servers that fill a template say with 500 that the template refuses a message. */
const REFUSED_BY_TEMPLATE = new Set([400, 422, 500]);
const NOT_POSSIBLE = new Set([400, 403, 404, 405, 422, 501]);
const NO_TOOLS = new Set([400, 404, 422, 500, 501]);
const NO_PICTURES = new Set([400, 404, 415, 422, 500, 501]);
const TOO_MUCH = new Set([400, 402, 413, 422]);

/** In the order in which they are tried: the first one that fits is learned. */
const LESSONS: readonly (readonly [Lesson, ReadonlySet<number>, (refused: Refused) => Learned])[] = [
  ["responses", NOT_POSSIBLE, byResponses],
  ["noReasoning", REFUSED, withoutReasoning],
  ["noImages", NO_PICTURES, withoutPictures],
  ["limit", TOO_MUCH, lowerLimit],
  ["newTokenLimit", REFUSED, otherLimit],
  ["refused", REFUSED, withoutLimit],
  ["needed", REFUSED, withLimit],
  ["noUsage", REFUSED, withoutUsage],
  ["noExtra", REFUSED, withoutExtra],
  ["noStream", NOT_POSSIBLE, asWhole],
  ["noSystem", REFUSED_BY_TEMPLATE, withoutSystem],
  ["strictOrder", REFUSED_BY_TEMPLATE, inOrder],
  ["noChoice", NO_TOOLS, withoutChoice],
  ["noForm", NO_TOOLS, withoutForm],
  ["field", REFUSED, unknownField],
  ["fields", REFUSED, unknownField],
  ["tool", REFUSED_BY_TEMPLATE, withoutTools],
  ["tools", REFUSED_BY_TEMPLATE, withMoreTools],
  ["noTools", NO_TOOLS, inWords],
  ["simpleSchemas", REFUSED_BY_TEMPLATE, simplerSchemas],
];
/** Lessons that take out of a request what was wanted: a refusal of all that is sent must end. */
const LEAVING: readonly Lesson[] = ["noImages", "field", "fields", "tool", "tools", "simpleSchemas"];
const MOST_LEAVING = 2;
/** Fields of a request that the other lessons are about, or that no request can be without. */
const USUAL = new Set([
  ...["model", "messages", "tools", "tool_choice", "response_format", "stream", "stream_options"],
  ...LIMIT_FIELDS,
]);

/**
 * Learns from a refusal how to ask otherwise.
 *
 * @returns What was learned, `null` if the next try would be the same
 */
export function learn(quirks: Quirks, { status, body, sent, lessons }: SentRequest): Partial<Quirks> | null {
  const messages = Array.isArray(sent.messages) ? sent.messages.filter(isObject) : [];
  const refused = { said: wordsOf(body), body, sent, messages, quirks };
  const isSpent = LEAVING.filter((lesson) => lessons.has(lesson)).length >= MOST_LEAVING;
  for (const [lesson, statuses, read] of LESSONS) {
    if (lessons.has(lesson) || !statuses.has(status) || (isSpent && LEAVING.includes(lesson))) continue;
    const learned = read(refused);
    if (learned === null) continue;
    lessons.add(lesson);
    Object.assign(quirks, learned);
    return learned;
  }
  return null;
}

function unknownField(refused: Refused): Learned {
  return withoutField(refused, USUAL);
}

/** Where one tool was refused before, the others are likely to have the same fault. */
function withMoreTools(refused: Refused): Learned {
  const learned = withoutTools(refused);
  return learned && { ...learned, simpleSchemas: true };
}

/** Size of a request as {@linkcode Quirks.window} counts it, in characters. */
export function sizeOf({ messages, tools }: { messages?: unknown; tools?: unknown }): number {
  return JSON.stringify([messages, tools]).length;
}

function byResponses({ said, quirks }: Refused): Learned {
  return !quirks.responses && /\bv1\/responses\b|\bresponses (?:api|endpoint)\b/i.test(said)
    ? { responses: true }
    : null;
}

function withoutReasoning({ said, quirks }: Refused): Learned {
  return quirks.responses &&
      /encrypted[ _]content|\breasoning\b[^.]{0,60}\bitem|\bitem\b[^.]{0,60}\breasoning|\binclude\b/i.test(
        said,
      )
    ? { noReasoning: true }
    : null;
}

function lowerLimit({ said, sent }: Refused): Learned {
  const asked = limitOf(sent);
  const limit = asked === null ? null : readTokenLimit(said, asked);
  return limit === null ? null : quirkOf(limit, sent);
}

function quirkOf(limit: SaidLimit, sent: Refused["sent"]): Partial<Quirks> {
  if ("most" in limit) return { mostTokens: limit.most };
  return { window: { tokens: limit.window, perCharacter: limit.input / sizeOf(sent) } };
}

function otherLimit({ said, sent }: Refused): Learned {
  return "max_tokens" in sent && said.includes("max_completion_tokens") ? { newTokenLimit: true } : null;
}

function withoutLimit({ said, sent }: Refused): Learned {
  const isNamed = LIMIT_FIELDS.some((field) => field in sent && said.includes(field));
  return isNamed &&
      /unknown|unsupported|unrecogni[sz]ed|unexpected|not (?:supported|permitted|allowed)|extra/i.test(said)
    ? { tokenLimit: "refused" }
    : null;
}

function withLimit({ said, sent }: Refused): Learned {
  if (limitOf(sent) !== null || !/max_(?:completion_)?tokens/.test(said)) return null;
  return /required|missing|must be (?:set|given|specified|provided)/i.test(said)
    ? { tokenLimit: "needed" }
    : null;
}

function withoutUsage({ said, sent }: Refused): Learned {
  return "stream_options" in sent && /stream_options|include_usage/.test(said) ? { noUsage: true } : null;
}

function withoutExtra({ said, messages }: Refused): Learned {
  const usual = ["role", "content", "tool_calls"];
  const extras = messages.flatMap((message) =>
    message.role === "assistant" ? Object.keys(message).filter((name) => !usual.includes(name)) : []
  );
  return extras.some((name) => said.includes(name)) ? { noExtra: true } : null;
}

function asWhole({ said, sent }: Refused): Learned {
  const isNamed = sent.stream === true && /\bstream(?:ing|ed)?\b/i.test(said);
  return isNamed &&
      /verified|not (?:be |yet )?(?:supported|allowed|available|permitted|enabled|possible)|unsupported|does(?:n't| not)|cannot|can't|must be (?:set to )?false|disabled|only/i
        .test(said)
    ? { noStream: true }
    : null;
}

function withoutSystem({ said, messages }: Refused): Learned {
  if (!messages.some(({ role }) => role === "system")) return null;
  const refuses =
    /(?:system|developer)\b[^.]{0,60}?(?:not (?:be )?(?:supported|enabled|allowed|permitted|accepted)|unsupported|disallowed)|(?:unsupported|not? (?:support|accept|allow)|unknown|unexpected|unrecogni[sz]ed|invalid)[^.]{0,60}?(?:\bsystem\b|\bdeveloper\b)|only user(?:,| and) (?:and )?(?:assistant|model)/i;
  return refuses.test(said) ? { noSystem: true } : null;
}

function inOrder({ said, messages }: Refused): Learned {
  const follows = (before: string) =>
    messages.some(({ role }, at) => role === "user" && messages[at - 1]?.role === before);
  const isOfOrder = /alternat|consecutive|roles? must|in a row/i.test(said);
  const isOfTool = /\buser\b/i.test(said) && /\btool\b/i.test(said) &&
    /role|order|after|follow|sequence|expected|between/i.test(said);
  return (follows("tool") && (isOfOrder || isOfTool)) || (follows("user") && isOfOrder)
    ? { strictOrder: true }
    : null;
}

function withoutChoice({ said, sent }: Refused): Learned {
  return "tool_choice" in sent && /tool[_ ]choice/i.test(said) ? { noChoice: true } : null;
}

function withoutForm({ said, sent }: Refused): Learned {
  const names =
    /response[_ ]format|json[_ ]schema|structured[_ ]outputs?|\btext\.format\b|\bgrammar\b|guided[_ ](?:json|decoding)/i;
  return "response_format" in sent && names.test(said) ? { noForm: true } : null;
}

function inWords({ said, sent }: Refused): Learned {
  const refuses =
    /(?:does(?:n't| not)|not) (?:support|allow|accept)[^.]{0,40}(?:\btools?\b|function.call)|(?:\btools?\b|\btool use\b|function.call(?:s|ing)?)[^.]{0,40}(?:not (?:be )?(?:supported|enabled|allowed|available)|unsupported)|no endpoints found that support tool use|enable-auto-tool-choice|tools param requires/i;
  return "tools" in sent && refuses.test(said) ? { noTools: true } : null;
}

/** What a request asked for, in tokens. */
export function limitOf(sent: Readonly<Record<string, unknown>>): number | null {
  for (const field of LIMIT_FIELDS) {
    const limit = sent[field];
    if (typeof limit === "number") return limit;
  }
  return null;
}

/** The texts of a refusal, without its numbers and the names of its fields. */
function wordsOf(body: string): string {
  try {
    return textsIn(JSON.parse(body)).join("\n");
  } catch {
    return body;
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
