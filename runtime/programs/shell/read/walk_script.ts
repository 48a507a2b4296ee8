import type {
  Assignment,
  Command,
  ParsedScript,
  Pipeline,
  Redirection,
  Statement,
  SyntaxNode,
  Word as WordNode,
} from "unbash";

import type { SimpleCommand } from "../../../../schemas/command.ts";
import { expandWord, walkSubstitutions, type WordPlace } from "./expand_word.ts";
import { multiplies } from "./fork_bomb.ts";
import { type Assigned, isPoison } from "../facts/risky_variables.ts";
import { readRedirects, type Redirects } from "./redirects.ts";
import { setVariable } from "./scope.ts";
import { type Analyser, literalWord, type Surroundings, unknownWord, type Word } from "./structure.ts";

type Node = Extract<SyntaxNode, { type: string }>;

const MAX_DEPTH = 200;
const DECLARING = new Set(["export", "declare", "typeset", "local", "readonly"]);
const READING = new Set(["read", "mapfile", "readarray"]);

/** Walks through a text in the order of execution. */
export function walkScript(script: ParsedScript, around: Surroundings, analyser: Analyser): void {
  const errors = analyser.isPart ? [] : script.errors ?? [];
  for (const { message } of errors) analyser.structure.opaque.add(`it cannot be parsed: ${message}`);
  walkStatements(script.commands, around, analyser);
}

function walkStatements(
  statements: readonly Statement[],
  surroundings: Surroundings,
  analyser: Analyser,
): void {
  if (surroundings.depth > MAX_DEPTH) {
    analyser.structure.opaque.add("it is nested too deep to be read");
    return;
  }
  for (const { command, background } of statements) {
    walkNode(command, background ? uncertain(surroundings) : surroundings, analyser);
  }
}

/** Notes that variables are set. Some of them can change what any program does. */
export function noteAssigned(assigned: readonly Assigned[], analyser: Analyser): void {
  for (const { name } of assigned.filter(isPoison)) {
    analyser.structure.opaque.add(`${name} is set, which can change what programs do`);
  }
}

function walkNode(node: Node, around: Surroundings, analyser: Analyser): void {
  const once = uncertain(around);
  switch (node.type) {
    case "Command":
      return walkCommand(node, around, analyser);
    case "Pipeline":
      return walkPipeline(node, around, analyser);
    case "AndOr":
      return node.commands.forEach((part, at) => walkNode(part, at === 0 ? around : once, analyser));
    case "Subshell":
      return walkStatements(node.body.commands, deeper(once), analyser);
    case "BraceGroup":
      return walkStatements(node.body.commands, deeper(around), analyser);
    case "CompoundList":
      return walkStatements(node.commands, deeper(around), analyser);
    case "Redirected": {
      const { stdin } = hold(node.redirects, around, analyser);
      return walkNode(node.command, stdin === undefined ? around : { ...around, stdin }, analyser);
    }
    case "Function":
      if (around.isCertain) around.scope.functions.add(node.name.value);
      if (multiplies(node, analyser.library)) analyser.structure.multiplies = true;
      return walkNode(node.body, { ...deeper(once), stdin: null }, analyser);
    case "Coproc":
      return walkNode(node.body, deeper(once), analyser);
    default:
      return walkParts(node, once, analyser);
  }
}

/** Walks through conditions, loops and cases: lists of statements, words and expressions in any order. */
function walkParts(node: SyntaxNode, around: Surroundings, analyser: Analyser): void {
  if (node.type === "For" || node.type === "Select") {
    noteAssigned([{ name: node.name.value, value: null }], analyser);
  }
  analyser.library.forEachChild(node, (child) => {
    if (child.type === "CompoundList") walkStatements(child.commands, deeper(around), analyser);
    else if (child.type === "Elif" || child.type === "CaseItem") walkParts(child, around, analyser);
    else if (child.type === "Word") expand([child], around, analyser);
    else walkSubstitutions(child, expander(around, analyser));
  });
}

function walkPipeline(node: Pipeline, around: Surroundings, analyser: Analyser): void {
  const { commands } = analyser.structure;
  const begin = commands.length;
  let stdin = around.stdin;
  for (const [at, stage] of node.commands.entries()) {
    walkNode(stage, { ...(node.commands.length > 1 ? uncertain(around) : around), stdin }, analyser);
    const printers = commands.slice(begin);
    stdin = { text: at === 0 ? printedText(printers) : null, printers };
  }
}

/** Returns what a pipe certainly carries: the words of a single `echo` or `printf`. */
function printedText(printers: readonly SimpleCommand[]): string | null {
  const [only, other] = printers;
  if (!only || other || only.writes.length > 0 || !["echo", "printf"].includes(only.path)) return null;
  const words = only.args.filter((arg) => arg !== null);
  if (words.length < only.args.length || words[0]?.startsWith("-")) return null;
  if (only.path === "printf" && words.length !== 1) return null;
  const text = words.join(" ");
  return /\\|%/.test(text) ? null : text;
}

function walkCommand(node: Command, around: Surroundings, analyser: Analyser): void {
  const place: WordPlace = { ...around, readers: [] };
  const tools = { analyser, place, walk: walkSubstitution(analyser) };
  const assigned = node.prefix.filter((part) => part.type === "Assignment")
    .map((part) => readAssignment(part, place, analyser));
  const words = (node.name ? [node.name, ...node.args] : node.args).flatMap((word) =>
    word.type === "Word" ? expandWord(word, tools) : [assignmentWord(word, place, analyser)]
  );
  const { writes, stdin } = readRedirects(node.redirects, tools);
  noteVariables(assigned, words, around, analyser);
  const before = analyser.structure.commands.length;
  const start: Surroundings = {
    ...around,
    assigns: assigned.map(({ name }) => name),
    writes,
    stdin: stdin ?? around.stdin,
  };
  if (words.length > 0) analyser.start(words, start);
  else if (writes.length > 0) analyser.start([literalWord(":")], start);
  for (const printers of place.readers) printers.push(...analyser.structure.commands.slice(before));
}

/** Keeps the known values of variables, and notes the variables that change what programs do. */
function noteVariables(
  assigned: readonly Assigned[],
  words: readonly Word[],
  around: Surroundings,
  analyser: Analyser,
): void {
  const program = words[0]?.value ?? "";
  const others = words.slice(1).map(declared);
  const lasting = words.length === 0
    ? assigned
    : DECLARING.has(program)
    ? others.flatMap((one) => one ?? [])
    : [];
  // `IFS` before `read` holds for that command only.
  noteAssigned(assigned.filter(({ name }) => name !== "IFS" || !READING.has(program)), analyser);
  noteAssigned(lasting, analyser);
  if (READING.has(program)) {
    noteAssigned(words.slice(1).map(({ prefix: name }) => ({ name, value: null })), analyser);
  }
  if (program === "printf" && words[1]?.value === "-v") {
    noteAssigned([{ name: words[2]?.prefix ?? "", value: null }], analyser);
  }
  if (!around.isCertain) return;
  for (const { name, value } of lasting) if (value !== null) setVariable(around.scope, name, value);
}

/** Returns what a word such as `X=1` assigns. */
function declared(word: Word): Assigned | null {
  const at = word.prefix.indexOf("=");
  if (at < 0) return null;
  return { name: word.prefix.slice(0, at), value: word.value === null ? null : word.value.slice(at + 1) };
}

function readAssignment(node: Assignment, around: Surroundings, analyser: Analyser): Assigned {
  const { name, value } = node;
  if (node.index) walkSubstitutions(node.index, expander(around, analyser));
  if (value.type !== "Word") {
    walkSubstitutions(value, expander(around, analyser));
    return { name, value: null };
  }
  const words = expand([value], around, analyser);
  const isKnown = words.every((word) => word.value !== null && !word.isPattern);
  return { name, value: isKnown ? words.map((word) => word.value).join(" ") : null };
}

function assignmentWord(node: Assignment, around: Surroundings, analyser: Analyser): Word {
  const { name, value } = readAssignment(node, around, analyser);
  return value === null ? unknownWord(node.text, { prefix: `${name}=` }) : literalWord(`${name}=${value}`);
}

/** Reads the redirections of a compound command. An empty command stands for the files that they write. */
function hold(redirects: readonly Redirection[], around: Surroundings, analyser: Analyser): Redirects {
  const result = readRedirects(redirects, expander(around, analyser));
  if (result.writes.length > 0) {
    analyser.start([literalWord(":")], { ...around, assigns: [], writes: result.writes });
  }
  return result;
}

function walkSubstitution(analyser: Analyser) {
  return (part: { script: ParsedScript | undefined }, around: Surroundings): void => {
    if (part.script) walkScript(part.script, around, analyser);
    else analyser.structure.opaque.add("a substitution cannot be read");
  };
}

function expand(nodes: readonly WordNode[], around: Surroundings, analyser: Analyser): Word[] {
  return nodes.flatMap((node) => expandWord(node, expander(around, analyser)));
}

function expander(around: Surroundings, analyser: Analyser) {
  return { analyser, place: { ...around, readers: [] }, walk: walkSubstitution(analyser) };
}

function uncertain(around: Surroundings): Surroundings {
  return around.isCertain ? { ...around, isCertain: false } : around;
}

function deeper(around: Surroundings): Surroundings {
  return { ...around, depth: around.depth + 1 };
}
