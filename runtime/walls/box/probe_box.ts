import { tryProgram } from "../process/try_program.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { readBoxFacts } from "./lack/box_facts.ts";
import { KERNEL_FOLDERS } from "./bubblewrap.ts";
import { brokenBox, explainBox, missingBox } from "./lack/lack_of_box.ts";

/** The result of trying bubblewrap. */
export type BoxState = { works: true; bwrap: string } | { works: false; reason: string; advice: string };

/** Longest time for the trial, in milliseconds: a machine that is only busy must not lose its box. */
const TRIAL_MS = 20_000;

/**
 * Tries bubblewrap with a real command under the options that rooms use. An installed bubblewrap is often not
 * allowed to make namespaces (containers, hardened kernels). Only a trial shows that. Needs `run`.
 *
 * @param bwrap Absolute path, or `null` if it is not installed
 */
export async function probeBox(bwrap: string | null): Promise<BoxState> {
  if (Deno.build.os !== "linux") {
    const reason = `bubblewrap is for Linux alone, and this is ${Deno.build.os}`;
    return { works: false, reason, advice: "use a machine with Linux" };
  }
  if (bwrap === null) return { works: false, ...missingBox() };
  const argv = [
    bwrap,
    ...["--unshare-user", "--unshare-all", "--disable-userns", "--die-with-parent", "--cap-drop", "ALL"],
    ...["--ro-bind", "/usr", "/usr", "--ro-bind-try", "/lib", "/lib", "--ro-bind-try", "/lib64", "/lib64"],
    ...[...KERNEL_FOLDERS, "--", "/usr/bin/true"],
  ];
  try {
    const { success, stderr } = await tryProgram(argv, { ms: TRIAL_MS });
    if (success) return { works: true, bwrap };
    return { works: false, ...explainBox(bwrap, onOneLine(stderr), await readBoxFacts()) };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { works: false, ...brokenBox(bwrap, said) };
  }
}
