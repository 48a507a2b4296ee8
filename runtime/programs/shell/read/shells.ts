import { isShell } from "../facts/languages.ts";
import { holdWrites, record, type Started, viaName } from "./record_command.ts";
import { newScope } from "./scope.ts";
import { type Analyser, inside, mayBeOption, type Stdin, type Substitution, type Word } from "./structure.ts";

const VALUED_LONG = new Set(["--rcfile", "--init-file"]);
const ABOUT_ITSELF = new Set(["--version", "--help"]);

interface ShellArguments {
  /** The text given with `-c`. */
  text: Word | undefined;
  file: Word | undefined;
  /** Why its options are unknown, or start something else. */
  doubt: string | null;
  asksAboutItself: boolean;
}

/** Starts a shell with the text, the file or the stdin that it reads; returns false for any other program. */
export function startShell(started: Started, analyser: Analyser): boolean {
  if (!isShell(started.program)) return false;
  const { text, file, doubt, asksAboutItself } = readArguments(started.args);
  const { program, around } = started;
  if (doubt !== null) analyser.structure.opaque.add(`${program} ${doubt}`);
  if (asksAboutItself) record(started, analyser);
  else if (text) readText(text, started, analyser);
  else if (file && !["-", "/dev/stdin", "/dev/fd/0"].includes(file.value ?? "")) {
    readFile(file, started, analyser);
  } else if (around.stdin === null) {
    record(started, analyser);
    analyser.structure.opaque.add(`${program} reads a text from stdin`);
  } else readStdin(around.stdin, started, analyser);
  return true;
}

/** Runs the words of `eval` as a text in the same shell. */
export function startEval(started: Started, analyser: Analyser): void {
  const { structure } = analyser;
  const { args, around } = started;
  const words = args[0]?.value === "--" ? args.slice(1) : args;
  if (words.some(({ value }) => value === null || /[$`]/.test(value))) structure.evalsVariable = true;
  if (words.every(({ value }) => value !== null)) {
    holdWrites(around, analyser);
    const surroundings = inside(around, "eval", around.scope);
    analyser.script(words.map(({ value }) => value).join(" "), { ...surroundings, stdin: around.stdin });
    return;
  }
  runsOutput(words, { started, place: "eval" }, analyser);
  structure.opaque.add("eval runs a text that is decided when it runs");
}

/** Runs a file in the same shell. */
export function startSource(started: Started, analyser: Analyser): void {
  const command = record(started, analyser);
  const printers = started.args.flatMap((word) => word.printers);
  if (printers.length > 0) analyser.structure.feeds.push({ from: printers, to: command });
  const [file] = started.args;
  if (!file) return;
  if (file.value === "/dev/stdin" && started.around.stdin) {
    analyser.structure.feeds.push({ from: started.around.stdin.printers, to: command });
  }
  analyser.structure.opaque.add(`${started.program} runs the text of a file`);
}

function readText(text: Word, started: Started, analyser: Analyser): void {
  const { program, around } = started;
  if (text.value !== null) {
    holdWrites(around, analyser);
    analyser.script(text.value, { ...inside(around, viaName(started), newScope()), stdin: around.stdin });
    return;
  }
  runsOutput([text], { started, place: "shell" }, analyser);
  analyser.structure.opaque.add(`${program} runs a text that is decided when it runs`);
}

function readFile(file: Word, started: Started, analyser: Analyser): void {
  const command = record(started, analyser);
  if (file.printers.length > 0) analyser.structure.feeds.push({ from: file.printers, to: command });
  analyser.structure.opaque.add(`${started.program} runs the text of a file`);
}

function readStdin(stdin: Stdin, started: Started, analyser: Analyser): void {
  const { program, around } = started;
  if (stdin.text !== null) {
    holdWrites(around, analyser);
    analyser.script(stdin.text, { ...inside(around, viaName(started), newScope()), stdin: null });
    return;
  }
  const command = record(started, analyser);
  analyser.structure.feeds.push({ from: stdin.printers, to: command });
  analyser.structure.opaque.add(`${program} reads a text from stdin`);
}

/** Notes that the output of other commands is run. */
function runsOutput(
  words: readonly Word[],
  { started, place }: { started: Started; place: Substitution["place"] },
  analyser: Analyser,
): void {
  const { structure } = analyser;
  const to = record(started, analyser);
  for (const syntax of words.flatMap(({ syntaxes }) => syntaxes)) {
    structure.substitutions.push({ syntax, place });
  }
  structure.feeds.push({ from: words.flatMap(({ printers }) => printers), to });
}

/**
 * Reads options as shells do: `-c` may be in a cluster, and its text is the first argument after all options.
 */
function readArguments(args: readonly Word[]): ShellArguments {
  let isText = false;
  let isStdin = false;
  let doubt: string | null = null;
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at]!;
    const option = word.value ?? word.prefix;
    if (mayBeOption(word) && !isText) doubt = "gets an argument that is decided when it runs";
    if (!/^[-+]./.test(option)) break;
    if (ABOUT_ITSELF.has(option)) return { text: undefined, file: undefined, doubt, asksAboutItself: true };
    if (option === "--") {
      at++;
      break;
    }
    if (VALUED_LONG.has(option)) {
      at++;
      doubt = `runs a file of its own: ${option}`;
    } else if (!option.startsWith("--")) {
      if (option.includes("c")) isText = true;
      if (option.includes("s")) isStdin = true;
      if (/[oO]/.test(option)) at++;
    }
  }
  const operand = args[at];
  return {
    text: isText ? operand : undefined,
    file: isStdin ? undefined : operand,
    doubt,
    asksAboutItself: false,
  };
}
