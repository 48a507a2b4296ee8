import { findProgram } from "../../walls/files/find_program.ts";
import { SYSTEM_PATH } from "../../walls/files/trusted_path.ts";

/** Programs of the system that help to start, watch and end others; `null` for one that is not installed. */
export interface SystemPrograms {
  sh: string;
  bash: string | null;
  /** Of util-linux: ties a program's life to its parent's. */
  setpriv: string | null;
  /** Of util-linux: enters the network of a bridge. */
  nsenter: string | null;
  /** Of util-linux: gives a program a terminal. */
  script: string | null;
  stty: string | null;
}

/**
 * Looks for the helping programs. The system's folders come first, so that a project's folder on the search path cannot
 * replace a helper. Needs `read` of the folders.
 */
export function findSystemPrograms(searchPath: string): SystemPrograms {
  const find = (name: string) => findProgram(name, `${SYSTEM_PATH}:${searchPath}`);
  return {
    sh: find("sh") ?? "/bin/sh",
    bash: find("bash"),
    setpriv: Deno.build.os === "linux" ? find("setpriv") : null,
    nsenter: Deno.build.os === "linux" ? find("nsenter") : null,
    script: Deno.build.os === "linux" ? find("script") : null,
    stty: find("stty"),
  };
}
