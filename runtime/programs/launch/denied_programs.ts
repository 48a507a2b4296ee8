import type { Grants } from "../../../schemas/grants.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { deniedFiles } from "./may_start.ts";

/** Folders where a denied program is looked for, beside the search path. */
const SYSTEM_BINS = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"];

/** Returns the files of denied programs. In a box, other programs cannot start them either: they are hidden. */
export function deniedPrograms({ deny }: Grants, path: string): string[] {
  const folders = [...path.split(":"), ...SYSTEM_BINS];
  return deny.run === true ? [] : deny.run.flatMap((name) => deniedFiles(name, realOrNull, folders));
}

/** Returns a shell of the system that is not hidden, `null` if all are. */
export function shellBeside(hidden: readonly string[]): string | null {
  const isOpen = (shell: string) => {
    const real = realOrNull(shell);
    return real !== null && !hidden.includes(real);
  };
  return ["/bin/sh", "/bin/bash"].find(isOpen) ?? null;
}
