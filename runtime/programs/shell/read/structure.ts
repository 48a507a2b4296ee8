import type { ParsedScript } from "unbash";

import type { SimpleCommand } from "../../../../schemas/command.ts";
import type { Scope } from "./scope.ts";

/** How a text asks for the output of a command. */
export type Syntax = "dollar-paren" | "backtick";

/** The output of a command that becomes text of the command line: it is run, or it is only a word. */
export interface Substitution {
  syntax: Syntax;
  place: "program" | "eval" | "shell" | "word";
}

/** What `from` prints is read as a program by `to`. */
export interface Feed {
  from: readonly SimpleCommand[];
  to: SimpleCommand;
}

/** All that is known of a command before the rules look at it. */
export interface Structure {
  commands: SimpleCommand[];
  opaque: Set<string>;
  feeds: Feed[];
  substitutions: Substitution[];
  /** Files that redirections name, as written. */
  opened: string[];
  /** A function starts itself more than once, or in the background. */
  multiplies: boolean;
  /** A text for `eval` holds a variable or a substitution. */
  evalsVariable: boolean;
}

/** Says whether a command does what its words name. */
export type Rule = (structure: Structure) => boolean;

/** A word after expansion. */
export interface Word {
  /** `null` if it is unknown before the command runs. */
  value: string | null;
  /** As written. */
  text: string;
  /** The known start of the word, if `value` is `null`. */
  prefix: string;
  /** It has wildcards, so that it may stand for other words. */
  isPattern: boolean;
  /** Substitutions in it. */
  syntaxes: readonly Syntax[];
  /** Commands whose output it holds or leads to. */
  printers: readonly SimpleCommand[];
}

/** What stands on a command's stdin. */
export interface Stdin {
  /** `null` if it is unknown. */
  text: string | null;
  /** Commands that print it. */
  printers: readonly SimpleCommand[];
}

/** Where a command starts. */
export interface Surroundings {
  via: readonly string[];
  assigns: readonly string[];
  writes: readonly (string | null)[];
  /** `null` if nothing was written to stdin. */
  stdin: Stdin | null;
  scope: Scope;
  /** How many texts it is nested in. */
  depth: number;
  /** It certainly runs, once, in the shell itself: what it defines holds for the commands after it. */
  isCertain: boolean;
}

/** Takes words and texts apart, and adds what it finds to the structure. */
export interface Analyser {
  structure: Structure;
  library: typeof import("unbash");
  /** The text is a part of a line, which need not be shell text: if it cannot be parsed, that says nothing. */
  isPart: boolean;
  /** Returns `null` if the text is too long to be read. */
  parse(text: string): ParsedScript | null;
  /** Takes a text for a shell apart. */
  script(text: string, surroundings: Surroundings): void;
  /** Takes the words of one command apart. */
  start(words: readonly Word[], surroundings: Surroundings): void;
}

/** Makes a word that is known. */
export function literalWord(value: string): Word {
  return { value, text: value, prefix: value, isPattern: false, syntaxes: [], printers: [] };
}

/** Makes a word that is unknown before the command runs. */
export function unknownWord(text: string, parts: Partial<Word> = {}): Word {
  return { value: null, text, prefix: "", isPattern: false, syntaxes: [], printers: [], ...parts };
}

/** Says whether an unknown word might be an option. */
export function mayBeOption(word: Word): boolean {
  return word.value === null && (word.prefix === "" || word.prefix.startsWith("-"));
}

/** Returns where a command starts one text further in, in its own shell or in the same one. */
export function inside(surroundings: Surroundings, program: string, scope: Scope): Surroundings {
  return {
    ...surroundings,
    via: [...surroundings.via, program],
    assigns: [],
    writes: [],
    scope,
    depth: surroundings.depth + 1,
    isCertain: scope !== surroundings.scope,
  };
}
