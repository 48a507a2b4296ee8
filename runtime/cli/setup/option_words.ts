import { flagWord } from "../../walls/grants/flag_word.ts";
import { flagOf, type OptionName, optionOf, type Options } from "../args/options/option_table.ts";

/**
 * Returns options as words of a command line, which read give the same options again.
 *
 * @param names Which of the options
 * @param path Spells the name of a file or folder
 */
export function optionWords(
  options: Options,
  names: readonly OptionName[],
  path: (name: string) => string = (name) => name,
): string[] {
  return names.flatMap((name) => {
    const value: unknown = options[name];
    const flag = flagOf(name);
    const { kind, complete } = optionOf(name);
    const spelled = (text: string) => complete === "file" || complete === "folder" ? path(text) : text;
    if (value === undefined) return [];
    if (value === true) return [flag];
    if (!Array.isArray(value)) return [`${flag}=${spelled(String(value))}`];
    const texts = value.map(String).map(spelled);
    return kind === "several" ? texts.map((text) => `${flag}=${text}`) : [flagWord(flag, texts)];
  });
}
