import { basename } from "@std/path";

import type { SimpleCommand } from "../../../../schemas/command.ts";
import { isElsewhere } from "../facts/program_lists.ts";
import { isSensitive } from "../facts/option_sensitive.ts";
import { type Analyser, mayBeOption, type Surroundings, type Word } from "./structure.ts";

const MAX_SHOWN = 60;

/** A program about to start. */
export interface Started {
  /** Base name. */
  program: string;
  path: string;
  args: readonly Word[];
  around: Surroundings;
}

/** Returns the last part of a program's path. */
export function programName(path: string): string {
  return basename(path);
}

/**
 * Returns the name of a program that starts another one: a program outside the system's folders by its path.
 */
export function viaName({ program, path }: Started): string {
  return isElsewhere(path) ? path : program;
}

/** Cuts a text that is shown only. */
export function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Adds a command to the structure. */
export function record({ program, path, args, around }: Started, { structure }: Analyser): SimpleCommand {
  const command: SimpleCommand = {
    program,
    path,
    args: args.map(({ value }) => value),
    via: around.via,
    assigns: around.assigns,
    writes: around.writes,
  };
  structure.commands.push(command);
  if (/[^\x20-\x7e]/.test(path)) {
    structure.opaque.add(`the name ${JSON.stringify(shortened(path))} has unusual letters`);
  }
  if (isSensitive(program) && optionPlaces(program, args).some(mayBeOption)) {
    structure.opaque.add(`${program} gets an argument that is decided when it runs`);
  }
  return command;
}

/** Returns the arguments that may be options. */
function optionPlaces(program: string, args: readonly Word[]): readonly Word[] {
  if (program === "printf") return args.slice(0, 1);
  const end = args.findIndex(({ value }) => value === "--");
  return end < 0 ? args : args.slice(0, end);
}

/** Adds an empty command for the files that redirections around an analysed program write. */
export function holdWrites(around: Surroundings, analyser: Analyser): void {
  if (around.writes.length > 0) record({ program: ":", path: ":", args: [], around }, analyser);
}
