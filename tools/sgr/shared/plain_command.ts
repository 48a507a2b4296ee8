import { ToolError } from "../../../schemas/error.ts";
import type { CommandSettings } from "./command_settings.ts";

/** A word, or a quoted part of one, in which a shell would do nothing. */
const PART = /'([^']*)'|"([^"$`\\!]*)"|([\w%+,./:=@^-]+)/y;

/**
 * Reads a command as one program with its arguments, without a shell: only so can the program that is started be held to
 * a list.
 *
 * @throws {ToolError} `invalid_input` for what only a shell understands
 */
export function plainWords(command: string): [string, ...string[]] {
  const words: string[] = [];
  const text = command.trim();
  let at = 0;
  let open = false;
  while (at < text.length) {
    if (text[at] === " " || text[at] === "\t") {
      open = false;
      at++;
      continue;
    }
    PART.lastIndex = at;
    const found = PART.exec(text);
    if (found === null) throw shellWords(text.slice(at, at + 20));
    const part = found[1] ?? found[2] ?? found[3] ?? "";
    if (open) words.push(`${words.pop()}${part}`);
    else words.push(part);
    open = true;
    at = PART.lastIndex;
  }
  const [program, ...rest] = words;
  if (program === undefined || program === "") throw new ToolError("invalid_input", "command is empty");
  if (/^\w+=/.test(program)) throw shellWords(program);
  return [program, ...rest];
}

/**
 * Returns the commands to try one after the other, the first that is there is run: each starts a program of the list of
 * those included. That list goes before the one of those excluded.
 *
 * @throws {ToolError} `permission_denied` for a program that is not included, or is excluded
 */
export function allowedCommands(
  [program, ...rest]: readonly [string, ...string[]],
  { include, exclude }: Pick<CommandSettings, "include" | "exclude">,
): string[][] {
  if (program.split("/").includes("..")) throw notAllowed(program, 'it is written with ".."');
  if (include.length === 0) {
    if (exclude.some((entry) => isMeant(program, entry) || lastOf(entry) === lastOf(program))) {
      throw notAllowed(program, "it is excluded");
    }
    return [[program, ...rest]];
  }
  const isPath = program.includes("/");
  const programs = include.flatMap((entry) => {
    if (isMeant(program, entry)) return [program];
    // A name means the program of that name in an included folder, or the included program of that name.
    if (isPath || !entry.startsWith("/")) return [];
    return lastOf(entry) === program ? [entry] : [`${entry.replace(/\/+$/, "")}/${program}`];
  });
  if (programs.length === 0) throw notIncluded(program, include);
  return programs.map((one) => [one, ...rest]);
}

/** The entry is the program itself, or a folder above it. */
function isMeant(program: string, entry: string): boolean {
  return program === entry || (entry.startsWith("/") && program.startsWith(`${entry.replace(/\/+$/, "")}/`));
}

function lastOf(path: string): string {
  return path.replace(/\/+$/, "").split("/").at(-1)!;
}

function shellWords(where: string): ToolError {
  return new ToolError(
    "invalid_input",
    `Only one program with plain arguments can be run here, as the user lists which programs may be started; a shell is ` +
      `needed for ${JSON.stringify(where)}`,
  );
}

/** The error for a program that is none of those that may be started. */
export function notIncluded(program: string, include: readonly string[]): ToolError {
  return notAllowed(program, `only these may be started: ${include.join(", ")}`);
}

function notAllowed(program: string, why: string): ToolError {
  return new ToolError("permission_denied", `Cannot run ${JSON.stringify(program)}: ${why}`, {
    details: { kind: "run", target: program, reason: "denied" },
  });
}
