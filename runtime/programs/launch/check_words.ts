import { ToolError } from "../../../schemas/error.ts";

/** Most words of a command. */
const MAX_WORDS = 4_096;
/** The limits of Linux, in bytes: one word with its NUL, and all words together. */
const MAX_WORD_BYTES = 128 * 1024 - 1;
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Checks that words can be a command: the program first, then its arguments.
 *
 * @throws {ToolError} `invalid_input`
 */
export function checkWords(words: readonly string[]): void {
  const [program] = words;
  if (program === undefined) throw unusable("it is empty");
  if (program.trim() === "") throw unusable("its first word, the program, is empty");
  if (words.length > MAX_WORDS) throw unusable(`it has ${words.length} words, more than ${MAX_WORDS}`);
  const encoder = new TextEncoder();
  let total = 0;
  for (const [index, word] of words.entries()) {
    if (word.includes("\0")) throw unusable(`word ${index + 1} holds a null byte`);
    const bytes = encoder.encode(word).length;
    if (bytes > MAX_WORD_BYTES) {
      throw unusable(
        `word ${index + 1} has ${bytes} bytes, more than ${MAX_WORD_BYTES}; pass it by a file or stdin`,
      );
    }
    total += bytes + 1;
  }
  if (total > MAX_BYTES) {
    throw unusable(`its words have ${total} bytes, more than ${MAX_BYTES}; pass them by a file or stdin`);
  }
}

function unusable(why: string): ToolError {
  return new ToolError("invalid_input", `Cannot run this command: ${why}`);
}
