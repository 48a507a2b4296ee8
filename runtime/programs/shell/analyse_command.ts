import type { ParsedScript } from "unbash";

import type { Command, CommandAnalysis } from "../../../schemas/command.ts";
import { findForkBomb } from "./read/fork_bomb.ts";
import { newScope, noteChanges } from "./read/scope.ts";
import { startCommand } from "./read/start_command.ts";
import { type Analyser, literalWord, type Structure, type Surroundings } from "./read/structure.ts";
import { readTyped } from "./read/typed_line.ts";
import { walkScript } from "./read/walk_script.ts";
import { assessRisk } from "./judge/assess_risk.ts";
import { brokenRules } from "./judge/broken_rules.ts";

/** Longest text for a shell that is read, in characters. */
const MAX_SCRIPT = 262_144;
/** Most characters that are read in all, with nested texts. */
const MAX_READ = 4 * MAX_SCRIPT;
const MAX_REASONS = 20;

/**
 * Works out which programs a command starts, which files its redirections write, and which rules forbid it.
 * It follows wrappers, shells and substitutions. It never throws because of the command's text, and takes
 * bounded time. What is unknown before the command runs is listed in `opaque`. The result is advice: the box
 * holds the program.
 */
export async function analyseCommand(command: Command): Promise<CommandAnalysis> {
  const isArgv = "argv" in command;
  const structure: Structure = {
    commands: [],
    opaque: new Set(),
    feeds: [],
    substitutions: [],
    opened: [],
    multiplies: false,
    evalsVariable: false,
  };
  const typed = isArgv || !command.typed ? null : readTyped(command.script);
  const isPart = typed?.isPart ?? false;
  const analyser = makeAnalyser(structure, { library: await import("unbash"), isPart });
  try {
    if (isArgv) {
      analyser.start(command.argv.map(literalWord), outermost(command.stdin));
      structure.multiplies ||= findForkBomb(command.argv.join(" ").slice(0, MAX_SCRIPT)) === 0;
    } else analyser.script(typed?.script ?? command.script, outermost());
  } catch (error) {
    // A deeply nested text may use up the stack.
    if (!(error instanceof RangeError)) throw error;
    structure.opaque.add("it is nested too deep to be read");
  }
  if (typed?.isEdited && !isPart) {
    structure.opaque.add(
      "keys, or marks for an earlier line, put words into it that are known only when it runs",
    );
  }
  const rules = brokenRules(structure);
  const { commands } = structure;
  return {
    commands,
    opaque: [...structure.opaque].slice(0, MAX_REASONS),
    rules,
    risk: assessRisk(structure, rules),
  };
}

function makeAnalyser(
  structure: Structure,
  { library, isPart }: { library: typeof import("unbash"); isPart: boolean },
): Analyser {
  let left = MAX_READ;
  const analyser: Analyser = {
    structure,
    library,
    isPart,
    parse(text): ParsedScript | null {
      left -= text.length;
      return left < 0 ? null : library.parse(text);
    },
    script(text, around) {
      readScript(text, around, analyser);
    },
    start: (words, around) => startCommand(words, around, analyser),
  };
  return analyser;
}

function readScript(text: string, around: Surroundings, analyser: Analyser): void {
  const { structure } = analyser;
  if (text.length > MAX_SCRIPT) structure.opaque.add("a text for a shell is too long to be read as a whole");
  // Shells differ in how they treat these.
  if (/[\0\r]/.test(text)) structure.opaque.add("a text for a shell has NUL or carriage return characters");
  const script = analyser.parse(text.slice(0, MAX_SCRIPT));
  if (!script) {
    structure.opaque.add("the texts for shells are too long to be read");
    return;
  }
  // The best-known spelling of the rule against fork bombs cannot be parsed.
  if (script.errors?.length) structure.multiplies ||= findForkBomb(text.slice(0, MAX_SCRIPT)) >= 0;
  noteChanges(around.scope, script, analyser.library);
  walkScript(script, around, analyser);
}

function outermost(text?: string): Surroundings {
  const stdin = text === undefined ? null : { text, printers: [] };
  return { via: [], assigns: [], writes: [], stdin, scope: newScope(), depth: 0, isCertain: true };
}
