import { ToolError } from "../../../schemas/error.ts";
import { onOneLine, stripControls } from "../../text/strip_controls.ts";
import { diffLines } from "../../text/unified_diff.ts";
import { stripLogins } from "../../walls/files/logins.ts";
import { readPlain } from "../../walls/files/open_plain.ts";
import type { EntryFacts } from "./entry_facts.ts";

/** One of two states of an entry. */
export interface EntrySide {
  /** Where its content is; absolute, real path. */
  at: string;
  /** `null` if nothing is there. */
  facts: EntryFacts | null;
}

/** Two states of an entry, compared. */
export interface ComparedEntry {
  /** Lines; `null` for what is no text. */
  added: number | null;
  removed: number | null;
  /** As `diff -u` writes it, or one line about what is no text. */
  diff: string;
}

/** Longest text that is compared, in bytes. */
const MAX_TEXT = 4 * 1024 * 1024;

/**
 * Compares what was at a path with what is there. Needs `read`.
 *
 * @param path As it is shown
 * @param options `maxText` is the longest text that is compared, in bytes; of what `isSecret` only the name is told
 */
export function compareEntries(
  path: string,
  { before, after }: { before: EntrySide; after: EntrySide },
  { maxText = MAX_TEXT, isSecret = false }: { maxText?: number; isSecret?: boolean } = {},
): ComparedEntry {
  const title = `--- ${nameOf("a", path, before)}\n+++ ${nameOf("b", path, after)}\n`;
  if (isSecret) return { added: null, removed: null, diff: `${title}secret by its name: not shown\n` };
  const old = textOf(before, maxText);
  const now = textOf(after, maxText);
  const modes = modesOf(before.facts, after.facts);
  if (old === null || now === null) {
    const what = [before, after].map(shownKind).filter((kind) => kind !== "").join(" to ");
    return { added: null, removed: null, diff: `${title}${modes}${what || "nothing"}: not shown\n` };
  }
  const { added, removed, hunks } = diffLines(old, now);
  return { added, removed, diff: `${title}${modes}${stripControls(hunks)}` };
}

/** `null` for what is no text, or too long. */
function textOf({ at, facts }: EntrySide, maxText: number): string | null {
  if (facts === null) return "";
  if (facts.kind === "link") return `${facts.target ?? ""}\n`;
  if (facts.kind !== "file" || facts.size > Math.min(maxText, MAX_TEXT)) return null;
  try {
    const bytes = readPlain(at, { maxBytes: MAX_TEXT, mayHaveNames: true });
    const text = bytes && new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text?.includes("\0") ? null : text && stripLogins(at, text);
  } catch (error) {
    // It is no text, or has grown meanwhile.
    if (error instanceof TypeError || isTooLarge(error)) return null;
    throw error;
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof ToolError && error.code === "limit_exceeded";
}

function modesOf(before: EntryFacts | null, after: EntryFacts | null): string {
  if (before?.kind !== "file" || after?.kind !== "file" || before.mode === after.mode) return "";
  return `old mode ${octal(before.mode)}\nnew mode ${octal(after.mode)}\n`;
}

function shownKind({ facts }: EntrySide): string {
  if (facts === null) return "";
  return facts.kind === "file" ? `${facts.size} bytes` : facts.kind;
}

function nameOf(side: string, path: string, { facts }: EntrySide): string {
  return facts === null ? "/dev/null" : onOneLine(`${side}/${path}`);
}

function octal(mode: number): string {
  return `100${mode.toString(8).padStart(3, "0")}`;
}
