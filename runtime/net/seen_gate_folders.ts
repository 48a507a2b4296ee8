import { join } from "@std/path";

import type { Grants } from "../../schemas/grants.ts";
import { covers } from "../walls/grants/path_access.ts";

/** A socket's path may have 107 bytes: the user's own folder for temporary files may be too long. */
export const GATES_PARENT = "/tmp";
/** Not what earlier versions had, which took for dead what answers at no socket. */
export const GATE_PREFIX = "bulkhead-sockets-";

/**
 * Returns the folders of all gates, those of other runs too, where programs would see them: who opens a socket there is
 * taken for whom it was made for. Needs `read`.
 */
export function seenGateFolders({ allow, sandboxShow }: Pick<Grants, "allow" | "sandboxShow">): string[] {
  if (![allow.read, allow.write, sandboxShow].some((scope) => covers(scope, GATES_PARENT))) return [];
  try {
    return [...Deno.readDirSync(GATES_PARENT)].filter(({ name }) => name.startsWith(GATE_PREFIX))
      .map(({ name }) => join(GATES_PARENT, name));
  } catch {
    return [];
  }
}
