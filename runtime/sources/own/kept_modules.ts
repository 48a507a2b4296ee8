import { dirname, join } from "@std/path";

import { isObject } from "../../../schemas/json/shape.ts";
import { VERSION } from "../../self/version.ts";
import type { ToolFile } from "./find_tool_files.ts";
import { readNamedText, readPlainSlowly } from "../../walls/files/open_plain.ts";

/** Larger files are no modules, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** What was found out about a file of tools. */
export interface KeptModule {
  code: string;
  /** What its code said about its tools. */
  described: unknown;
  /** Hashes of all that went in, by real path. */
  files: Readonly<Record<string, string>>;
  /** Paths at which something was looked for, and nothing was there. */
  missing: readonly string[];
}

/** Modules that were made before, in a folder that no tool and no program of a run can reach. */
export interface KeptModules {
  /** Returns what is kept of a file, `null` if anything that went in is not what it was. */
  find(file: ToolFile): Promise<KeptModule | null>;
  /** Keeps a module. Where nothing can be written, nothing is kept. */
  keep(file: ToolFile, module: Omit<KeptModule, "files"> & { files: readonly string[] }): Promise<void>;
}

/**
 * Opens the folder. Needs `read` of it and of what went in, and `write` to keep something.
 *
 * @param state The folder of what outlives a run, `null` to keep nothing
 */
export function keptModules(state: string | null): KeptModules {
  if (state === null) return { find: () => Promise.resolve(null), keep: () => Promise.resolve() };
  const placeOf = async ({ path, root }: ToolFile) =>
    join(state, "tools", `${await hashOf(new TextEncoder().encode(`${VERSION}\0${root}\0${path}`))}.json`);
  return {
    async find(file) {
      const kept = readKept(await placeOf(file));
      return kept !== null && await isUnchanged(kept) ? kept : null;
    },
    async keep(file, { files, ...module }) {
      try {
        const hashes = await Promise.all(files.map(async (path) => [path, await hashOfFile(path)] as const));
        const path = await placeOf(file);
        await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
        const text = JSON.stringify({ ...module, files: Object.fromEntries(hashes) });
        const temporary = `${path}.${crypto.randomUUID()}`;
        await Deno.writeTextFile(temporary, text, { mode: 0o600 });
        await Deno.rename(temporary, path);
      } catch (error) {
        if (!isOfSystem(error)) throw error;
      }
    },
  };
}

/** Returns the SHA-256 of bytes, in hexadecimal digits. */
export async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function hashOfFile(path: string): Promise<string> {
  const bytes = await readPlainSlowly(path, { maxBytes: MAX_BYTES, follows: true });
  if (bytes === null) throw new Deno.errors.NotFound(path);
  return await hashOf(bytes);
}

function readKept(path: string): KeptModule | null {
  let kept: unknown;
  try {
    kept = JSON.parse(readNamedText(path));
  } catch (error) {
    if (error instanceof SyntaxError || isOfSystem(error)) return null;
    throw error;
  }
  const { code, files, missing } = isObject(kept) ? kept : {};
  return typeof code === "string" && isObject(files) && Array.isArray(missing) ? kept as KeptModule : null;
}

async function isUnchanged({ files, missing }: KeptModule): Promise<boolean> {
  try {
    for (const [path, hash] of Object.entries(files)) if (await hashOfFile(path) !== hash) return false;
  } catch (error) {
    if (isOfSystem(error)) return false;
    throw error;
  }
  return missing.every((path) => !isThere(path));
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (isOfSystem(error)) return false;
    throw error;
  }
}

/** A file that is gone, or a folder that cannot be written. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && Object.values(Deno.errors).some((known) => error instanceof known);
}
