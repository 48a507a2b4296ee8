import { basename } from "@std/path";

import type { CommandRule, SimpleCommand } from "../../../schemas/command.ts";
import { type Arguments, isOption, operandsOf } from "./facts/arguments.ts";
import { isElsewhere } from "./facts/program_lists.ts";

const GIT_VALUED = { short: "Cc", long: ["git-dir", "work-tree", "namespace"] };

/** Says whether a rule that denies applies to a command. An unknown word counts as the denied one. */
export function isDenied(rule: CommandRule, command: SimpleCommand): boolean {
  const name = basename(rule.program);
  const isWhole = !rule.words?.length && !rule.options?.length;
  if (isWhole && command.via.some((one) => basename(one) === name)) return true;
  const isMeant = command.path.includes("/") && rule.program.includes("/")
    ? command.path === rule.program
    : command.program === name;
  return isMeant && mayFollow(command.args, rule.words ?? []) && hasOptions(rule, command);
}

/** Programs that fetch a program and start it. */
const FETCHERS: ReadonlySet<string> = new Set(["npx", "pnpx", "bunx", "uvx", "corepack"]);

/**
 * Says whether the words of a rule that denies stand among those of a command that is not understood as a whole: it may
 * start what they name.
 */
export function holdsDenied(
  rule: CommandRule,
  { program, args }: SimpleCommand,
  { opaque }: { opaque: readonly string[] },
): boolean {
  if (opaque.length === 0 && !FETCHERS.has(program)) return false;
  const words = [program, ...args.flatMap((arg) => arg?.split(/[^\w./@:-]+/) ?? [])];
  let at = 0;
  for (const wanted of [basename(rule.program), ...rule.words ?? []]) {
    at = words.findIndex((word, index) => index >= at && (word === wanted || basename(word) === wanted)) + 1;
    if (at === 0) return false;
  }
  return hasOptions(rule, { args: words });
}

/** Says whether a rule that allows applies to a command; a file elsewhere with the program's name is another program. */
export function isAllowed(rule: CommandRule, command: SimpleCommand): boolean {
  const { path, program, args } = command;
  const isMeant = rule.program.includes("/")
    ? path === rule.program
    : program === rule.program && !isElsewhere(path);
  const operands = operandsOf(args, program === "git" ? GIT_VALUED : {});
  return isMeant && (rule.words ?? []).every((word, at) => operands[at] === word) &&
    hasOptions(rule, command);
}

/** Says whether these words may come first. An argument after an option may be that option's value. */
function mayFollow(args: Arguments, words: readonly string[]): boolean {
  let wanted = 0;
  for (const [at, arg] of args.entries()) {
    if (wanted === words.length) break;
    if (arg?.startsWith("-")) continue;
    const before = args[at - 1] ?? "";
    if (arg === null || arg === words[wanted]) wanted++;
    else if (!before.startsWith("-")) return false;
  }
  return wanted === words.length;
}

function hasOptions({ options }: CommandRule, { args }: Pick<SimpleCommand, "args">): boolean {
  if (!options || options.length === 0) return true;
  return options.some((option) => {
    const letters = /^-([A-Za-z]{2,})$/.exec(option)?.[1];
    if (args.includes(option) || letters === undefined) {
      return args.some((arg) => arg !== null && isGiven(arg, option));
    }
    return [...letters].every((letter) => args.some((arg) => arg !== null && isLetterGiven(arg, letter)));
  });
}

/** What letters mean to most programs; `r` and `R` are one to those that walk folders. */
const LONG_NAMES: Readonly<Record<string, readonly string[]>> = {
  a: ["all", "archive"],
  f: ["force"],
  g: ["global"],
  i: ["interactive", "in-place"],
  n: ["dry-run"],
  p: ["parents", "preserve"],
  q: ["quiet"],
  R: ["recursive"],
  r: ["recursive"],
  v: ["verbose"],
  y: ["yes", "assume-yes"],
};

function isLetterGiven(arg: string, letter: string): boolean {
  if (arg.startsWith("--")) return isOption(arg, { long: LONG_NAMES[letter] ?? [] });
  const short = letter === "r" || letter === "R" ? "rR" : letter;
  return isOption(arg, { short });
}

function isGiven(arg: string, option: string): boolean {
  if (arg === option || arg.startsWith(`${option}=`)) return true;
  if (option.startsWith("--")) return arg.startsWith("--") && isOption(arg, { long: [option.slice(2)] });
  return /^-[^-]$/.test(option) && !arg.startsWith("--") && isOption(arg, { short: option.slice(1) });
}
