import { BUILT_FILES } from "../built/built_files.ts";

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
  jsonl: "application/jsonl; charset=utf-8",
};

interface PageBytes {
  bytes: Uint8Array<ArrayBuffer>;
  /** Media type. */
  type: string;
}

const read = new Map<string, Promise<PageBytes>>();

/**
 * Reads a file of the page.
 *
 * @param path As in the address: `/` is the page itself
 * @returns `null` if there is none
 */
export function readPageFile(path: string): Promise<PageBytes | null> {
  const name = path === "/" ? "index.html" : path.slice(1);
  const load = Object.hasOwn(BUILT_FILES, name) ? BUILT_FILES[name] : undefined;
  if (!load) return Promise.resolve(null);
  const known = read.get(name) ?? load().then(({ default: text }) => ({
    bytes: new TextEncoder().encode(text),
    type: TYPES[name.split(".").at(-1)!] ?? "application/octet-stream",
  }));
  read.set(name, known);
  return known;
}
