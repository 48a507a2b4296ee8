import { ToolError } from "../../../schemas/error.ts";
import { findLiterals } from "./required_literal.ts";
import { translatePattern } from "./translate_pattern.ts";

/** A text that is looked for in the bytes of a file. */
export interface Literal {
  /** UTF-8; lower case if `fold`. */
  bytes: Uint8Array;
  /** Whether A to Z match a to z. */
  fold: boolean;
}

/** What to look for in each line; plain data, so that it can be sent to other threads. At least one of the two is there. */
export interface SearchPattern {
  /** Stands in every line that matches. `null` if nothing of the kind is known. */
  literal: Literal | null;
  /** Decides about a line, without line end. `null` if the literal decides alone. */
  regex: RegExp | null;
}

/** Options of {@linkcode compilePattern}. */
export interface PatternOptions {
  /** @default "sensitive" */
  letterCase?: "sensitive" | "insensitive";
}

/**
 * Compiles a pattern: JavaScript's regular expressions, with Python's `(?i)` at the start, `(?P<n>…)`, `(?P=n)`, `\A`, `\Z`.
 * What is plain text, or holds a text that every match needs, is found without the regular expression engine.
 *
 * @throws {ToolError} `invalid_input` for what is no regular expression
 */
export async function compilePattern(pattern: string, options: PatternOptions = {}): Promise<SearchPattern> {
  const insensitive = options.letterCase === "insensitive";
  if (!/[\\^$.*+?()[\]{}|]/.test(pattern)) {
    const literal = toLiteral(pattern, insensitive);
    if (literal && !pattern.includes("\n")) return { literal, regex: null };
    return { literal, regex: new RegExp(pattern, insensitive ? "i" : "") };
  }
  const regex = compileRegex(pattern, insensitive);
  const { whole, required } = await findLiterals(regex);
  const all = whole === null ? null : toLiteral(whole, regex.ignoreCase);
  if (all) return { literal: all, regex: whole!.includes("\n") ? regex : null };
  return { literal: required === "" ? null : toLiteral(required, regex.ignoreCase), regex };
}

function compileRegex(pattern: string, insensitive: boolean): RegExp {
  try {
    const { source, flags } = translatePattern(pattern);
    return new RegExp(source, insensitive && !flags.includes("i") ? `${flags}i` : flags);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new ToolError("invalid_input", `Invalid regex pattern: ${cause.message}`, {
      cause,
      details: { pattern },
    });
  }
}

/**
 * Returns `null` for a text whose bytes do not say it all: letters beyond ASCII that have another case, characters that
 * line ends and decoding take away or put in.
 */
function toLiteral(text: string, fold: boolean): Literal | null {
  const exact = fold ? /^[\0-\x7f]*$/.test(text) : text.isWellFormed();
  if (!exact || /[\r\ufeff\ufffd]/.test(text)) return null;
  return { bytes: new TextEncoder().encode(fold ? text.toLowerCase() : text), fold };
}
