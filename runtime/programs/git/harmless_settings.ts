import type { GitSetting } from "./read_settings.ts";

// Finds the files of git that cannot make git run anything. Anything unknown counts as able to.

/** Settings that name no program, and no file to read or write. `*` stands for a name. */
const HARMLESS = new Set([
  ...["repositoryformatversion", "filemode", "bare", "logallrefupdates", "ignorecase", "precomposeunicode"]
    .map((name) => `core.${name}`),
  ...["core.symlinks", "extensions.objectformat", "extensions.partialclone", "extensions.refstorage"],
  ...[
    "remote.*.url",
    "remote.*.fetch",
    "remote.*.promisor",
    "remote.*.partialclonefilter",
    "remote.*.tagopt",
    "remote.*.mirror",
  ],
  ...[
    "branch.*.remote",
    "branch.*.merge",
    "branch.*.rebase",
    "user.name",
    "user.email",
    "init.defaultbranch",
  ],
  ...["submodule.*.url", "submodule.*.active", "submodule.active", "pull.rebase", "pull.ff"],
  ...["core.sharedrepository", "receive.denynonfastforwards", "extensions.worktreeconfig"],
  ...["core.sparsecheckout", "core.sparsecheckoutcone", "index.sparse"],
]);
/** More settings whose values git does not execute, and files that it only reads. */
const PLAIN =
  /^(author|committer|user|color|column|advice|log|status|safe|url|branch|mailmap|blame)\.|^(core\.(excludesfile|worktree)|commit\.template|http\.\w+|push\.default|gpg\.ssh\.allowedsignersfile|remote\.pushurl)$/;
const SECTION = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*/;
const SETTING = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/;
/** Steps of a rebase that only move commits. */
const STEP =
  /^(?:#|$|(?:pick|reword|edit|squash|fixup|drop|label|reset|merge|update-ref|noop|break|[presfdltmub])(?:\s|$))/;

/** Says whether nothing that a setting names is executed or obeyed. What is unknown counts as executed. */
export function startsNothing({ section, subsection, name }: GitSetting): boolean {
  const key = subsection === null ? `${section}.${name}` : `${section}.*.${name}`;
  return HARMLESS.has(key) || PLAIN.test(`${section}.${name}`);
}

/**
 * Says whether a git configuration consists of settings that are known to be harmless.
 *
 * @param options `mayWorkIn` says whether a repository's files may be in a folder, as the configuration
 * writes it
 */
export function isHarmlessConfig(text: string, options: { mayWorkIn(folder: string): boolean }): boolean {
  let section = "";
  for (const line of text.split(/\r?\n/)) {
    let rest = line.trim();
    const header = SECTION.exec(rest);
    if (header) {
      section = header[2] === undefined ? header[1]!.toLowerCase() : `${header[1]!.toLowerCase()}.*`;
      rest = rest.slice(header[0].length);
    }
    if (rest === "" || rest.startsWith("#") || rest.startsWith(";")) continue;
    const [, name, value = ""] = SETTING.exec(rest) ?? [];
    // A value that continues in the next line could hide a header.
    if (name === undefined || value.endsWith("\\")) return false;
    const key = `${section}.${name.toLowerCase()}`;
    if (key === "core.worktree" && /^[\w./ -]+$/.test(value) && options.mayWorkIn(value)) continue;
    if (!HARMLESS.has(key)) return false;
    if (key.endsWith(".url") && !isHarmlessUrl(value)) return false;
  }
  return true;
}

/** `ext::` and similar addresses start programs, and a dash at the start makes an option. */
function isHarmlessUrl(value: string): boolean {
  const url = value.replace(/^"|"$/g, "");
  return !url.includes("::") && !/^\s*-/.test(url) && !/[@/]-/.test(url) && !/["\\]/.test(url);
}

/** Says whether the list of a rebase starts nothing. */
export function isHarmlessRebase(todo: string): boolean {
  return todo.split("\n").every((line) => STEP.test(line.trim()));
}
