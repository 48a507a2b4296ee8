import { joinPorts, splitValues } from "../../walls/grants/flag_word.ts";
import { expandHome } from "../../walls/grants/expand_home.ts";
import type { Option } from "./options/option_kinds.ts";
import { adviseList, type StrayList } from "./stray_list.ts";

/** An option whose value is to be read. */
export interface OptionPlace {
  /** As the user wrote it: `--timeout` or `-C`. */
  written: string;
  option: Option;
  /** The value of an earlier appearance. */
  before: unknown;
  /** The user's home, for a leading `~` of a path. */
  home?: string | undefined;
  /** The word behind it, where that may be meant as its list. */
  stray?: StrayList | null | undefined;
}

/** A value that could be read, or what is wrong with it. */
export type Reading = { value: unknown } | { problem: string };

/** Reads the value of one appearance of an option, together with the appearances before it. */
export function readValue(given: string | undefined, place: OptionPlace): Reading {
  const { written, option, before, stray } = place;
  if (given === undefined && stray?.isSure) {
    return { problem: `Option ${written} takes no word behind it: ${adviseList(stray, option)}` };
  }
  if (option.kind === "flag") {
    return given === undefined ? { value: true } : { problem: `Option ${written} takes no value` };
  }
  if (option.kind === "grant" || option.kind === "names") return readList(given, place);
  const text = given === undefined ? given : pathIn(given, place);
  if (option.kind === "optional" && text === undefined && before === undefined) return { value: true };
  if (text === undefined || text === "") {
    return { problem: `Option ${written} needs a value: ${written} ${option.value}` };
  }
  if (option.kind === "several") return { value: [...(before as string[] | undefined ?? []), text] };
  if (before !== undefined) return { problem: `Option ${written} is given twice` };
  if (option.kind === "number" || option.kind === "integer") return readNumber(text, written, option);
  if (option.kind !== "choice" || option.choices.includes(text)) return { value: text };
  return {
    problem: `Option ${written} must be one of ${option.choices.join(", ")}, not ${JSON.stringify(text)}`,
  };
}

function pathIn(text: string, { option: { complete, value }, home }: OptionPlace): string {
  if (complete === "file" || complete === "folder") return expandHome(text, home);
  const at = value?.endsWith("=FILE]") ? text.indexOf("=") + 1 : 0;
  return at === 0 ? text : text.slice(0, at) + expandHome(text.slice(at), home);
}

function readList(text: string | undefined, place: OptionPlace): Reading {
  const { written, option, before, stray } = place;
  if (text === undefined && option.kind === "names") {
    const form = stray ? adviseList(stray, option) : `${written}=${option.value}`;
    return { problem: `Option ${written} needs a value: ${form}` };
  }
  if (before !== undefined && (before === true) !== (text === undefined)) {
    return { problem: `Option ${written} is given with and without a list: keep one of them` };
  }
  if (text === undefined) return { value: true };
  const parts = splitValues(text);
  const items = option.value === "HOSTS" ? joinPorts(parts) : parts.map((part) => pathIn(part, place));
  if (items.includes("")) {
    return { problem: `Option ${written} has an empty value: write ${written}=${option.value}` };
  }
  return { value: [...(before as string[] | undefined ?? []), ...items] };
}

type NumberOption = Extract<Option, { kind: "number" | "integer" }>;

function readNumber(text: string, written: string, option: NumberOption): Reading {
  const { min, max, unit, kind } = option;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max && (kind === "number" || Number.isInteger(value))) return { value };
  const what = kind === "integer" ? "a whole number" : "a number";
  return {
    problem: `Option ${written} must be ${what} of ${unit} from ${min} to ${max}, not ${
      JSON.stringify(text)
    }`,
  };
}

/** Says whether a word is the value of an argument that needs none. */
export function isYesOrNo(word: string | undefined): boolean {
  return word === "true" || word === "false";
}
