import { landlockOf } from "../walls/box/choose_box.ts";
import { flagWord, showFlags } from "../walls/grants/flag_word.ts";
import { BOXED_PROGRAMS } from "../walls/grants/policies.ts";
import type { Host } from "./open_host.ts";

/** Says what a person must know of the walls of a run's programs; `null` if nothing. Throws as {@linkcode noBoxNotice} does. */
export async function wallNotice(host: Pick<Host, "box" | "grants">): Promise<string | null> {
  const notice = await noBoxNotice(host);
  if (notice !== null || await landlockOf(host.box) === null) return notice;
  return "programs run behind Landlock, which holds less than a sandbox of namespaces: see bulkhead doctor --sandbox landlock";
}

/**
 * Says what programs may do where there is no sandbox, and which flags let them run; `null` if there is one.
 *
 * @throws {ToolError} `configuration` if the sandbox is required
 */
export async function noBoxNotice({ box, grants }: Pick<Host, "box" | "grants">): Promise<string | null> {
  if (await box.isUsed()) return null;
  const state = await box.state();
  const why = state.works ? "--sandbox off" : state.reason;
  const { policy, allow: { run } } = grants;
  if (run === true && policy === "coder") {
    return `no sandbox here (${why}): programs run outside of one, with all that you may do`;
  }
  const named = run === true ? [] : run.filter((name) => name !== BOXED_PROGRAMS);
  const flags = [
    ...policy === "coder" ? [] : ["--policy=coder"],
    ...run === true || named.includes("bash") ? [] : [flagWord("--allow-run", ["bash"])],
  ];
  const but = named.length > 0 && policy === "coder" ? `all programs but ${named.join(", ")}` : "programs";
  return flags.length === 0
    ? `no sandbox here (${why}): ${but} are refused`
    : `no sandbox here (${why}): ${but} are refused; ${
      showFlags(flags)
    } lets every command run outside of one`;
}
