import { type Arguments, attachedValue, hasOption, isOption } from "../facts/arguments.ts";
import { type Language, languageOf } from "../facts/languages.ts";
import { record, type Started } from "./record_command.ts";
import { type Analyser, mayBeOption } from "./structure.ts";

const ABOUT_ITSELF = new Set([
  "--version",
  "-V",
  "--help",
  "-h",
  "-v",
  "version",
  "-version",
  "--v8-options",
]);

/**
 * Starts a program that runs code of another language than the shell's; returns false for any other program.
 */
export function startInterpreter(started: Started, analyser: Analyser): boolean {
  const language = languageOf(started.program);
  if (!language) return false;
  const { structure } = analyser;
  const command = record(started, analyser);
  const { program, around } = started;
  if (asksAboutItself(command.args)) return true;
  const code = started.args.filter(({ printers }) => printers.length > 0);
  for (const { printers } of code) structure.feeds.push({ from: printers, to: command });
  const operand = started.args.find(({ value, prefix }) => !/^[-+]./.test(value ?? prefix));
  if (operand && mayBeOption(operand)) {
    structure.opaque.add(`${program} gets an argument that is decided when it runs`);
  }
  if (givesCode(command.args, language)) {
    structure.opaque.add(`${program} is given code of another language`);
  } else if (code.length > 0) {
    structure.opaque.add(`${program} runs what another command prints`);
  } else if (around.stdin && readsStdin(command.args, language)) {
    structure.feeds.push({ from: around.stdin.printers, to: command });
    structure.opaque.add(`${program} reads code of another language from stdin`);
  }
  return true;
}

/** Says whether all arguments only ask for the version or the manual of a program. */
export function asksAboutItself(args: readonly (string | null)[]): boolean {
  return args.length > 0 && args.every((arg) => arg !== null && ABOUT_ITSELF.has(arg));
}

function givesCode(args: Arguments, language: Language): boolean {
  if (language.isEditor) return hasOption(args, language.code) || args.some((arg) => /^\+./.test(arg ?? ""));
  const { options, operand } = readOptions(args, language);
  if (operand !== undefined && operand !== null && language.words?.includes(operand)) return true;
  return options.some((option) => isOption(option, language.code));
}

function readsStdin(args: Arguments, language: Language): boolean {
  const { options, operand } = readOptions(args, language);
  if (language.module && options.some((option) => isOption(option, { short: language.module! }))) {
    return false;
  }
  return operand === undefined || operand === "-" || operand === "/dev/stdin";
}

/** Reads a program's own options, up to the file or module that it runs. */
function readOptions(args: Arguments, { code, valued = {}, module = "" }: Language) {
  const options: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? null;
    if (arg === null || !/^-./.test(arg)) return { options, operand: arg };
    if (arg === "--") return { options, operand: args[at + 1] };
    const [letters, ends] = ownLetters(arg, { code, valued, module });
    options.push(letters);
    if (ends) return { options, operand: args[at + 1] };
    if (isOption(letters, valued) && attachedValue(arg, valued) === "") at++;
  }
  return { options, operand: undefined };
}

/** Cuts a cluster of letters after the first letter that takes the rest as its value. */
function ownLetters(
  arg: string,
  { code, valued, module }: Required<Pick<Language, "code" | "valued" | "module">>,
): [letters: string, ends: boolean] {
  if (arg.startsWith("--")) return [arg, false];
  const taking = (code.short ?? "") + (valued.short ?? "") + module;
  const at = [...arg].findIndex((letter, index) => index > 0 && taking.includes(letter));
  const letter = arg[at] ?? "";
  return [at < 0 ? arg : arg.slice(0, at + 1), at > 0 && module.includes(letter)];
}
