import { LIMIT_FIELDS, limitOf, type Quirks, sizeOf } from "./learn.ts";

/** The limit for a server that takes no request without one, in tokens. */
const NEEDED = 8_192;
/** Shortest reply that is asked for when little of the window is left, in tokens. */
const LEAST = 256;

/**
 * Adds the longest reply to a request: what the user wants, at most what the server takes. None is sent for a user who
 * wants none: servers then give what fits.
 *
 * @param wanted In tokens. A field of the body wins
 */
export function withTokenLimit<Body extends { messages: unknown; tools?: unknown }>(
  body: Body,
  wanted: number | null,
  quirks: Quirks,
): Body {
  const { max_tokens: _old, max_completion_tokens: _new, ...rest } = body as Body & Record<string, unknown>;
  const limit = replyLimit(limitOf(body as Record<string, unknown>) ?? wanted, body, quirks);
  if (limit === null) return rest as unknown as Body;
  const usual = LIMIT_FIELDS.find((field) => field in body) ?? "max_tokens";
  return { ...rest, [quirks.newTokenLimit ? "max_completion_tokens" : usual]: limit } as unknown as Body;
}

function replyLimit(
  wanted: number | null,
  body: { messages: unknown; tools?: unknown },
  { tokenLimit, mostTokens = Infinity, window }: Quirks,
): number | null {
  const limit = wanted ?? (tokenLimit === "needed" ? NEEDED : null);
  if (limit === null || tokenLimit === "refused") return null;
  if (!window) return Math.min(limit, mostTokens);
  const left = window.tokens - Math.ceil(sizeOf(body) * window.perCharacter);
  return Math.min(limit, mostTokens, Math.max(LEAST, left));
}
