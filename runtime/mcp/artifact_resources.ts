import { Buffer } from "node:buffer";

import { basename } from "@std/path";

import { ToolError } from "../../schemas/error.ts";
import type { Artifact } from "../../schemas/result.ts";
import { readPlainSlowly } from "../walls/files/open_plain.ts";
import type { ResourceContent, ServedResource } from "./protocol.ts";

/** Largest file that a client can read as one resource, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;
/** How many files a connection can list; of more, the oldest are forgotten. */
const MAX_LISTED = 1_000;

const TYPES: Readonly<Record<string, string>> = {
  csv: "text/csv",
  gif: "image/gif",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  log: "text/plain",
  md: "text/markdown",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain",
  webp: "image/webp",
};

/**
 * The files that the calls of one connection left, as resources. Their URIs are made here and only looked up: no part of
 * a client's URI ever becomes a path.
 */
export class ArtifactResources {
  readonly #byUri = new Map<string, { resource: ServedResource; path: string }>();

  /** Makes resources of the files of a call. */
  add(artifacts: readonly Artifact[]): ServedResource[] {
    return artifacts.map(({ path, bytes: size }) => {
      const known = [...this.#byUri.values()].find((other) => other.path === path);
      const name = basename(path);
      const uri = known?.resource.uri ??
        `bulkhead://artifact/${crypto.randomUUID()}/${encodeURIComponent(name)}`;
      const resource = { uri, name, mimeType: typeOf(name), size };
      this.#byUri.set(uri, { resource, path });
      const [oldest] = this.#byUri.keys();
      if (this.#byUri.size > MAX_LISTED) this.#byUri.delete(oldest!);
      return resource;
    });
  }

  list(): ServedResource[] {
    return [...this.#byUri.values()].map(({ resource }) => resource);
  }

  /** Reads the file of a URI; `null` if it is none of this connection, is gone, or is too long. Needs `read`. */
  async read(uri: string): Promise<ResourceContent | null> {
    const found = this.#byUri.get(uri);
    if (found === undefined) return null;
    const bytes = await readPlainSlowly(found.path, { maxBytes: MAX_BYTES }).catch(nullIfUnreadable);
    if (bytes === null) return null;
    const { mimeType } = found.resource;
    const text = textOf(bytes);
    return text === null
      ? { uri, mimeType, blob: Buffer.from(bytes).toString("base64") }
      : { uri, mimeType, text };
  }
}

function nullIfUnreadable(error: unknown): null {
  if (error instanceof ToolError) return null;
  throw error;
}

function typeOf(name: string): string {
  return TYPES[name.split(".").at(-1)!.toLowerCase()] ?? "application/octet-stream";
}

function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
