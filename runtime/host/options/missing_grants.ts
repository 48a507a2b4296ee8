import { dirname, resolve } from "@std/path";

import { flagWord } from "../../walls/grants/flag_word.ts";
import type { GrantFlag, GrantFlags } from "../../walls/grants/make_grants.ts";

/**
 * Names the paths in the user's flags that are not there, and so allow or hide nothing: most are misspelt. A file to be
 * written may be missing, but not its folder.
 *
 * @param exists Says whether there is anything at an absolute path
 */
export function missingGrants(
  { allow, deny, allowSecrets, sandboxShow }: Pick<
    GrantFlags,
    "allow" | "deny" | "allowSecrets" | "sandboxShow"
  >,
  cwd: string,
  exists: (path: string) => boolean,
): string[] {
  const lists: [flag: string, paths: GrantFlag, mayCome: boolean][] = [
    ["--allow-read", allow?.read, false],
    ["--allow-write", allow?.write, true],
    ["--deny-read", deny?.read, false],
    ["--deny-write", deny?.write, true],
    ["--allow-secrets", allowSecrets, true],
    ["--sandbox-show", sandboxShow, false],
  ];
  return lists.flatMap(([flag, paths, mayCome]) => {
    if (paths === undefined || paths === true) return [];
    const missing = paths.filter((path) => {
      const full = resolve(cwd, path);
      return !exists(full) && !(mayCome && !path.endsWith("/") && exists(dirname(full)));
    });
    return missing.map((path) => `${flagWord(flag, [path])}: there is no "${resolve(cwd, path)}"`);
  });
}
