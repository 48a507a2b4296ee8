import { dirname, globToRegExp, isAbsolute, join } from "@std/path";

/**
 * Says whether the condition of an include holds for a repository. Only conditions about its folder can: others would
 * need git.
 *
 * @param condition What stands in the quotes of `includeIf`: `gitdir:~/work/`
 */
export function isGitDirLike(
  condition: string,
  { gitDir, home, file }: { gitDir: string | null; home: string; file: string },
): boolean {
  const [, anyCase, spelled = ""] = /^gitdir(\/i)?:(.+)$/.exec(condition) ?? [];
  if (gitDir === null || spelled === "") return false;
  const whole = spelled.startsWith("~/")
    ? join(home, spelled.slice(2))
    : spelled.startsWith("./")
    ? join(dirname(file), spelled.slice(2))
    : isAbsolute(spelled)
    ? spelled
    : `**/${spelled}`;
  const pattern = whole.endsWith("/") ? `${whole}**` : whole;
  return globToRegExp(pattern, { globstar: true, caseInsensitive: anyCase !== undefined }).test(gitDir);
}
