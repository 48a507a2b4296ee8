import { ToolError } from "../../../schemas/error.ts";
import { findLiterals } from "./required_literal.ts";
import { type TranslatedPattern, translatePattern, type WideRegex } from "./translate_pattern.ts";

/** A text that is looked for in the bytes of a file. */
export interface Literal {
  /** UTF-8; lower case if `fold`. */
  bytes: Uint8Array;
  /** Whether A to Z match a to z. */
  fold: boolean;
}

/** What to look for in each line; plain data, so that it can be sent to other threads. */
export interface SearchPattern {
  /** One of these stands in every line that matches; empty if no such text is known. */
  literals: readonly Literal[];
  /** Decides about a line, without line end. `null` if the only literal decides alone. */
  regex: RegExp | null;
  /** Decides instead of `regex` about the lines that it names. */
  wide: WideRegex | null;
}

/** Options of {@linkcode compilePattern}. */
export interface PatternOptions {
  /** @default "sensitive" */
  letterCase?: "sensitive" | "insensitive";
}

/**
 * Compiles a pattern: Python's regular expressions. Plain text, and a text that every match needs, are found
 * without the regular expression engine.
 *
 * @throws {ToolError} `invalid_input` for an invalid regular expression
 */
export async function compilePattern(pattern: string, options: PatternOptions = {}): Promise<SearchPattern> {
  const insensitive = options.letterCase === "insensitive";
  const isText = !/[\\^$.*+?()[\]{}|]/.test(pattern) && !(insensitive && /[^\0-\x7f]/.test(pattern));
  const { regex, wide } = isText
    ? { regex: new RegExp(pattern, insensitive ? "i" : ""), wide: null }
    : translate(pattern, insensitive);
  const { whole, required } = isText ? { whole: pattern, required: [] } : await findLiterals(regex);
  const all = whole === null ? null : toLiteral(whole, regex);
  if (all) return { literals: [all], regex: whole!.includes("\n") ? regex : null, wide: null };
  const literals = required.map((text) => toLiteral(text, regex)).filter((literal) => literal !== null);
  return { literals: literals.length === required.length ? literals : [], regex, wide };
}

function translate(pattern: string, ignoreCase: boolean): TranslatedPattern {
  try {
    return translatePattern(pattern, ignoreCase);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new ToolError("invalid_input", `Invalid regex pattern: ${cause.message}`, {
      cause,
      details: { pattern },
    });
  }
}

/**
 * Returns `null` for a text whose bytes are not enough: letters beyond ASCII that have another case,
 * characters that line ends and decoding take away or put in.
 */
function toLiteral(text: string, { ignoreCase: fold }: RegExp): Literal | null {
  const exact = fold ? /^[\0-\x7f]*$/.test(text) : text.isWellFormed();
  if (!exact || /[\r\ufeff\ufffd]/.test(text)) return null;
  return { bytes: new TextEncoder().encode(fold ? text.toLowerCase() : text), fold };
}
