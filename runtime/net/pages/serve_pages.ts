import { answerPage, type PageSite } from "./answer_page.ts";

/** The pipes of a server of pages. */
export interface PagesPipes {
  /** Fills the buffer; returns the number of bytes, `null` at the end. */
  read(buffer: Uint8Array): Promise<number | null>;
  write(text: string): void;
}

/** Before the port, on the line that says that it takes connections. */
export const PAGES_READY = "ready ";
/** What its first line of input holds beside the token, if pages may load from other hosts. */
export const OPEN_WORD = "open";

/** It listens and reads, nothing else. */
const GIVEN_UP = ["run", "write", "env", "sys", "ffi", "import"] as const;
const LINE_BYTES = 256;

/**
 * The life of a server of pages: it listens on a loopback address and serves a folder, until its input ends. The token
 * comes as the first line of its input, because others may see the words of a process.
 *
 * @param words The folder
 * @returns The exit code
 */
export async function runPages([folder = ""]: readonly string[], pipes: PagesPipes): Promise<number> {
  for (const name of GIVEN_UP) Deno.permissions.revokeSync({ name });
  const buffer = new Uint8Array(LINE_BYTES);
  const length = await pipes.read(buffer);
  if (length === null) return 0;
  const [token = "", word] = new TextDecoder().decode(buffer.subarray(0, length)).trimEnd().split(" ");
  const site: PageSite = { folder: await Deno.realPath(folder), token, port: 0, isOpen: word === OPEN_WORD };
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: () => {},
    onError: () => new Response("500\n", { status: 500 }),
  }, (request) => answerPage(request, site));
  site.port = server.addr.port;
  Deno.permissions.revokeSync({ name: "net" });
  pipes.write(`${PAGES_READY}${site.port}\n`);
  while (await pipes.read(buffer) !== null);
  return 0;
}
