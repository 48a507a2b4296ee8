const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  middot: "·",
  laquo: "«",
  raquo: "»",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
};

/** Returns a short text of a service on one line, without the tags and entities that some put into their JSON. */
export function plainText(value: unknown): string {
  if (typeof value !== "string") return typeof value === "number" ? String(value) : "";
  return value
    .replace(/<\/?(?:strong|b|em|i|mark|span|br|p)(?:\s[^<>]{0,200})?\/?>/gi, "")
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000)
        ? String.fromCodePoint(code)
        : "";
    })
    .replace(/\s+/g, " ")
    .trim();
}

/** Returns the address that a result leads to, `null` if it is not one of the web. */
export function webAddress(value: unknown, base?: string): string | null {
  // An empty one would lead back to where it stands.
  if (typeof value !== "string" || value.trim() === "") return null;
  const url = URL.parse(value.trim(), base);
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : null;
}
