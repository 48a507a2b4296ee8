import { findWord, nameOf } from "../../coming/systems.ts";

/**
 * Returns the words of a command line with an option of this program in the place of one of another system that means
 * the same; `null` if nothing does.
 */
export function withOwnOption(words: readonly string[], option: string): readonly string[] | null {
  const found = findWord("flag", option);
  const own = found?.works === true ? nameOf(found.here ?? "") : option;
  const at = words.findIndex((word) => word === option || word.startsWith(`${option}=`));
  if (own === option || at < 0) return null;
  return words.with(at, own + words[at]!.slice(option.length));
}
