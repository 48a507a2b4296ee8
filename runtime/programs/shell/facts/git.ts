import { type Arguments, givenOptions, hasOption, operandsOf } from "./arguments.ts";

/** What a git command does, as far as its words show. */
export type GitEffect = "reads" | "writes" | "network";

interface GitWords {
  subcommand: string | null;
  args: Arguments;
  settings: (string | null)[];
  /** Options that make git take programs from elsewhere. */
  isOdd: boolean;
}

const VALUED = new Set(["-C", "--git-dir", "--work-tree", "--namespace", "--super-prefix", "--attr-source"]);
const ODD = /^--(?:exec-path=|config-env)/;
/** Settings that neither start a program nor change what is written. */
const HARMLESS_SETTING = new RegExp(
  "^(?:color\\..*|column\\..*|advice\\..*|log\\.(?!mailmap)\\w+|status\\.\\w+|blame\\.\\w+|user\\.(?:name|email)" +
    "|core\\.(?:quotepath|abbrev|precomposeunicode|ignorecase|filemode|autocrlf|eol|safecrlf|longpaths)" +
    "|diff\\.(?:algorithm|renames|renamelimit|context|mnemonicprefix|noprefix|colormoved|wserrorhighlight)" +
    "|grep\\.\\w+|pack\\.threads|gc\\.auto|init\\.defaultbranch|commit\\.gpgsign|tag\\.gpgsign|safe\\.directory)$",
  "i",
);
const PAGER_SETTING = /^(?:core\.pager|pager\.[\w-]+)$/i;
const PLAIN_PAGERS = new Set(["", "cat", "true", "false"]);

const READING = new Set(
  ("status log show diff ls-files ls-tree blame annotate grep rev-parse rev-list describe cat-file shortlog name-rev " +
    "merge-base for-each-ref show-ref show-branch diff-tree diff-index diff-files whatchanged range-diff cherry " +
    "count-objects check-ignore check-attr check-ref-format check-mailmap var version verify-commit verify-tag " +
    "get-tar-commit-id patch-id stripspace").split(" "),
);
const TRANSFERS = new Set(
  "clone fetch pull push fetch-pack send-pack http-fetch http-push ls-remote p4 svn send-email".split(" "),
);
const OUTPUTS = ["--output", "--output-directory"];
const LISTING: Readonly<Record<string, (args: Arguments) => boolean>> = {
  branch: (args) =>
    listsOnly(args, "dDmMcCu", ["delete", "move", "copy", "set-upstream-to", "unset-upstream", "edit"]),
  tag: (args) =>
    listsOnly(args, "adsfFmu", ["delete", "sign", "force", "message", "annotate", "file", "local-user"]),
  remote: (args) => ["get-url", "show", undefined].includes(firstWord(args)),
  stash: (args) => ["list", "show"].includes(firstWord(args) ?? ""),
  worktree: (args) => firstWord(args) === "list",
  submodule: (args) => ["status", "summary"].includes(firstWord(args) ?? ""),
  notes: (args) => ["list", "show", undefined].includes(firstWord(args)),
  reflog: (args) => ["show", "exists", undefined].includes(firstWord(args)),
  bisect: (args) => ["log", "view"].includes(firstWord(args) ?? ""),
  config: readsConfig,
  "symbolic-ref": (args) => operandsOf(args).length < 2 && !hasOption(args, { short: "d", long: ["delete"] }),
};

/** Returns the shell texts that settings and options of git hold, `null` for an unknown one. */
export function gitTexts(args: Arguments): (string | null)[] {
  const { subcommand, args: rest, settings, isOdd } = readWords(args);
  const texts = settings.flatMap(settingText);
  if (isOdd) texts.push(null);
  for (const arg of givenOptions(rest)) {
    const pager = subcommand === "grep" ? /^(?:-O|--open-files-in-pager=?)(.*)$/.exec(arg)?.[1] : undefined;
    if (pager !== undefined) texts.push(pager || null);
    if (/^--(?:upload-pack|receive-pack|exec)\b/.test(arg)) {
      texts.push(arg.includes("=") ? afterEquals(arg) : null);
    }
    if (/^--(?:ext-diff|filters|open-files)/.test(arg)) texts.push(null);
  }
  if (subcommand === "submodule" && firstWord(rest) === "foreach") texts.push(null);
  if (subcommand === "bisect" && firstWord(rest) === "run") texts.push(null);
  if (subcommand === "filter-branch" || subcommand === "difftool" || subcommand === "mergetool") {
    texts.push(null);
  }
  if (rest.some((arg) => arg?.startsWith("ext::"))) texts.push(null);
  return texts;
}

/** Says what a git command does. Aliases and unknown commands count as writing. */
export function gitEffect(args: Arguments): GitEffect {
  const { subcommand, args: rest } = readWords(args);
  if (subcommand === null) {
    return args.length > 0 && args.every((arg) => arg?.startsWith("--")) ? "reads" : "writes";
  }
  if (subcommand === "ls-remote") return "network";
  if (givenOptions(rest).some(isOutput)) return "writes";
  if (READING.has(subcommand)) return "reads";
  return Object.hasOwn(LISTING, subcommand) && LISTING[subcommand]!(rest) ? "reads" : "writes";
}

/** Says whether a git command talks to another repository. */
export function gitTransfers(args: Arguments): boolean {
  const { subcommand, args: rest } = readWords(args);
  if (subcommand === "remote") return ["show", "update", "prune"].includes(firstWord(rest) ?? "");
  return subcommand !== null && TRANSFERS.has(subcommand);
}

/** Returns the subcommand of git, and what follows it. */
export function gitSubcommand(args: Arguments): { subcommand: string | null; args: Arguments } {
  const { subcommand, args: rest } = readWords(args);
  return { subcommand, args: rest };
}

function readWords(args: Arguments): GitWords {
  const settings: (string | null)[] = [];
  let isOdd = false;
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? null;
    if (arg === null || !arg.startsWith("-")) break;
    if (arg === "-c") settings.push(args[++at] ?? null);
    else if (/^-c./.test(arg)) settings.push(arg.slice(2));
    else if (VALUED.has(arg)) at++;
    if (ODD.test(arg)) isOdd = true;
  }
  return { subcommand: args[at] ?? null, args: args.slice(at + 1), settings, isOdd };
}

function settingText(setting: string | null): (string | null)[] {
  if (setting === null) return [null];
  const key = setting.split("=", 1)[0]!;
  const value = afterEquals(setting);
  if (HARMLESS_SETTING.test(key) || (PAGER_SETTING.test(key) && PLAIN_PAGERS.has(value))) return [];
  if (/^alias\./i.test(key)) return [value.startsWith("!") ? value.slice(1) : null];
  return [value === "" ? null : value, null];
}

function afterEquals(text: string): string {
  return text.includes("=") ? text.slice(text.indexOf("=") + 1) : "";
}

function isOutput(arg: string): boolean {
  const name = arg.split("=", 1)[0]!;
  return name.length > 4 && OUTPUTS.some((option) => option.startsWith(name));
}

function firstWord(args: Arguments): string | undefined {
  return operandsOf(args)[0] ?? undefined;
}

function listsOnly(args: Arguments, short: string, long: readonly string[]): boolean {
  if (hasOption(args, { short, long })) return false;
  const isListing = hasOption(args, {
    short: "l",
    long: ["list", "contains", "merged", "no-merged", "points-at"],
  });
  return isListing || operandsOf(args, { long: ["sort", "format"] }).length === 0;
}

function readsConfig(args: Arguments): boolean {
  if (["get", "list"].includes(firstWord(args) ?? "")) return true;
  return hasOption(args, { short: "l", long: ["list", "get", "get-all", "get-regexp", "get-urlmatch"] });
}
