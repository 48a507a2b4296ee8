import { extname, join } from "@std/path";

import { openPlain, piecesOfFile } from "../../walls/files/open_plain.ts";

/** What is served, and to whom. */
export interface PageSite {
  /** Absolute, real path. Nothing else of the disk is served, whatever links lead to. */
  folder: string;
  /** First part of each path: who does not know it gets nothing. */
  token: string;
  port: number;
  /** Pages may load from other hosts, and send there. */
  isOpen: boolean;
}

/** A browser takes nothing from other hosts and sends nothing there, so that a page is no way around the gate. */
const CLOSED = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; form-action 'self'; " +
  "base-uri 'self'; frame-ancestors 'none'";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".htm": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8",
  ".md": "text/plain; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".xml": "application/xml",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".pdf": "application/pdf",
  ".wasm": "application/wasm",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".mp3": "audio/mpeg",
  ".mp4": "video/mp4",
  ".webm": "video/webm",
};

/**
 * Answers a request for a file: a regular one of the folder that is not hidden, for who names the token, and calls the server
 * by its own address: a name of somebody else's that leads here gets nothing. A folder gives its `index.html` and is never
 * listed. Needs `read`.
 */
export async function answerPage(request: Request, site: PageSite): Promise<Response> {
  const url = new URL(request.url);
  const host = request.headers.get("host") ?? "";
  if (![`127.0.0.1:${site.port}`, `localhost:${site.port}`].includes(host)) return refusal(403, site);
  const [, token, ...parts] = url.pathname.split("/");
  if (token !== site.token) return refusal(404, site);
  if (!["GET", "HEAD"].includes(request.method)) return refusal(405, site);
  const names = parts.map(decoded);
  const path = names.every((name) => name !== null) ? join(site.folder, ...names) : null;
  const found = path && await find(path, site);
  if (!found) return refusal(404, site);
  const isFolder = url.pathname.endsWith("/");
  if (found.info.isDirectory && !isFolder) {
    return answer(308, null, { location: `${url.pathname}/` }, site);
  }
  const real = found.info.isDirectory
    ? await find(join(found.real, "index.html"), site)
    : isFolder
    ? null
    : found;
  // What is opened must be what was found, and still lie there.
  const file = real && openPlain(real.real, { mayHaveNames: true, expected: real.info });
  if (!file) return refusal(404, site);
  const type = TYPES[extname(real.real).toLowerCase()] ?? "application/octet-stream";
  if (request.method === "GET") {
    return answer(200, ReadableStream.from(piecesOfFile(file)), { "content-type": type }, site);
  }
  file[Symbol.dispose]();
  return answer(200, null, { "content-type": type }, site);
}

interface Found {
  real: string;
  info: Deno.FileInfo;
}

/** One name of a path; `null` for what is none, or is hidden. The last one is empty for a folder. */
function decoded(part: string): string | null {
  try {
    const name = decodeURIComponent(part);
    return /[/\\\0]/.test(name) || name.startsWith(".") ? null : name;
  } catch {
    return null;
  }
}

/** A link may have another name than what it leads to, which must not be hidden either. */
async function find(path: string, { folder }: PageSite): Promise<Found | null> {
  try {
    const real = await Deno.realPath(path);
    const isHidden = real.slice(folder.length).split("/").some((name) => name.startsWith("."));
    if (isHidden || (real !== folder && !real.startsWith(`${folder}/`))) return null;
    return { real, info: await Deno.lstat(real) };
  } catch {
    return null;
  }
}

function refusal(status: number, site: PageSite): Response {
  return answer(status, `${status}\n`, { "content-type": "text/plain" }, site);
}

function answer(
  status: number,
  body: string | ReadableStream<Uint8Array> | null,
  headers: Record<string, string>,
  { isOpen }: PageSite,
): Response {
  return new Response(body as BodyInit | null, {
    status,
    headers: {
      ...headers,
      "cache-control": "no-store",
      // The path has the token in it.
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      ...(isOpen ? {} : { "content-security-policy": CLOSED }),
    },
  });
}
