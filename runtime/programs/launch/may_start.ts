import { basename } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import type { Grants } from "../../../schemas/grants.ts";
import { BOXED_PROGRAMS } from "../../walls/grants/policies.ts";
import type { FoundProgram } from "./find_command.ts";

/** What else decides whether a program may start. */
export interface StartFacts {
  /** Why there is no box, `null` if there is one. */
  noBox: string | null;
  /** Every program of the shell's script was found among those that the user names. */
  vouched: boolean;
  /** Returns the real path of what a name stands for, `null` if for nothing. */
  realOrNull(name: string): string | null;
}

const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish"]);
/** One file that is many programs: to refuse one of its names is not to refuse them all. */
const MANY_IN_ONE: ReadonlySet<string> = new Set(["busybox", "toybox", "coreutils"]);

/**
 * Refuses a program that the grants do not let start: what is denied never does; what is not named only starts in a
 * box, and under a read-only policy nothing starts without one.
 *
 * @throws {ToolError} `permission_denied`, with the flag that would grant it
 */
export function checkStart(program: FoundProgram, grants: Grants, facts: StartFacts): void {
  const { allow: { run: allow }, deny: { run: deny }, policy } = grants;
  if (deny === true || deny.some((name) => isDenied(name, program, facts))) {
    throw refusal(program, grants, {
      reason: "denied",
      flag: "--deny-run",
      why: "it is denied by --deny-run",
    });
  }
  const named = allow === true || allow.some((name) => isNamed(name, program));
  const flag = `--allow-run=${program.asked}`;
  if (facts.noBox !== null) {
    const alone = `there is no sandbox (${facts.noBox}), and without one`;
    if (policy !== "coder") {
      const why = `${alone} no program runs under policy ${policy}`;
      throw refusal(program, grants, { reason: "outside", flag: "--policy=coder", why });
    }
    if (named) return;
    const why = `${alone} only programs that --allow-run names, pass ${flag} to grant it`;
    throw refusal(program, grants, { reason: "outside", flag, why });
  }
  if (named || allow.includes(BOXED_PROGRAMS)) return;
  if (facts.vouched && program.onPath && SHELLS.has(basename(program.path))) return;
  const why = `it is not among the programs that --allow-run names, pass ${flag} to grant it`;
  throw refusal(program, grants, { reason: "outside", flag, why });
}

/** Returns the files that must not be executed for a denied program, as far as they are no other program too. */
export function deniedFiles(
  name: string,
  realOrNull: (path: string) => string | null,
  folders: readonly string[],
) {
  const places = name.includes("/") ? [name] : folders.map((folder) => `${folder}/${name}`);
  const files = places.map(realOrNull).filter((path) => path !== null);
  return [...new Set(files)].filter((path) => !MANY_IN_ONE.has(basename(path)));
}

/** A name stands for what the search path finds: a file of that name elsewhere is another program. */
function isNamed(name: string, { path, real, onPath }: FoundProgram): boolean {
  if (name.includes("/")) return name === path || name === real;
  return onPath && (basename(path) === name || basename(real) === name);
}

function isDenied(name: string, { asked, path, real }: FoundProgram, { realOrNull }: StartFacts): boolean {
  const behind = realOrNull(name);
  if (behind === real && !MANY_IN_ONE.has(basename(real))) return true;
  if (name.includes("/")) return name === path || name === real;
  return [asked, path, real].some((spelled) => basename(spelled) === name);
}

function refusal(
  program: FoundProgram,
  { workspace }: Grants,
  { reason, flag, why }: { reason: "outside" | "denied"; flag: string; why: string },
): ToolError {
  const { asked, path } = program;
  const shown = asked === path ? `"${asked}"` : `"${asked}" (${path})`;
  return new ToolError("permission_denied", `Cannot run ${shown}: ${why}`, {
    details: { kind: "run", target: asked, reason, flag, path, asked, workspace },
  });
}
