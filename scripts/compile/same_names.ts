import { createHash } from "node:crypto";
import { join } from "@std/path";

import { filesBelow } from "./files_below.ts";

/** Where Deno's cache keeps a file of a package, as the bundler names it: seen from the folder of the sources. */
const CACHED = /"(?:\.\.?\/)[^"\s]*\/npm\/[^"\s/]+\/((?:@[^"\s/]+\/)?[^"\s/]+\/\d[^"\s/]*\/[^"\s]*")/g;
/** The end of the name of a chunk: a hash of what is in it, and of where it was built. */
const CHUNK = /-[A-Z0-9]{8}\.js\b/g;
/** How far away from two chunks a difference tells them apart: in what they import, and in what imports them. */
const ROUNDS = 4;
const HASH_LENGTH = 8;
/** No program looks at it, and archives of every kind can hold it. */
export const BUILT_AT = new Date("1980-01-01T00:00:00Z");

/**
 * Makes a bundle the same wherever it is built: takes out where the sources and Deno's cache lie, names each chunk by what
 * is in it alone, and gives all files one time. Needs `read` and `write` of the folder.
 *
 * @throws {Error} If two chunks cannot be told apart
 */
export async function giveSameNames(folder: string): Promise<void> {
  const paths = filesBelow(folder);
  const texts = new Map(
    paths.map((path) => [path, withoutPlaces(Deno.readTextFileSync(join(folder, path)))]),
  );
  const names = chunkNames(texts);
  for (const [path, text] of texts) {
    const to = names.get(path) ?? path;
    if (to !== path) await Deno.remove(join(folder, path));
    await Deno.writeTextFile(join(folder, to), renamed(text, names));
    await Deno.utime(join(folder, to), BUILT_AT, BUILT_AT);
  }
}

/** Names packages by themselves: `"robots-parser/3.0.1/index.js"`. */
export function withoutPlaces(code: string): string {
  return code.replace(CACHED, '"$1');
}

/**
 * Returns the new names of chunks by their old ones.
 *
 * @param texts Code by its path; a path with a folder is no chunk
 * @throws {Error} If two chunks cannot be told apart
 */
export function chunkNames(texts: ReadonlyMap<string, string>): Map<string, string> {
  const plain = new Map([...texts].map(([path, text]) => [path, hashOf(text.replace(CHUNK, ".js"))]));
  const imports = [...texts].flatMap(([path, text]) =>
    chunksIn(text).map((name, at) => ({ path, name, at }))
  );
  let hashes = plain;
  for (let round = 0; round < ROUNDS; round++) {
    const seen = new Map([...plain].map(([path, hash]) => [path, [hash]]));
    for (const { path, name, at } of imports) {
      seen.get(path)?.push(`${at} ${hashes.get(name)}`);
      seen.get(name)?.push(`${hashes.get(path)} ${at}`);
    }
    hashes = new Map([...seen].map(([path, parts]) => [path, hashOf(parts.sort().join())]));
  }
  const names = new Map<string, string>();
  for (const path of texts.keys()) {
    if (path.search(CHUNK) < 0) continue;
    names.set(path, path.replace(CHUNK, `-${hashes.get(path)!.slice(0, HASH_LENGTH).toUpperCase()}.js`));
  }
  if (new Set(names.values()).size < names.size) throw new Error("Two chunks of the bundle are the same");
  return names;
}

function renamed(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(IMPORTED, (name) => names.get(name) ?? name);
}

/** A chunk's name stands behind a quote or a slash. */
const IMPORTED = /(?<=["'/])[\w.@+-]*-[A-Z0-9]{8}\.js\b/g;

function chunksIn(text: string): string[] {
  return text.match(IMPORTED) ?? [];
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
