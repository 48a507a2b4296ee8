import { basename } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import type { Grants } from "../../../schemas/grants.ts";
import { flagWord, showFlags } from "../../walls/grants/flag_word.ts";
import type { FoundProgram } from "../plan/find_command.ts";

/** Other facts that decide whether a program may start. */
export interface StartFacts {
  /** Why there is no box, `null` if there is one. */
  noBox: string | null;
  /** Returns the real path of a file, `null` if there is no file. */
  realOrNull(name: string): string | null;
}

/** One file that is many programs. Refusing one of its names does not refuse the others. */
const MANY_IN_ONE: ReadonlySet<string> = new Set(["busybox", "toybox", "coreutils"]);

/**
 * Refuses a program that the grants do not allow. A denied program never starts. In a box every other program starts.
 * Without one only programs start that the user named, and none under a read-only policy.
 *
 * @throws {ToolError} `permission_denied`, with the flags that would grant it
 */
export function checkStart(program: FoundProgram, grants: Grants, facts: StartFacts): void {
  const { allow: { run: allow }, deny: { run: deny }, policy } = grants;
  if (deny === true || deny.some((name) => isDenied(name, program, facts))) {
    throw refusal(program, grants, {
      flag: "--deny-run",
      flags: [],
      why: "it is denied by --deny-run or the configuration",
    });
  }
  const named = allow === true || allow.some((name) => isNamed(name, program));
  if (facts.noBox === null || (named && policy === "coder")) return;
  const lacking = flagWord("--allow-run", [program.asked.includes("/") ? program.path : program.asked]);
  const flags = [...policy === "coder" ? [] : ["--policy=coder"], ...named ? [] : [lacking]];
  const only = policy === "coder"
    ? "only programs that --allow-run names"
    : `no program runs under policy ${policy}`;
  const why = `there is no sandbox (${facts.noBox}), and without one ${only}, pass ${
    showFlags(flags)
  } to grant it`;
  throw refusal(program, grants, { flag: flags[0]!, flags, why });
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
  { flag, flags, why }: { flag: string; flags: readonly string[]; why: string },
): ToolError {
  const { asked, path } = program;
  const shown = asked === path ? `"${asked}"` : `"${asked}" (${path})`;
  const reason = flags.length > 0 ? "outside" : "denied";
  const pass = flags.length > 0 ? { pass: showFlags(flags) } : {};
  return new ToolError("permission_denied", `Cannot run ${shown}: ${why}`, {
    details: { kind: "run", target: asked, reason, flag, flags, ...pass, path, asked, workspace },
  });
}
