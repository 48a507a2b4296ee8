import { basename } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import type { Grants } from "../../../schemas/grants.ts";
import { BOXED_PROGRAMS } from "../../walls/grants/policies.ts";
import type { FoundProgram } from "./find_command.ts";

/** Other facts that decide whether a program may start. */
export interface StartFacts {
  /** Why there is no box, `null` if there is one. */
  noBox: string | null;
  /** The user named every program of the shell's script. */
  vouched: boolean;
  /** Returns the real path of a file, `null` if there is no file. */
  realOrNull(name: string): string | null;
}

const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish"]);
/** One file that is many programs. Refusing one of its names does not refuse the others. */
const MANY_IN_ONE: ReadonlySet<string> = new Set(["busybox", "toybox", "coreutils"]);

/**
 * Refuses a program that the grants do not allow. A denied program never starts. A program that the user did
 * not name starts only in a box. Under a read-only policy, every program needs a box.
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

/** Returns the files of a denied program that must not be executed, without those of other programs. */
export function deniedFiles(
  name: string,
  realOrNull: (path: string) => string | null,
  folders: readonly string[],
) {
  const places = name.includes("/") ? [name] : folders.map((folder) => `${folder}/${name}`);
  const files = places.map(realOrNull).filter((path) => path !== null);
  return [...new Set(files)].filter((path) => !MANY_IN_ONE.has(basename(path)));
}

/** A name stands for the file that the search path finds. The same name elsewhere is another program. */
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
