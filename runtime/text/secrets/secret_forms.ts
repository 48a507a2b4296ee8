/** Shortest text of an encoded secret that is looked for, in characters: shorter ones are part of other words. */
const MIN_FORM = 6;

/**
 * Returns a secret as it is and as programs often write it: in a URL, in JSON, in base64 and hexadecimal digits, backwards.
 */
export function formsOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0"));
  const url = encodeURIComponent(secret);
  const forms = [
    ...[secret, url, url.replaceAll("%20", "+"), hex.map((digits) => `%${digits}`).join("")],
    ...[JSON.stringify(secret).slice(1, -1), [...secret].reverse().join("")],
    ...[hex.join(""), hex.join("").toUpperCase(), hex.join(" "), hex.join(":")],
    ...[0, 1, 2].map((before) => inBase64(bytes, before)),
  ];
  const plainUrl = forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  return [...new Set([...forms, ...plainUrl.slice(-3)])].filter((form) => form.length >= MIN_FORM);
}

/** The digits that do not depend on what stands around it, if so many bytes stand before it in its group of three. */
function inBase64(bytes: Uint8Array, before: number): string {
  const text = String.fromCharCode(...new Uint8Array(before), ...bytes);
  const first = Math.ceil(8 * before / 6);
  const end = Math.floor(8 * text.length / 6);
  return btoa(text).slice(first, end);
}
