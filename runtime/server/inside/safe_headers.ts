/** Of all answers: nobody keeps them, guesses what they are, or takes them into another page. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

/** What the server's own page may do. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...SAFE_HEADERS,
  // Asked for each time, but sent again only if it has changed.
  "cache-control": "no-cache",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
};

/**
 * Of a file that a run made: it may run its own scripts, such as those of a chart, but as a page of nobody, and reaches no
 * network.
 */
export const FOREIGN_HEADERS: Readonly<Record<string, string>> = {
  ...SAFE_HEADERS,
  "content-security-policy": [
    "sandbox allow-scripts",
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "font-src data:",
    "media-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; "),
};

/** Types that a browser shows; all others it saves. */
const SHOWN =
  /^(?:image\/(?:png|jpeg|gif|webp|svg\+xml)|text\/(?:plain|html|markdown|x-diff)|application\/(?:json|pdf))\b/;

/** The headers of bytes of a type. */
export function headersOfBytes(type: string): Record<string, string> {
  return {
    ...FOREIGN_HEADERS,
    "content-type": /^text\/[\w.+-]+$/.test(type) ? `${type}; charset=utf-8` : type,
    ...(!SHOWN.test(type) && { "content-disposition": "attachment" }),
  };
}
