/** Parameters that only count visitors. */
const COUNTERS =
  /^(?:utm_\w+|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|igshid|mc_cid|mc_eid|_hsenc|_hsmi|ref_src|spm|srsltid)$/i;
/** A longer address is a name as it is. */
const MAX_CHARS = 8000;

/**
 * Returns the one name of a page, under which its source is known: two addresses with the same name lead to the same
 * page. It is not asked for.
 */
export function canonicalUrl(text: string): string {
  const said = text.trim();
  const url = said.length > MAX_CHARS ? null : URL.parse(said);
  if (url === null) return said;
  const host = url.host.replace(/\.(?=:|$)/, "").replace(/^www\./, "");
  const path = spellOut(url.pathname).replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
  const kept = [...url.searchParams].filter(([name]) => !COUNTERS.test(name));
  const search = kept.length === 0 ? "" : `?${new URLSearchParams(kept)}`;
  // Some sites have their pages after the "#".
  const hash = /^#!?\//.test(url.hash) ? url.hash : "";
  return `${host.replace(/:(?:80|443)$/, "")}${path === "/" ? "" : path}${search}${hash}`;
}

/** Signs that need no `%` are spelled without it, and the others in one way. */
function spellOut(path: string): string {
  return path.replace(/%([\da-f]{2})/gi, (code, hex: string) => {
    const sign = String.fromCharCode(parseInt(hex, 16));
    return /[\w.~-]/.test(sign) ? sign : code.toUpperCase();
  });
}
