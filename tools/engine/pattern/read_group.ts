import type { Cursor, Flags } from "./syntax.ts";

/** What the signs after `(` make of a group. */
export type GroupHead =
  | { type: "capture"; named: boolean }
  | { type: "plain"; flags: Flags | null }
  | { type: "look"; behind: boolean; negated: boolean }
  | { type: "atomic" }
  /** `(?P=`: the name and `)` follow. */
  | { type: "reference" }
  /** `(?#…)`, passed with its end. */
  | "comment";

const HEADS: readonly (readonly [string, GroupHead])[] = [
  ["?:", { type: "plain", flags: null }],
  ["?=", { type: "look", behind: false, negated: false }],
  ["?!", { type: "look", behind: false, negated: true }],
  ["?<=", { type: "look", behind: true, negated: false }],
  ["?<!", { type: "look", behind: true, negated: true }],
  ["?P<", { type: "capture", named: true }],
  ["?<", { type: "capture", named: true }],
  ["?P=", { type: "reference" }],
  ["?>", { type: "atomic" }],
];

const KEYS: Readonly<Record<string, keyof Flags>> = {
  i: "ignoreCase",
  m: "multiline",
  s: "dotAll",
  a: "ascii",
  x: "verbose",
};

/**
 * Reads what makes a group special; `(` has been passed.
 *
 * @throws {SyntaxError} For groups that only other languages have, and for conditions
 */
export function readGroupHead(cursor: Cursor, flags: Flags): GroupHead {
  if (cursor.next !== "?") return { type: "capture", named: false };
  for (const [text, head] of HEADS) {
    if (cursor.skip(text)) return head;
  }
  if (cursor.skip("?#")) {
    if (cursor.takeUntil(")") === null) throw new SyntaxError("a comment (?#…) has no )");
    return "comment";
  }
  if (cursor.skip("?(")) {
    throw new SyntaxError("conditions (?(1)…) cannot be searched for, write both cases with |");
  }
  if (/^\?[-a-zA-Z]/.test(cursor.peek(2)) && !/^\?[PR&]/.test(cursor.peek(2))) {
    return readLocalFlags(cursor, flags);
  }
  throw new SyntaxError(`the group (${cursor.peek(2)} is not known, use (…), (?:…), (?P<name>…) or (?=…)`);
}

/** Reads the flags that a pattern begins with, such as `(?i)`. */
export function readLeadingFlags(cursor: Cursor): Flags {
  let flags: Flags = { ignoreCase: false, multiline: false, dotAll: false, ascii: false, verbose: false };
  for (let start = cursor.at; /^\(\?[a-zA-Z]/.test(cursor.peek(3)); start = cursor.at) {
    cursor.skip("(?");
    const letters = cursor.takeWhile(/[a-zA-Z]/);
    if (!cursor.skip(")")) {
      cursor.at = start;
      break;
    }
    flags = changeFlags(flags, letters, true);
  }
  return flags;
}

function readLocalFlags(cursor: Cursor, outer: Flags): GroupHead {
  cursor.skip("?");
  const on = cursor.takeWhile(/[a-zA-Z]/);
  const off = cursor.skip("-") ? cursor.takeWhile(/[a-zA-Z]/) : null;
  if (off === null && cursor.next === ")") {
    throw new SyntaxError(
      `the flag (?${on}) stands inside the pattern, put it at the start or write (?${on}:…)`,
    );
  }
  if (
    !cursor.skip(":") || off === "" || /[au]/.test(off ?? "") || [...on].some((flag) => off?.includes(flag))
  ) {
    throw new SyntaxError(`the flags of a group (?${on} are not known, use (?i:…), (?m:…) or (?s:…)`);
  }
  return { type: "plain", flags: changeFlags(changeFlags(outer, on, true), off ?? "", false) };
}

function changeFlags(flags: Flags, letters: string, value: boolean): Flags {
  const changed = { ...flags };
  for (const letter of letters) {
    const key = KEYS[letter];
    if (key) changed[key] = value;
    else if (letter === "u") changed.ascii = false;
    else throw new SyntaxError(`the flag (?${letter}) is not supported, use (?i), (?m) or (?s)`);
  }
  return changed;
}
