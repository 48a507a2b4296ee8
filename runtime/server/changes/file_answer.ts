import type { Answer } from "../answer.ts";

/** Pictures that cannot hold a program. */
const PICTURES: ReadonlySet<string> = new Set([
  ...["image/png", "image/jpeg", "image/webp", "image/gif", "image/avif", "image/bmp", "image/x-icon"],
]);

/** Whatever it is: it runs nothing, loads nothing, and belongs to no page of this server. */
const SHUT = "sandbox; default-src 'none'";

/**
 * Answers with a file that a call left. What it holds was written by strangers: the browser shows pictures and plain text
 * in its place, and saves all else. A program in it never runs as a page of this server.
 */
export function fileAnswer(
  name: string,
  { bytes, type }: { bytes: Uint8Array<ArrayBuffer>; type: string },
): Answer {
  const told = type.startsWith("text/plain") ? `${type.split(";")[0]}; charset=utf-8` : type;
  const isShown = PICTURES.has(type) || type === "text/plain";
  return {
    headers: {
      "content-disposition": disposition(isShown ? "inline" : "attachment", name),
      "content-security-policy": `${SHUT}; img-src data:; style-src 'unsafe-inline'`,
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    },
    bytes: { bytes, type: told },
  };
}

/** Returns a header that names a file, also one with letters that headers cannot hold. */
export function disposition(kind: "inline" | "attachment", name: string): string {
  const plain = name.replace(/[^\w .()+-]/g, "_");
  const whole = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return plain === name
    ? `${kind}; filename="${plain}"`
    : `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`;
}
