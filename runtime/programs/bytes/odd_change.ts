import { basename, dirname } from "@std/path";

import { byteLength, bytesOfPath, isOdd } from "./odd_names.ts";
import { findProgram } from "../../walls/files/find_program.ts";
import CHANGE from "./odd_change.sh" with { type: "text" };

/** What is known of an entry. */
export interface KnownEntry {
  /** Absolute path, as `bytes/odd_names.ts` writes it. */
  path: string;
  /** Of the entry itself. */
  info: Deno.FileInfo;
}

/** Longest path that Deno can enter, in bytes. */
const MAX_NAMED = 3_900;

/** Says whether Deno cannot name a path: it is no UTF-8, or too long. */
export function isUnnamed(path: string): boolean {
  return isOdd(path) || path.length > MAX_NAMED || byteLength(path) > MAX_NAMED;
}

/**
 * Moves an entry that Deno cannot name. Needs `run`.
 *
 * @param places Where it may go, the best place first; places on another disk are skipped
 * @returns The place where it is now
 * @throws {Error} If it cannot be moved, with the reason
 */
export async function moveUnnamed(entry: KnownEntry, places: readonly string[]): Promise<string> {
  const output = await change("move", entry, places);
  return places[Number(output)]!;
}

/** Changes the mode of an entry that Deno cannot name. Needs `run`. Throws if it cannot be changed. */
export async function chmodUnnamed(
  entry: KnownEntry,
  { more = 0, less = 0 }: { more?: number; less?: number },
): Promise<void> {
  await change("chmod", entry, [more.toString(8), less.toString(8)]);
}

async function change(what: string, { path, info }: KnownEntry, words: readonly string[]): Promise<string> {
  const bash = findProgram("bash", "/usr/bin:/bin");
  if (bash === null) throw new Error("its name is not UTF-8, and there is no bash to move it");
  const child = new Deno.Command(bash, {
    args: ["-c", CHANGE, "bulkhead", what],
    cwd: "/",
    clearEnv: true,
    env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const told = [dirname(path), basename(path), `${info.dev}:${info.ino}`, ...words].map(bytesOfPath);
  const fed = writer.write(Uint8Array.from(told.flatMap((bytes) => [...bytes, 0]))).then(() => writer.close())
    .catch(() => undefined);
  const [{ success, stdout, stderr }] = await Promise.all([child.output(), fed]);
  const decoder = new TextDecoder();
  if (!success) throw new Error(decoder.decode(stderr).trim().split("\n").at(-1) || "it cannot be changed");
  return decoder.decode(stdout).trim();
}
