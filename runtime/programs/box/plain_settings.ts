import { join } from "@std/path";

import type { FileGrants } from "../../../schemas/grants.ts";
import { withoutLogins } from "../../walls/files/logins.ts";
import { covers } from "../../walls/grants/path_access.ts";
import { isOdd } from "../bytes/odd_names.ts";
import type { Finding } from "../protected/scan_folder.ts";

/** A file, and the copy that a box shows in its place. */
export interface Replaced {
  path: string;
  copy: string;
}

/**
 * Returns a function that copies settings of git without what logs in somewhere: git must read them, and the program must
 * not learn a password. Each text is copied once. Needs `read` of them and `write` of the folder, which is made if a copy
 * is needed.
 */
export function makePlainSettings(makeFolder: () => Promise<string>) {
  const copies = new Map<string, string>();
  return async (
    findings: readonly Finding[],
    { secrets, writeNamed }: Pick<FileGrants, "secrets" | "writeNamed">,
  ): Promise<Replaced[]> => {
    const replaced: Replaced[] = [];
    for (const { path, kind, info } of findings) {
      if (kind !== "protected" || !info.isFile || isOdd(path)) continue;
      // A program that may write a file must get the file itself.
      if (covers(secrets, path) || covers(writeNamed, path)) continue;
      const text = withoutLogins(path);
      if (text === null) continue;
      const copy = copies.get(text) ?? join(await makeFolder(), `settings-${crypto.randomUUID()}`);
      if (!copies.has(text)) await Deno.writeTextFile(copy, text, { createNew: true, mode: 0o600 });
      copies.set(text, copy);
      replaced.push({ path, copy });
    }
    return replaced;
  };
}
