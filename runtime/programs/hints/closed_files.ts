import { relative, resolve } from "@std/path";

import type { CommandAnalysis } from "../../../schemas/command.ts";
import { isInside } from "../../walls/grants/inside.ts";
import type { Outlook } from "../box/outlook.ts";
import type { Cause } from "./cause.ts";

/** What programs say of a file that a box holds as it is: it cannot be written, or not be replaced. */
const REFUSED = /read-only file system|device or resource busy|\bEROFS\b|\bEBUSY\b/i;
/** What they say of one that it closes. */
const CLOSED = /permission denied|\bEACCES\b/i;
/** Of git, if its settings could not be written: the line names a setting alone. */
const NO_SETTING = /^(?:fatal|error): could not (?:un)?set '/m;
/** Most files that are named. */
const MAX_NAMED = 3;

/** Returns the protected files that a program tried to change and the secrets that it tried to open, by what it said. */
export function closedTold(output: string, outlook: Outlook): Cause[] {
  const { closed: { frozen, hidden }, cwd } = outlook;
  const lines = output.split("\n");
  const refused = lines.filter((line) => REFUSED.test(line));
  const denied = lines.filter((line) => CLOSED.test(line));
  return [
    ...frozen.filter((path) =>
      names(path, cwd, refused) || NO_SETTING.test(output) && path.endsWith("/.git/config")
    )
      .flatMap((path) => causeOf("protected", path, outlook)).slice(0, MAX_NAMED),
    ...hidden.filter((path) => names(path, cwd, denied))
      .flatMap((path) => causeOf("secret", path, outlook)).slice(0, MAX_NAMED),
  ];
}

/** Returns the secrets that the words of a command name. */
export function closedNamed({ commands }: CommandAnalysis, outlook: Outlook): Cause[] {
  const { closed: { hidden }, cwd } = outlook;
  const named = commands.flatMap(({ args }) => args.filter((arg) => arg !== null && !arg.startsWith("-")))
    .map((arg) => resolve(cwd, arg!));
  return hidden.filter((path) => named.some((one) => isInside(path, one)))
    .flatMap((path) => causeOf("secret", path, outlook)).slice(0, MAX_NAMED);
}

/** Nothing opens what is denied. */
function causeOf(kind: "protected" | "secret", path: string, { cwd, opens }: Outlook): Cause[] {
  const flags = (kind === "protected" ? opens.write : opens.secret)(path);
  return flags.length === 0 ? [] : [{ kind, shown: relative(cwd, path), flags }];
}

/** A program may have changed its folder: then it names the last parts of the path. */
function names(path: string, cwd: string, lines: readonly string[]): boolean {
  if (lines.length === 0) return false;
  const ends = [path, relative(cwd, path), path.split("/").slice(-2).join("/")];
  return lines.some((line) => ends.some((end) => holdsPath(line, end)));
}

/** `no/.env` and `.env.old` do not name `.env`. */
function holdsPath(line: string, path: string): boolean {
  for (let at = line.indexOf(path); at >= 0; at = line.indexOf(path, at + 1)) {
    const before = line.slice(0, at);
    const after = line.slice(at + path.length);
    if (!/[\w-]\/?$/.test(before) && !/^[\w-]|^\.\w/.test(after)) return true;
  }
  return false;
}
