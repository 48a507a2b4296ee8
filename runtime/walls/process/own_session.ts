import { findProgram } from "../files/find_program.ts";
import { SYSTEM_PATH } from "../files/trusted_path.ts";

/** How to start a program in a session of its own: Ctrl-C in main's terminal does not reach it, and it leads its group. */
export interface OwnSession {
  argv: string[];
  /** The runtime makes the session. */
  detached: boolean;
}

/**
 * Returns how to start a program in a session of its own. The runtime itself would copy the page tables of main for it, which
 * takes 10 ms once main is large; `setsid` of the system takes 2. Needs `read` and `run` of that, else the runtime does it.
 */
export function inOwnSession(argv: readonly string[]): OwnSession {
  const setsid = Deno.build.os === "linux" ? findSetsid() : null;
  return setsid === null ? { argv: [...argv], detached: true } : { argv: [setsid, ...argv], detached: false };
}

function findSetsid(): string | null {
  const may = (asked: Deno.PermissionDescriptor) => Deno.permissions.querySync(asked).state === "granted";
  for (const folder of SYSTEM_PATH.split(":")) {
    if (!may({ name: "read", path: folder })) continue;
    const path = findProgram("setsid", folder);
    if (path !== null && may({ name: "run", command: path })) return path;
  }
  return null;
}
