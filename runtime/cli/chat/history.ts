import { dirname } from "@std/path";

import { jsonLine } from "../../text/json_line.ts";
import { readNamedText } from "../../walls/files/open_plain.ts";

/** How many entries are kept, and how many lines a file may have until it is made shorter. */
const MAX_ENTRIES = 1_000;
const MAX_LINES = 1_500;
/** Longest entry that is kept, in characters, and longest file that is read, in bytes. */
const MAX_CHARS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;
const PRIVATE = 0o600;

/** What was written at a prompt, the oldest first. */
export interface History {
  readonly entries: readonly string[];
  /** Adds an entry, unless it is the last one already or begins with a blank. */
  add(entry: string): void;
}

/**
 * Returns how far back the newest entry stands that holds a text, from the newest one, which is 1; `null` if none does.
 *
 * @param from Where the search begins
 */
export function searchBack({ entries }: History, text: string, from: number): number | null {
  for (let back = Math.max(1, from); back <= entries.length; back++) {
    if (entries.at(-back)!.toLowerCase().includes(text.toLowerCase())) return back;
  }
  return null;
}

/** Returns a history that ends with the program. */
export function makeHistory(
  known: readonly string[] = [],
  keep: (entry: string) => void = () => {},
): History {
  const entries = [...known];
  return {
    entries,
    add(entry) {
      if (/^\s|^$/.test(entry) || entry === entries.at(-1)) return;
      entries.push(entry);
      keep(entry);
    },
  };
}

/**
 * Opens a history that is kept in a private file, a line of JSON for each entry. What cannot be kept is only remembered. Needs
 * `read`, `write` and `sys`.
 *
 * @param mask Hides secrets in what is kept
 * @returns `problem` says why nothing is kept
 */
export function openHistory(
  path: string,
  mask: (text: string) => string,
): { history: History; problem: string | null } {
  try {
    const lines = readLines(path);
    const entries = lines.flatMap(decode).slice(-MAX_ENTRIES);
    if (lines.length > MAX_LINES) replace(path, entries);
    const keep = (entry: string) => {
      if (entry.length <= MAX_CHARS) append(path, mask(entry));
    };
    return { history: makeHistory(entries, keep), problem: null };
  } catch (error) {
    return { history: makeHistory(), problem: error instanceof Error ? error.message : String(error) };
  }
}

/** What others could have written, or made a link of, is not used. */
function readLines(path: string): string[] {
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
  const isOwn = info.isFile && (info.nlink ?? 1) === 1 && (Deno.uid() === null || info.uid === Deno.uid());
  if (!isOwn) throw new Error(`"${path}" is no file of yours alone`);
  if ((info.mode ?? PRIVATE) & 0o077) Deno.chmodSync(path, PRIVATE);
  if (info.size > MAX_BYTES) throw new Error(`"${path}" is too large`);
  return readNamedText(path).split("\n").filter((line) => line !== "");
}

/** A line may be torn. */
function decode(line: string): string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "string" ? [entry] : [];
  } catch {
    return [];
  }
}

/** The next chat remembers less if this fails. */
function append(path: string, entry: string): void {
  try {
    Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    Deno.writeTextFileSync(path, jsonLine(entry), { append: true, mode: PRIVATE });
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
  }
}

function replace(path: string, entries: readonly string[]): void {
  const temporary = `${path}.${crypto.randomUUID()}`;
  try {
    Deno.writeTextFileSync(temporary, entries.map(jsonLine).join(""), { createNew: true, mode: PRIVATE });
    Deno.renameSync(temporary, path);
  } catch {
    try {
      Deno.removeSync(temporary);
    } catch { /* It was not made. */ }
  }
}
