/** Words of the systems whose tools this program has, and what they are here; a dot leads into a field. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  allow_write: ["write"],
  allow_network: ["net"],
  max_cpu_seconds: ["programs.cpu_seconds"],
  max_memory_kb: ["programs.memory_mb"],
  Role_based: ["roles"],
  allowed_roles: ["roles"],
  Condition_based: ["when"],
  expression: ["when"],
  args_schema: ["input"],
  input_schema: ["input"],
  inputSchema: ["input"],
  parameters: ["input", "input_schema"],
  output_schema: ["output"],
  outputSchema: ["output"],
  timeout_s: ["timeout_seconds"],
  handler: ["run"],
  execute: ["run"],
};

/** The words of other systems that are known here. */
export const KNOWN_WORDS: readonly string[] = Object.keys(OTHER_WORDS);

/** Returns the word for what another system calls so, if it is one of those that are known here; else `undefined`. */
export function ownWord(word: string, known: readonly string[]): string | undefined {
  const words = Object.hasOwn(OTHER_WORDS, word) ? OTHER_WORDS[word]! : [];
  return words.find((one) => known.includes(one.split(".")[0]!));
}
