import { onOneLine } from "../../../text/strip_controls.ts";

/** A full stop that only shortens a word. */
const SHORTENED = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|incl|approx|cf|no)$/i;

/** Returns the first sentence of a description on one line, without its full stop. */
export function firstSentence(text: string): string {
  const [paragraph = ""] = text.trim().split(/\n\s*\n|\n(?=\s*[*-] )/);
  const line = onOneLine(paragraph.replace(/\s+/g, " "));
  for (const { index } of line.matchAll(/[.!?](?= |$)/g)) {
    const sentence = line.slice(0, index);
    if (!SHORTENED.test(sentence)) return line[index] === "." ? sentence : line.slice(0, index + 1);
  }
  return line;
}
