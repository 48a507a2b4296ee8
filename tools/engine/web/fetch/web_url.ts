import type { Target } from "../../../../schemas/access.ts";

/** Returns an address as it is asked for: people leave out its scheme. */
export function webUrl(text: string): string {
  const given = text.trim();
  return /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]|$)/.test(given) ? `https://${given}` : given;
}

/** The hosts that a call will reach, for the check before it. */
export function netTargets(urls: readonly string[]): Target[] {
  return urls.map((url) => ({ kind: "net", value: webUrl(url) }));
}

/** The name of the page that an address leads to, without its part after `#`; `null` if it is no address. */
export function pageAddress(text: string): string | null {
  const url = URL.parse(webUrl(text));
  if (url === null) return null;
  url.hash = "";
  return url.href;
}
