import { ToolError } from "../../../schemas/error.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import { isClosed, propertiesOf, requiredOf, typesOf } from "../../../schemas/json/shape.ts";
import { argumentOfOption, isSwitch } from "./argument_fields.ts";
import { optionsOf } from "./command_table.ts";
import { flagOf } from "./options/option_table.ts";
import { isYesOrNo } from "./read_value.ts";

/** The schema of the arguments' object and the document it stands in. */
export interface ArgumentPlace {
  schema: JsonSchema;
  root: JsonSchema;
}

/** A value as it was written. */
export interface ArgumentValue {
  text: string;
  isJson: boolean;
}

const MAX_SHOWN = 60;

/**
 * Sorts the words after the tool's name by the argument that they fill: `key=value`, `--key value`, `--key=value`, and
 * bare words for the only argument that is required. After `--` no word is an option.
 *
 * @param given Arguments that the JSON before the words holds
 * @throws {ToolError} `invalid_input` for a word that fills no argument
 */
export function sortWords(
  words: readonly string[],
  place: ArgumentPlace,
  given: ReadonlySet<string>,
): Map<string, ArgumentValue[]> {
  const sorted = new Map<string, ArgumentValue[]>();
  const bare: string[] = [];
  const add = (key: string, value: ArgumentValue) => sorted.set(key, [...sorted.get(key) ?? [], value]);
  const rest = [...words];
  let isLiteral = false;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--" && !isLiteral) {
      isLiteral = true;
      continue;
    }
    if (!isLiteral && /^-[^\d.]/.test(word)) {
      const [key, value] = readOption(word, rest, place);
      add(key, value);
      continue;
    }
    const pair = readPair(word, { isLiteral, place });
    if (pair) add(...pair);
    else if (isLiteral || !isSource(word)) bare.push(word);
    else throw invalid(`Unexpected ${shownWord(word)}: JSON, @FILE or - may only be the first word`);
  }
  if (bare.length > 0) {
    const key = onlyRequired(bare[0]!, { place, given: new Set([...given, ...sorted.keys()]) });
    for (const text of bare) add(key, { text, isJson: false });
    refuseSecond(bare, key, place);
  }
  return sorted;
}

/** A word of a message: quoted, and clipped if it is long. */
export function shownWord(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}

function isSource(word: string): boolean {
  return word === "-" || /^\s*[@{[]/.test(word);
}

/** A name may be anything but empty; after `--` and before what is no name, `=` is a character like others. */
function readPair(
  word: string,
  { isLiteral, place }: { isLiteral: boolean; place: ArgumentPlace },
): [string, ArgumentValue] | null {
  const [, key, operator, text] = /^([^=]*?)(:?=)(.*)$/s.exec(word) ?? [];
  if (key === undefined || text === undefined) return null;
  const isKnown = Object.hasOwn(propertiesOf(place.schema), key);
  if (!isKnown && (isLiteral || !/^[\w$.-]+$/.test(key))) return null;
  return [key, { text, isJson: operator === ":=" }];
}

/** An option that is none of the program's must name an argument; the next word is its value, however it looks. */
function readOption(word: string, rest: string[], { schema, root }: ArgumentPlace): [string, ArgumentValue] {
  const [, flag = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  const fields = propertiesOf(schema);
  const key = argumentOfOption(flag, fields);
  if (key === undefined) throw unknownOption(flag, Object.keys(fields));
  if (value !== undefined) return [key, { text: value, isJson: false }];
  const [next] = rest;
  if (isSwitch(fields[key]!, root) && !isYesOrNo(next)) return [key, { text: "true", isJson: false }];
  if (next === undefined) throw invalid(`Argument "${key}" needs a value: write ${key}=VALUE`);
  return [key, { text: rest.shift()!, isJson: false }];
}

function unknownOption(flag: string, names: readonly string[]): ToolError {
  if (!flag.startsWith("--")) {
    return invalid(
      `Unknown option ${shownWord(flag)}: words that begin with - stand behind --, see: bulkhead call --help`,
    );
  }
  const options = optionsOf("call").map((option) => flagOf(option).slice(2));
  const candidates = nearest(flag.slice(2), [...options, ...names]).map((name) => `--${name}`);
  const see = candidates.length > 0 ? " See" : ", see";
  return new ToolError(
    "invalid_input",
    `Unknown option ${shownWord(flag)}${didYouMean(candidates)}${see}: bulkhead call --help`,
    { details: { candidates, unknown_option: flag } },
  );
}

function onlyRequired(
  word: string,
  { place: { schema }, given }: { place: ArgumentPlace; given: ReadonlySet<string> },
): string {
  const required = [...requiredOf(schema)];
  const [only, ...others] = required;
  const shown = shownWord(word);
  if (only !== undefined && others.length === 0) {
    if (!given.has(only)) return only;
    throw unexpected(
      word,
      `"${only}" is given already, write key=value or key:=JSON for another argument`,
    );
  }
  const names = Object.keys(propertiesOf(schema));
  if (names.length === 0 && isClosed(schema)) {
    throw unexpected(word, "this tool takes no arguments");
  }
  const why = required.length > 1
    ? `${required.join(", ")} are required, so name each of them`
    : `no argument is required, so name the one that is meant${
      names.length > 0 ? `: ${names.join(", ")}` : ""
    }`;
  throw invalid(`Cannot read argument ${shown}: write key=value or key:=JSON; ${why}`);
}

function refuseSecond([, second]: readonly string[], key: string, { schema, root }: ArgumentPlace): void {
  if (second === undefined || typesOf(propertiesOf(schema)[key] ?? {}, root).has("array")) return;
  throw unexpected(
    second,
    `"${key}" takes one value, put it in quotes or write key=value for another argument`,
  );
}

function unexpected(word: string, why: string): ToolError {
  return new ToolError("invalid_input", `Unexpected ${shownWord(word)}: ${why}`, {
    details: { unexpected_word: word },
  });
}

function invalid(message: string): ToolError {
  return new ToolError("invalid_input", message);
}
