import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";

export default defineTool({
  name: "string_stats",
  description:
    "Counts characters (Unicode code points), words (separated by white space) and lines (line feeds plus " +
    'one) of a text. Example: {"text": "hello world\\nfoo bar"}.',
  input: z.object({ text: z.string().describe("Text to count.") }),
  output: z.object({ characters: z.int(), words: z.int(), lines: z.int() }),
  needs: {},
  readOnly: true,
  parallel: false,
  examples: [
    { line: "text='two words'", meaning: "Count characters, words and lines" },
  ],
  limits: { timeoutMs: 1_000 },
  run({ text }) {
    return {
      characters: countMatches(text, /./gsu),
      words: countMatches(text, /\S+/gu),
      lines: countMatches(text, /\n/g) + 1,
    };
  },
});

function countMatches(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) count++;
  return count;
}
