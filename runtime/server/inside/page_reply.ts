import { PAGE_HEADERS } from "./safe_headers.ts";
import type { Incoming } from "./wire/read_request.ts";
import type { Reply } from "./wire/reply.ts";

/** A file of the server's page; it never changes. */
export interface PageFile {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
}

/** What is made of a file once. */
interface Packed {
  /** Names what the file holds, so that it is sent once. */
  tag: string;
  gzip: Uint8Array<ArrayBuffer>;
}

/** A shorter file gains nothing, in bytes. */
const WORTH_PACKING = 1024;
const packed = new WeakMap<PageFile, Promise<Packed>>();

/** Answers a request for a file of the page: packed if the client takes that, and not at all if it has the same file. */
export async function pageReply({ headers }: Pick<Incoming, "headers">, file: PageFile): Promise<Reply> {
  const known = packed.get(file) ?? pack(file);
  packed.set(file, known);
  const { tag, gzip } = await known;
  const told = { ...PAGE_HEADERS, "content-type": file.type, vary: "accept-encoding", etag: tag };
  const has = (headers.get("if-none-match") ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
  if (has.includes(tag)) return { status: 304, headers: told, body: new Uint8Array() };
  const takes = /(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?(?:[,\s]|$))/.test(
    headers.get("accept-encoding") ?? "",
  );
  if (!takes || file.bytes.length < WORTH_PACKING) return { status: 200, headers: told, body: file.bytes };
  return { status: 200, headers: { ...told, "content-encoding": "gzip" }, body: gzip };
}

async function pack({ bytes }: PageFile): Promise<Packed> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const tag = `"${
    Array.from(digest.subarray(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("")
  }"`;
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return { tag, gzip: new Uint8Array(await new Response(stream).arrayBuffer()) };
}
