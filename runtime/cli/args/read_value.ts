import { joinPorts, splitValues } from "../../walls/grants/flag_word.ts";
import type { Option } from "./options/option_kinds.ts";

/** An option whose value is to be read. */
export interface OptionPlace {
  /** As the user wrote it: `--timeout` or `-C`. */
  written: string;
  option: Option;
  /** The value of an earlier appearance. */
  before: unknown;
}

/** A value that could be read, or what is wrong with it. */
export type Reading = { value: unknown } | { problem: string };

/** Reads the value of one appearance of an option, together with the appearances before it. */
export function readValue(text: string | undefined, place: OptionPlace): Reading {
  const { written, option, before } = place;
  if (option.kind === "flag") {
    return text === undefined ? { value: true } : { problem: `Option ${written} takes no value` };
  }
  if (option.kind === "grant" || option.kind === "names") return readList(text, place);
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

function readList(text: string | undefined, { written, option, before }: OptionPlace): Reading {
  if (text === undefined && option.kind === "names") {
    return { problem: `Option ${written} needs a value: ${written}=${option.value}` };
  }
  if (before !== undefined && (before === true) !== (text === undefined)) {
    return { problem: `Option ${written} is given with and without a list: keep one of them` };
  }
  if (text === undefined) return { value: true };
  const parts = splitValues(text);
  const items = option.value === "HOSTS" ? joinPorts(parts) : parts;
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
