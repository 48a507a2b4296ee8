import { checkReferences } from "./check_references.ts";
import { findLimits } from "./find_limits.ts";
import { printPattern } from "./print_pattern.ts";
import { readPattern } from "./read_pattern.ts";
import { requireMatches } from "./require_matches.ts";
import type { Body, Flags } from "./syntax.ts";

/** A pattern of Python's as JavaScript's regular expressions. */
export interface TranslatedPattern {
  regex: RegExp;
  /** For lines which `regex` would read otherwise than Python; `null` if there are none. */
  wide: WideRegex | null;
}

/** A regular expression for some lines only. It is slower, and V8 has no linear engine for it. */
export interface WideRegex {
  regex: RegExp;
  /** Finds a character for which a line needs it. */
  when: RegExp;
}

/**
 * Translates a pattern as Python's `re` means it, Unicode included.
 *
 * @throws {SyntaxError} For what Python refuses and for what JavaScript cannot do
 */
export function translatePattern(pattern: string, ignoreCase: boolean): TranslatedPattern {
  const read = readPattern(pattern, ignoreCase);
  const flags = read.flags;
  const body = requireMatches(read.body);
  checkReferences(body);
  const { always, characters, isMixed } = findLimits(body);
  const wide = () => compileWide(body, flags, isMixed);
  if (always) return { regex: wide(), wide: null };
  const source = printPattern(body, "ascii", { flags, letterCase: "flags" });
  const regex = new RegExp(source, shortFlags(flags));
  const when = new RegExp(`[${[...characters].join("")}]`);
  return { regex, wide: characters.size === 0 ? null : { regex: wide(), when } };
}

/** V8 mistakes the letter case of classes that follow a group with flags, so that both cases are spelled there. */
function compileWide(body: Body, flags: Flags, isMixed: boolean): RegExp {
  const source = printPattern(body, "unicode", {
    flags: { ...flags, multiline: false },
    letterCase: isMixed ? "spelled" : "flags",
  });
  return new RegExp(source, flags.ignoreCase && !isMixed ? "iv" : "v");
}

function shortFlags({ ignoreCase, multiline, dotAll }: Flags): string {
  return `${ignoreCase ? "i" : ""}${multiline ? "m" : ""}${dotAll ? "s" : ""}`;
}
