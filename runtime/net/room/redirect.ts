import type { WebRequest } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { shownUrl } from "../../walls/net/check_url.ts";

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers about a body. */
const BODY_HEADERS: ReadonlySet<string> = new Set(["content-type", "content-length", "content-encoding"]);
/** All headers that another origin gets: any other may hold a key. */
const FOR_ANYBODY: ReadonlySet<string> = new Set([
  ...["accept", "accept-encoding", "accept-language", "range", "user-agent"],
  ...BODY_HEADERS,
]);

/**
 * Returns the request that an answer leads to, `null` if it leads to none. Another origin gets no keys.
 *
 * @throws {ToolError} `external_failure` for an address that cannot be asked
 */
export function nextUrl(
  asked: WebRequest,
  { status, headers }: Pick<Response, "status" | "headers">,
): WebRequest | null {
  const location = headers.get("location");
  if (!REDIRECTS.has(status) || location === null || asked.maxRedirects === 0) return null;
  const url = URL.parse(location, asked.url);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new ToolError(
      "external_failure",
      `${asked.url} redirects to an address that cannot be asked: ${JSON.stringify(shownUrl(location))}`,
      { retryable: false, details: { reason: "scheme" } },
    );
  }
  // A part after "#" is kept by browsers, and no server sees it.
  if (url.hash === "") url.hash = URL.parse(asked.url)?.hash ?? "";
  const { method = "GET", body, secret, headers: sent = {}, ...rest } = asked;
  const dropsBody = method !== "HEAD" && (status === 303 || (status < 303 && method === "POST"));
  const isSame = url.origin === new URL(asked.url).origin;
  const kept = Object.entries(sent).filter(([name]) => {
    const low = name.toLowerCase();
    return (isSame || FOR_ANYBODY.has(low)) && (!dropsBody || !BODY_HEADERS.has(low));
  });
  return {
    ...rest,
    url: url.href,
    method: dropsBody ? "GET" : method,
    headers: Object.fromEntries(kept),
    ...(!dropsBody && body !== undefined && { body }),
    ...(isSame && secret && { secret }),
  };
}
