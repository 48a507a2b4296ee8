import { join } from "@std/path";

import { compileBundle } from "../compile/compile_bundle.ts";
import { systemOf, type Target } from "./targets.ts";

/** Enough of a program to see what it was made for. */
const HEAD_BYTES = 4096;

/** Where binaries come from. */
export interface BinarySources {
  /** The Deno that compiles. */
  deno: string;
  /** Folder with the bundle of the program; made when it is first needed. */
  bundle(): Promise<string>;
  /** Binaries that another machine made, by the names of their systems. */
  ready: Readonly<Record<string, string>>;
  /** Runtimes of Deno, by the names of their systems. A system without one gets what Deno fetches. */
  runtimes: Readonly<Record<string, string>>;
}

/** A binary, or why there is none. */
export type Binary = { target: Target; path: string } | { target: Target; reason: string };

/**
 * Makes the binary of a system in a folder. Needs `--allow-run`, `--allow-read` and `--allow-write`.
 *
 * @returns With the reason in its place, if Deno has no runtime for the system or the file is made for another one
 */
export async function makeBinary(target: Target, folder: string, sources: BinarySources): Promise<Binary> {
  const { deno, ready, runtimes } = sources;
  const path = join(folder, target.file);
  const given = ready[target.name];
  try {
    if (given === undefined) {
      const denort = runtimes[target.name] ?? null;
      await compileBundle({
        deno,
        bundle: await sources.bundle(),
        output: path,
        triple: target.triple,
        denort,
      });
    } else {
      await Deno.copyFile(given, path);
      await Deno.chmod(path, 0o755);
    }
  } catch (error) {
    return { target, reason: error instanceof Error ? error.message : String(error) };
  }
  const system = systemOf(await headOf(path));
  if (system === target.name) return { target, path };
  return { target, reason: `the file is a program for ${system ?? "no system that is known"}` };
}

async function headOf(path: string): Promise<Uint8Array> {
  using file = await Deno.open(path);
  const head = new Uint8Array(HEAD_BYTES);
  return head.subarray(0, await file.read(head) ?? 0);
}
