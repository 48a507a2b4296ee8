import { ToolError } from "../../../schemas/error.ts";
import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import {
  COMMAND_NAMES,
  type CommandName,
  commandOf,
  CONFIG_ACTIONS,
  isCommand,
  MCP_ACTIONS,
  optionsOf,
  QUEUE_ACTIONS,
  SHELLS,
} from "./command_table.ts";
import type { IsSwitch } from "./argument_fields.ts";
import type { Positional } from "./command_kinds.ts";
import { flagOf, OPTION_NAMES, type OptionName, optionOf, type Options } from "./options/option_table.ts";
import { SESSION_ID } from "../../state/tool_state.ts";
import { isYesOrNo, readValue } from "./read_value.ts";
import { adviseList, type StrayList, strayList } from "./stray_list.ts";

/** A command line, understood. */
export interface Invocation {
  /** `null` if no command is given. */
  command: CommandName | null;
  /** The words after the command. */
  positionals: string[];
  options: Options;
  /** Words behind options that take their list behind `=` alone, and what to write if they were meant so. */
  strays?: Strays;
}

type Strays = readonly { word: string; advice: string }[];

/**
 * Parses the words of a command line, strictly. Options may stand before and after the command, and `--` ends
 * them. The word after an option with a value is always its value, even if it looks like an option. With
 * `--help` or `--version` the words are not counted. After the name of a tool, an unknown option stays among the words:
 * it can be an argument of the tool, and the next word is then its value too. So does the `--` before words that are no
 * options.
 *
 * @param options `isSwitch` knows the arguments of tools that need no value (none by default); `home` takes the place of a
 *   leading `~` in paths (by default nothing does)
 * @throws {ToolError} `invalid_input` for words that are not in the tables of options and commands
 */
export function parseArgv(
  words: readonly string[],
  { isSwitch = () => false, home }: { isSwitch?: IsSwitch | undefined; home?: string | undefined } = {},
): Invocation {
  const { given, positionals, literalFrom } = splitWords(words, isSwitch);
  const strays = given.flatMap(({ name, stray }) =>
    name && stray ? [{ word: stray.word, advice: adviseList(stray, optionOf(name)) }] : []
  );
  const [first, ...rest] = positionals;
  const command = first !== undefined && isCommand(first) ? first : null;
  const refuse = (message: string, details: Record<string, unknown> = {}) => {
    const see = message.endsWith("?") ? " See" : ", see";
    const help = command ? `bulkhead ${command} --help` : "bulkhead --help";
    return new ToolError("invalid_input", `${message}${see}: ${help}`, { details });
  };
  const refuseCommand = () => {
    if (first === undefined || command) return;
    const candidates = nearest(first, COMMAND_NAMES);
    const details = { candidates, unknown_command: first };
    throw refuse(`Unknown command ${quote(first)}${didYouMean(candidates)}`, details);
  };
  // Options behind a word that is no command are most likely those of another program.
  if (words[0] === first) refuseCommand();
  const options = readOptions(given, { command, refuse, home });
  refuseCommand();
  refuseExcluded(options, refuse);
  if (command && !options.help && !options.version) checkWords(command, rest, { refuse, strays });
  const keeps = command !== null && (takesArguments(command) || commandOf(command).keepsMark === true);
  const marked = keeps ? markLiteral(rest, literalFrom - 1) : rest;
  return { command, positionals: marked, options, ...strays.length > 0 && { strays } };
}

type Refuse = (message: string, details?: Record<string, unknown>) => ToolError;

/** An option as it was written. */
interface Given {
  /** `--allow-read` or `-C`. */
  written: string;
  name: OptionName | null;
  /** What follows `=`, or the next word if the option wants one. */
  value: string | undefined;
  stray?: StrayList | null;
}

const BY_FLAG = new Map(OPTION_NAMES.map((name) => [flagOf(name), name]));
const BY_LETTER = new Map(OPTION_NAMES.map((name) => [optionOf(name).short ?? "", name]));

// With `parseArgs` of @std/cli, no option may stand alone or before `=` and leave the next word alone; that of node:util
// takes `-5` for an option, and `=d` for the value in `-C=d`.
function splitWords(words: readonly string[], isSwitch: IsSwitch): SplitWords {
  const given: Given[] = [];
  const positionals: string[] = [];
  let literalFrom = Infinity;
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--" || isOfProgram(word, positionals)) {
      literalFrom = positionals.length;
      positionals.push(...(word === "--" ? rest : [word, ...rest]));
      break;
    }
    if (!isOption(word)) {
      positionals.push(word);
      continue;
    }
    const found = word.startsWith("--") ? [readLong(word, rest, positionals)] : readShort(word, rest);
    if (nameArguments(positionals) && found.some(({ name }) => name === null)) {
      positionals.push(...argumentWords(word, rest, (option) => isSwitch(positionals[1]!, option)));
    } else given.push(...found);
  }
  return { given, positionals, literalFrom };
}

interface SplitWords {
  given: Given[];
  positionals: string[];
  /** How many words stand before `--`. */
  literalFrom: number;
}

/** After the name of a tool, an option that is not the program's can be an argument of the tool. */
function nameArguments([command = "", tool]: readonly string[]): boolean {
  return tool !== undefined && isCommand(command) && takesArguments(command);
}

/** An option that may be an argument of the tool, with its value: no value is ever read as an option of the program. */
function argumentWords(word: string, rest: string[], isSwitch: (option: string) => boolean): string[] {
  if (!word.startsWith("--") || word.includes("=")) return [word];
  // Words between them may be taken out, so what follows later is not its value.
  if (isSwitch(word) && !isYesOrNo(rest[0])) return [`${word}=true`];
  return [word, ...rest.splice(0, 1)];
}

/** Says whether words after the name of a tool are its arguments. */
export function takesArguments(command: CommandName): boolean {
  return commandOf(command).positionals.includes("argument");
}

/** Keeps `--` before the words that it makes literal, but for the name of the tool. */
function markLiteral(words: readonly string[], from: number): string[] {
  const at = Math.max(from, 1);
  return at < words.length ? [...words.slice(0, at), "--", ...words.slice(at)] : [...words];
}

/** Says whether a word begins the words of another program. */
function isOfProgram(word: string, [command, ...others]: readonly string[]): boolean {
  if (command === undefined || others.length > 0 || !isCommand(command)) return false;
  return (commandOf(command).endsOptions ?? false) && !isOption(word);
}

function isOption(word: string): boolean {
  return /^-[^\d.]/.test(word);
}

function readLong(word: string, rest: string[], before: readonly string[]): Given {
  const at = word.indexOf("=");
  const written = at < 0 ? word : word.slice(0, at);
  const name = BY_FLAG.get(written) ?? null;
  const value = at < 0 ? nextValue(name, rest) : word.slice(at + 1);
  return {
    written,
    name,
    value,
    stray: value === undefined ? strayOf(written, name, { rest, before }) : null,
  };
}

/** What may be meant as the list of an option, among the words behind it. */
function strayOf(
  written: string,
  name: OptionName | null,
  { rest, before: [command = "", ...words] }: { rest: readonly string[]; before: readonly string[] },
): StrayList | null {
  const [next] = rest;
  if (name === null || next === undefined || next === "--" || isOption(next)) return null;
  const isFirst = words.length === 0 && isCommand(command);
  const slot = isFirst && takesArguments(command)
    ? "tool"
    : isFirst && commandOf(command).endsOptions
    ? "program"
    : "word";
  // A command that is still to come is no list.
  if (command === "" && isCommand(next)) return null;
  const place = { slot, isMarked: rest.includes("--") } as const;
  return strayList(next, { written, option: optionOf(name), place });
}

/** `-C DIR`, `-CDIR`, `-C=DIR`, and flags together: `-qA`. */
function readShort(word: string, rest: string[]): Given[] {
  const given: Given[] = [];
  for (let at = 1; at < word.length; at++) {
    const written = `-${word[at]}`;
    const name = BY_LETTER.get(word[at]!) ?? null;
    const tail = word.slice(at + 1);
    if (name === null) {
      return [...given, { written: at === 1 ? word.split("=", 1)[0]! : written, name, value: undefined }];
    }
    if (tail.startsWith("=")) return [...given, { written, name, value: tail.slice(1) }];
    if (takesWord(name)) {
      return [...given, { written, name, value: tail === "" ? nextValue(name, rest) : tail }];
    }
    given.push({ written, name, value: undefined });
  }
  return given;
}

function nextValue(name: OptionName | null, rest: string[]): string | undefined {
  if (name === null) return undefined;
  const mayTake = optionOf(name).kind === "optional" && SESSION_ID.test(rest[0] ?? "");
  return mayTake || takesWord(name) ? rest.shift() : undefined;
}

/** Says whether an option's value may be the next word; the lists of grants follow `=` only, as Deno's do. */
function takesWord(name: OptionName): boolean {
  return !["flag", "grant", "names", "optional"].includes(optionOf(name).kind);
}

function readOptions(
  given: readonly Given[],
  { command, refuse, home }: { command: CommandName | null; refuse: Refuse; home: string | undefined },
): Options {
  const options: Record<string, unknown> = {};
  for (const { written, name, value, stray } of given) {
    if (name === null) {
      const names = (command ? optionsOf(command) : OPTION_NAMES).map((known) => flagOf(known).slice(2));
      const found = written.startsWith("--") ? nearest(written.slice(2), names) : [];
      const candidates = found.map((known) => `--${known}`);
      const details = { candidates, unknown_option: written };
      throw refuse(`Unknown option ${quote(written)}${didYouMean(candidates)}`, details);
    }
    if (command && !optionsOf(command).includes(name)) {
      const named = takesArguments(command)
        ? `; for an argument of the tool write ${argumentOf(name)}=VALUE`
        : "";
      const details = { option: flagOf(name), unknown_option: written };
      throw refuse(`Option ${written} has no meaning for "${command}"${named}`, details);
    }
    const read = readValue(value, { written, option: optionOf(name), before: options[name], home, stray });
    if ("problem" in read) throw refuse(read.problem, { option: flagOf(name) });
    options[name] = name === "help" ? written === "-h" ? "short" : "long" : read.value;
  }
  return options as Options;
}

function argumentOf(name: OptionName): string {
  return flagOf(name).slice(2).replaceAll("-", "_");
}

function refuseExcluded(options: Options, refuse: Refuse): void {
  for (const name of Object.keys(options) as OptionName[]) {
    const other = (optionOf(name).excludes as readonly OptionName[] | undefined)?.find((other) =>
      options[other] !== undefined
    );
    if (other === undefined) continue;
    throw refuse(`Options ${flagOf(name)} and ${flagOf(other)} exclude each other: give one of them`, {
      option: flagOf(name),
    });
  }
}

/** First words of which there is a list. */
const CHOICES: { readonly [P in Positional]?: { what: string; known: readonly string[] } } = {
  shell: { what: "shell", known: SHELLS },
  configAction: { what: "action", known: CONFIG_ACTIONS },
  mcpAction: { what: "action", known: MCP_ACTIONS },
  queueAction: { what: "action", known: QUEUE_ACTIONS },
};

function checkWords(
  command: CommandName,
  words: readonly string[],
  { refuse, strays }: { refuse: Refuse; strays: Strays },
): void {
  const { actions, words: [min, max], usage, positionals } = commandOf(command);
  const [first] = words;
  if (first !== undefined && actions && Object.hasOwn(actions, first)) {
    const { operands, words: [least, most] } = actions[first]!;
    const count = words.length - 1;
    if (count >= least && count <= most) return;
    throw refuse(`Write: bulkhead ${command} ${first} ${operands}`);
  }
  if (words.length < min) {
    throw refuse(`Missing ${positionals[words.length]!.toUpperCase()}, write: bulkhead ${usage[0]}`);
  }
  const stray = strays.find(({ word }) => words.includes(word));
  // Behind a prompt, nothing but - can stand.
  const isBehind = positionals[0] === "prompt" && words.length === 2 && words[1] !== "-";
  if (stray && (words.length > max || isBehind)) {
    throw refuse(`Unexpected word ${quote(stray.word)}, ${stray.advice}`);
  }
  if (words.length > max) {
    throw refuse(`Unexpected word ${quote(words[max]!)}, write: bulkhead ${usage[0]}`);
  }
  const choice = CHOICES[positionals[0] ?? "argument"];
  if (!choice || first === undefined || choice.known.includes(first)) return;
  const candidates = nearest(first, choice.known);
  const hint = candidates.length > 0 ? didYouMean(candidates) : `: there are ${choice.known.join(", ")}`;
  throw refuse(`Unknown ${choice.what} ${quote(first)}${hint}`, { candidates });
}

function quote(word: string): string {
  return JSON.stringify(word.length > 60 ? `${word.slice(0, 60)}…` : word);
}
