import { shellQuote } from "../../../text/shell_quote.ts";
import { startInterpreter } from "./interpreters.ts";
import { startLauncher } from "./launchers.ts";
import { startWithOptions } from "./option_programs.ts";
import { holdWrites, programName, record, shortened, type Started, viaName } from "./record_command.ts";
import { newScope, type Scope } from "./scope.ts";
import { startEval, startShell, startSource } from "./shells.ts";
import { type Analyser, inside, literalWord, type Surroundings, type Word } from "./structure.ts";
import { noteAssigned } from "./walk_script.ts";
import { unwrap } from "./wrappers.ts";

const MAX_COMMANDS = 10_000;
const MAX_DEPTH = 200;
/** Programs that only begin like a command of git. */
const GIT_OTHERS: ReadonlySet<string> = new Set([
  "lfs",
  "crypt",
  "annex",
  "filter-repo",
  "absorb",
  "cliff",
  "delta",
]);

/** Takes the words of one command apart: what it starts, itself or through other programs. */
export function startCommand(words: readonly Word[], around: Surroundings, analyser: Analyser): void {
  const { structure } = analyser;
  if (structure.commands.length >= MAX_COMMANDS || around.via.length > MAX_DEPTH) {
    structure.opaque.add("it holds more commands than are looked at");
    return;
  }
  const [first, ...args] = words;
  if (!first) return holdWrites(around, analyser);
  if (!first.value || first.isPattern) return startUnknown(first, { args, around }, analyser);
  const path = first.value;
  const started = asGit({ program: programName(path), path, args, around });
  if (path === started.program && startDefined(started, analyser)) return;
  startKnown(started, analyser);
}

/** Each command of git is a program of its own, too. */
function asGit(started: Started): Started {
  const command = /^git-([a-z][a-z-]*)$/.exec(started.program)?.[1];
  return command === undefined || GIT_OTHERS.has(command)
    ? started
    : { ...started, program: "git", args: [literalWord(command), ...started.args] };
}

function startKnown(started: Started, analyser: Analyser): void {
  const { program, args, around } = started;
  const wrapped = startLauncher(started, analyser) ? "launched" : unwrap(program, args);
  if (wrapped === "launched") return;
  if (wrapped && wrapped.words.length > 0) return startWrapped(started, wrapped, analyser);
  if (startShell(started, analyser) || startInterpreter(started, analyser)) return;
  if (program === "eval") return startEval(started, analyser);
  if (program === "source" || program === ".") return startSource(started, analyser);
  if (program === "trap") startTrap(started, analyser);
  else if (program === "alias") startAlias(started, analyser);
  else if (program === "unset") around.scope.functions.clear();
  startWithOptions(started, analyser);
}

function startWrapped(
  started: Started,
  { words, assigns }: { words: Word[]; assigns: Word[] },
  analyser: Analyser,
): void {
  const assigned = assigns.map(({ value, prefix }) => {
    const name = prefix.slice(0, prefix.indexOf("="));
    return { name, value: value === null ? null : value.slice(name.length + 1) };
  });
  noteAssigned(assigned, analyser);
  const { around } = started;
  analyser.start(words, {
    ...around,
    via: [...around.via, viaName(started)],
    assigns: [...around.assigns, ...assigned.map(({ name }) => name)],
    // These words start a program, even if a function or an alias has its name.
    scope: { ...around.scope, functions: new Set(), aliases: new Map() },
  });
}

/** Starts a function, whose body has been read already, or the text of an alias. */
function startDefined(started: Started, analyser: Analyser): boolean {
  const { program, args, around } = started;
  if (around.scope.functions.has(program)) {
    holdWrites(around, analyser);
    return true;
  }
  const alias = around.scope.aliases.get(program);
  if (alias === undefined) return false;
  const rest = args.map(({ value }) => value === null ? '"$UNKNOWN"' : shellQuote(value));
  const aliases = new Map([...around.scope.aliases].filter(([name]) => name !== program));
  const scope: Scope = { ...around.scope, aliases };
  analyser.script([alias, ...rest].join(" "), { ...inside(around, program, scope), via: around.via });
  // Most shell texts do not expand aliases: then the program itself is started.
  return false;
}

function startUnknown(
  first: Word,
  { args, around }: { args: readonly Word[]; around: Surroundings },
  analyser: Analyser,
): void {
  const { structure } = analyser;
  const to = record({ program: "", path: first.text, args, around }, analyser);
  structure.opaque.add(`which program ${JSON.stringify(shortened(first.text))} is, is decided when it runs`);
  for (const syntax of first.syntaxes) structure.substitutions.push({ syntax, place: "program" });
  if (first.printers.length > 0) structure.feeds.push({ from: first.printers, to });
}

function startTrap({ args, around }: Started, analyser: Analyser): void {
  const [text] = args.filter(({ value }) => value !== "--");
  if (!text || args.length < 2 || text.value?.startsWith("-")) return;
  if (text.value === null) analyser.structure.opaque.add("trap runs a text that is decided when it runs");
  else analyser.script(text.value, { ...inside(around, "trap", newScope()), via: around.via });
}

function startAlias({ args, around }: Started, analyser: Analyser): void {
  for (const { value, prefix } of args) {
    const at = prefix.indexOf("=");
    if (at < 0) continue;
    if (value === null) analyser.structure.opaque.add("alias stands for a text that is decided when it runs");
    else {
      around.scope.aliases.set(prefix.slice(0, at), value.slice(at + 1));
      analyser.script(value.slice(at + 1), { ...inside(around, "alias", newScope()), via: around.via });
    }
  }
}
