import { findProgram } from "../../runtime/walls/files/find_program.ts";

export function hasProgram(name: string): boolean {
  return findProgram(name, Deno.env.get("PATH") ?? "") !== null;
}

/** Registers a test that needs some programs of the system; elsewhere it is reported as ignored, with the reason. */
export function programTest(name: string, programs: readonly string[], run: () => Promise<void>): void {
  const missing = programs.filter((program) => !hasProgram(program));
  const why = missing.length === 0 ? "" : ` (needs ${missing.join(", ")})`;
  Deno.test({ name: `${name}${why}`, ignore: missing.length > 0, fn: run });
}
