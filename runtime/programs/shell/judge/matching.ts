import { basename } from "@std/path";

import type { SimpleCommand } from "../../../../schemas/command.ts";
import type { Arguments } from "../facts/arguments.ts";
import type { Structure } from "../read/structure.ts";

const SEARCHES = new Set(["grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "ugrep"]);
const KILL = /^(?:SIG)?KILL$|^9$/i;

/** Says whether one of the commands passes a test. */
export function some(structure: Structure, test: (command: SimpleCommand) => boolean): boolean {
  return structure.commands.some(test);
}

/** Says whether a program is started, directly or by another program. */
export function starts(structure: Structure, programs: ReadonlySet<string>): boolean {
  return some(
    structure,
    ({ program, via }) => programs.has(program) || via.some((name) => programs.has(basename(name))),
  );
}

/** Says whether a command only looks for the texts in its arguments. */
export function searches({ program, args }: SimpleCommand): boolean {
  return SEARCHES.has(program) || (program === "git" && args.includes("grep"));
}

/** Says whether arguments of `kill` and similar programs name SIGKILL. */
export function sendsKill(args: Arguments): boolean {
  return args.some((arg, at) => {
    if (arg === null || !arg.startsWith("-")) return false;
    if (KILL.test(arg.slice(1))) return true;
    const [name, value] = arg.split("=", 2);
    const isSignal = /^-[sn]$/.test(arg) || (name!.length > 3 && "--signal".startsWith(name!));
    if (isSignal) return KILL.test(value ?? args[at + 1] ?? "");
    return /^-s./.test(arg) && KILL.test(arg.slice(2));
  });
}

/** Says whether a value is among those that an option such as `-o a,b` lists. */
export function listsValue(values: Arguments, wanted: ReadonlySet<string>): boolean {
  return values.some((value) => value?.split(",").some((item) => wanted.has(item)));
}
