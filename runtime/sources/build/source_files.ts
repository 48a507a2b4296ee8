import { join } from "@std/path";

import type { Files } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { isInside } from "../../walls/grants/inside.ts";

/** Most bytes of one file, and of all files together. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_BYTES = 48 * 1024 * 1024;
const MAX_FILES = 5_000;

/** The files of a package, in bounds: what is read is noted. */
export class SourceFiles {
  readonly root: string;
  readonly cache: string | null;
  readonly read = new Set<string>();
  /** Paths at which nothing is. */
  readonly missing = new Set<string>();
  readonly #files: Files;
  readonly #json = new Map<string, Promise<Record<string, unknown> | null>>();
  #bytes = 0;

  /** @param cache Folder of packages in Deno's cache, `null` without one */
  constructor(files: Files, { root, cache }: { root: string; cache: string | null }) {
    this.#files = files;
    this.root = root;
    this.cache = cache;
  }

  /** Says whether a path lies where files may be imported from. */
  mayHold(path: string): boolean {
    return isInside(this.root, path) || (this.cache !== null && isInside(this.cache, path));
  }

  /**
   * Returns the real path of a regular file, `null` if there is none.
   *
   * @throws {ToolError} `permission_denied` if it leads out of the package
   */
  async find(path: string): Promise<string | null> {
    try {
      const { real, info } = await this.#files.locate(path, "read");
      if (info?.isFile) return real;
      if (info === null) this.missing.add(path);
      return null;
    } catch (error) {
      const isOutside = error instanceof ToolError && error.details.reason === "outside";
      throw isOutside ? outsidePackage(path, this.root) : error;
    }
  }

  /** Returns the text of a file. */
  async text(path: string): Promise<string> {
    using opened = await this.#files.open(path);
    const { size } = opened.info;
    this.#bytes += size;
    if (size > MAX_FILE_BYTES || this.#bytes > MAX_BYTES || this.read.size >= MAX_FILES) {
      throw new ToolError(
        "limit_exceeded",
        `Cannot import "${path}": there are too many files, or they are too large`,
      );
    }
    this.read.add(opened.real);
    const bytes = new Uint8Array(size);
    let filled = 0;
    for (let got: number | null = 0; got !== null && filled < size; filled += got ?? 0) {
      got = await opened.file.read(bytes.subarray(filled));
    }
    return new TextDecoder().decode(bytes.subarray(0, filled));
  }

  /** Returns the object of a JSON file, `null` if there is none. */
  json(path: string): Promise<Record<string, unknown> | null> {
    const known = this.#json.get(path) ?? this.#readJson(path);
    this.#json.set(path, known);
    return known;
  }

  async #readJson(path: string): Promise<Record<string, unknown> | null> {
    const found = await this.find(path);
    if (found === null) return null;
    const { parseJsonc } = await import("../../../schemas/json/jsonc.ts");
    return parseJsonc(await this.text(found), `"${path}"`) as Record<string, unknown>;
  }

  /** Returns the first file of a folder by names, `null` if there is none. */
  async first(folder: string, names: readonly string[]): Promise<string | null> {
    for (const name of names) {
      const found = await this.find(join(folder, name));
      if (found !== null) return found;
    }
    return null;
  }
}

/** Returns the refusal of a file that does not belong to the tool's package. */
export function outsidePackage(path: string, root: string): ToolError {
  return new ToolError(
    "permission_denied",
    `Cannot import "${path}": it lies outside of "${root}", the folder of the tool's package; put a package.json or ` +
      "deno.json into a folder that holds both",
    { details: { path, root } },
  );
}
