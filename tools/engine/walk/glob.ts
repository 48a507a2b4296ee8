import { ToolError } from "../../../schemas/error.ts";
import { expandBraces } from "./expand_braces.ts";
import { compileWildcard, type NameTest } from "./wildcard.ts";

/**
 * How far paths have been matched: positions in the glob's components. Made by a {@linkcode Glob} and used
 * only by it.
 */
export type GlobStates = readonly number[];

/** A compiled glob, matched one path component at a time so that a walk can leave out what cannot match. */
export interface Glob {
  /** The states of the folder where the search starts. */
  readonly start: GlobStates;
  /** Returns the states of an entry from those of its folder; empty if nothing at or below it can match. */
  step(states: GlobStates, name: string): GlobStates;
  /** The same without what `**` met: it follows no links, but a component that fits a link names it. */
  stepNamed(states: GlobStates, name: string): GlobStates;
  /** Says whether an entry with these states matches. */
  accepts(states: GlobStates, kind: "file" | "folder"): boolean;
  /** Says whether something below a folder with these states can match. */
  descends(states: GlobStates): boolean;
}

/** Options of {@linkcode compileGlob}. */
export interface GlobOptions {
  /** Words in front of the reason of a refusal. @default "Invalid glob pattern" */
  lead?: string;
  /**
   * Whether `**` must be a whole component, or may cross folders inside one as in `a**.ts`. @default
   * "component"
   */
  doubleStar?: "component" | "anywhere";
}

const MAX_LENGTH = 4096;
const MAX_ALTERNATIVES = 256;

/**
 * Compiles a glob in the manner of Python's pathlib, with `{a,b}`: `*`, `?` and `[…]` stay within a component
 * and match dotfiles, `**` stands for any number of folders, case counts, a final `/` asks for folders.
 *
 * @throws {ToolError} `invalid_input` for patterns that are absolute, climb with `..`, or misuse `**`
 */
export function compileGlob(pattern: string, options: GlobOptions = {}): Glob {
  const { lead = "Invalid glob pattern", doubleStar = "component" } = options;
  const refuse = (reason: string) =>
    new ToolError("invalid_input", `${lead}: ${reason}`, { details: { pattern } });
  if (pattern.length > MAX_LENGTH) throw refuse(`the pattern has more than ${MAX_LENGTH} characters`);
  const alternatives = expandPattern(pattern, doubleStar);
  if (!alternatives || alternatives.length > MAX_ALTERNATIVES) {
    throw refuse(`"${pattern}" expands to more than ${MAX_ALTERNATIVES} alternatives`);
  }
  const program: Step[] = [];
  const starts: number[] = [];
  for (const alternative of alternatives) {
    const reason = refuseAlternative(alternative);
    if (reason) throw refuse(reason);
    starts.push(program.length);
    program.push(...compileAlternative(alternative));
  }
  return createGlob(program, starts);
}

function expandPattern(pattern: string, doubleStar: "component" | "anywhere"): string[] | null {
  const alternatives = expandBraces(pattern, MAX_ALTERNATIVES);
  if (!alternatives || doubleStar === "component") return alternatives;
  const spread = alternatives.map((alternative) =>
    expandBraces(spreadDoubleStars(alternative), MAX_ALTERNATIVES)
  );
  return spread.includes(null) ? null : spread.flatMap((each) => each ?? []);
}

/** Inside a component, two stars cross folders or do not: one star, or one star in each of two folders. */
function spreadDoubleStars(alternative: string): string {
  return alternative.split("/").map((component) => {
    if (/^\**$/.test(component)) return component.length > 2 ? "**" : component;
    return component.replaceAll(/\*{2,}/g, "{*,*/**/*}");
  }).join("/");
}

function refuseAlternative(alternative: string): string | null {
  if (alternative.includes("\0")) return "the pattern holds a null byte";
  if (alternative.startsWith("/")) {
    return `"${alternative}" is absolute; give the folder as path and a pattern relative to it`;
  }
  const components = alternative.split("/");
  if (components.includes("..")) {
    return `"${alternative}" climbs with ".."; give the upper folder as path instead`;
  }
  if (components.every((component) => component === "" || component === ".")) {
    return `"${alternative}" names no entry below the search root`;
  }
  const misused = components.some((component) => component.includes("**") && component !== "**");
  return misused ? "Invalid pattern: '**' can only be an entire path component" : null;
}

type Step = { kind: "folders" } | { kind: "name"; test: NameTest } | { kind: "end"; foldersOnly: boolean };

function compileAlternative(alternative: string): Step[] {
  const steps: Step[] = [];
  for (const component of alternative.split("/")) {
    if (component === "" || component === ".") continue;
    if (component !== "**") steps.push({ kind: "name", test: compileWildcard(component) });
    else if (steps.at(-1)?.kind !== "folders") steps.push({ kind: "folders" });
  }
  steps.push({ kind: "end", foldersOnly: alternative.endsWith("/") });
  return steps;
}

function createGlob(program: readonly Step[], starts: readonly number[]): Glob {
  const add = (states: number[], state: number) => {
    for (let at = state; !states.includes(at); at++) {
      states.push(at);
      if (program[at]!.kind !== "folders") return;
    }
  };
  const start: number[] = [];
  for (const state of starts) add(start, state);
  const after = (states: GlobStates, name: string, isNamed: boolean) => {
    const next: number[] = [];
    for (const state of states) {
      const step = program[state]!;
      if (step.kind === "name" && step.test(name)) add(next, state + 1);
      else if (step.kind === "folders" && !isNamed) add(next, state);
    }
    return next;
  };
  return {
    start,
    step: (states, name) => after(states, name, false),
    stepNamed: (states, name) => after(states, name, true),
    accepts(states, kind) {
      return states.some((state) => {
        const step = program[state]!;
        return step.kind === "end" && (kind === "folder" || !step.foldersOnly);
      });
    },
    descends: (states) => states.some((state) => program[state]!.kind !== "end"),
  };
}
