import type { PlainFile } from "../../state/plain_file.ts";
import type { HandlerAnswer } from "../contract/answer.ts";

/** Pictures that cannot hold a program. */
const PICTURES: ReadonlySet<string> = new Set([
  ...["image/png", "image/jpeg", "image/webp", "image/gif", "image/avif", "image/bmp", "image/x-icon"],
]);

/** What a page of this server could be made to run, read as a style, or show as a page of its own. */
const ACTIVE: ReadonlySet<string> = new Set([
  ...["text/html", "application/xhtml+xml", "application/xml", "text/xml"],
  ...["text/javascript", "text/css", "application/wasm"],
]);

/** Whatever it is: it runs nothing, loads nothing, and belongs to no page, of this server or of others. */
export const SHUT_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

/**
 * Answers with a file that a run left or changed. What it holds was written by strangers: the browser shows pictures and
 * plain text in its place, and saves all else. No program in it runs as a page of this server, or in one of its pages. Pages
 * of HTML are not even shown in a sandboxed frame: one without any script can still tell names of hosts to the network.
 */
export function fileAnswer(name: string, { bytes, type }: PlainFile): HandlerAnswer {
  const told = ACTIVE.has(type) ? "application/octet-stream" : type;
  const isShown = PICTURES.has(type) || type === "text/plain";
  return {
    headers: {
      ...SHUT_HEADERS,
      "content-disposition": disposition(isShown ? "inline" : "attachment", name),
    },
    bytes: { bytes, type: told.startsWith("text/plain") ? `${told.split(";")[0]}; charset=utf-8` : told },
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
