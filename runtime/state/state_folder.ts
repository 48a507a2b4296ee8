import { isAbsolute, join } from "@std/path";

import type { Grants } from "../../schemas/grants.ts";
import { deepestReal, realOrNull } from "../walls/files/file_facts.ts";
import { covers } from "../walls/grants/path_access.ts";

/** Returns where bulkhead keeps what outlives a run; a relative folder counts as none, as the XDG specification says. */
export function stateFolder(xdg: string | undefined, home: string): string | null {
  const folder = xdg !== undefined && isAbsolute(xdg)
    ? xdg
    : isAbsolute(home)
    ? `${home}/.local/state`
    : null;
  return folder && join(folder, "bulkhead");
}

/**
 * Returns what no program of a run may see of bulkhead's own. A box can hide only what is there: a folder that was made
 * later, within what programs see, would be theirs. So it is made at once if it would lie there. Needs `read` and `write`.
 */
export function hiddenState(state: string | null, { allow }: Pick<Grants, "allow">): string[] {
  if (state === null) return [];
  const seen = deepestReal(state);
  if (covers(allow.read, seen) || covers(allow.write, seen)) makeFolder(state);
  return [realOrNull(state) ?? state];
}

/** Where nothing can be made, nothing is kept either. */
function makeFolder(path: string): void {
  try {
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
  }
}
