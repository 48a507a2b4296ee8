import { dirname } from "@std/path";

/** The system's own program that puts another one under a profile. */
export const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

/** The libraries of the system, and what its loader and its C library look at. */
export const LIBRARY_FOLDERS: readonly string[] = [
  ...["/System", "/usr/lib", "/usr/share", "/Library/Apple"],
  ...["/private/var/db/dyld", "/private/var/db/timezone"],
];
/** Files that every process looks at. */
export const LIBRARY_FILES: readonly string[] = [
  "/",
  ...["/private/etc/localtime", "/private/etc/ssl/openssl.cnf"],
  ...["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/dtracehelper", "/dev/autofs_nowait"],
];
/** Links of the system that programs look through. */
export const SYSTEM_LINKS: readonly string[] = ["/etc", "/tmp", "/var"];
/** Lies in /System, and holds the homes under a second name. */
const SECOND_NAMES = "/System/Volumes/Data";

/** Returns a rule, `""` without a filter: it would hold for everything. */
export function seatbeltRule(verb: string, filters: readonly string[]): string {
  return filters.length === 0 ? "" : `(${verb} ${[...new Set(filters)].join(" ")})`;
}

/** Returns a filter for one path. */
export function literalFilter(path: string): string {
  return textFilter("literal", path);
}

/** Returns a filter for a path, and all that lies in it. */
export function subpathFilter(path: string): string {
  return textFilter("subpath", path);
}

/** Returns a filter with a text. No text can end itself, and begin a rule. */
export function textFilter(kind: string, text: string): string {
  const inner = text.replace(/["\\]/g, (char) => `\\${char}`)
    // deno-lint-ignore no-control-regex
    .replace(/[\0-\x1f\x7f]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return `(${kind} "${inner}")`;
}

/** Returns the rules as a profile: what they do not allow is denied, and of two that fit, the later one holds. */
export function profileText(rules: readonly string[]): string {
  return ["(version 1)", "(deny default)", ...rules.filter((line) => line !== ""), ""].join("\n");
}

/** Returns the rules that let a process read the system's libraries, and nothing of the homes by another name. */
export function libraryRules(): string[] {
  return [
    seatbeltRule("allow file-map-executable", LIBRARY_FOLDERS.map(subpathFilter)),
    seatbeltRule("allow file-read*", [
      ...LIBRARY_FOLDERS.map(subpathFilter),
      ...LIBRARY_FILES.map(literalFilter),
    ]),
    seatbeltRule("deny file-read-data file-read-xattr file-map-executable", [subpathFilter(SECOND_NAMES)]),
    seatbeltRule("deny file-read*", [subpathFilter(`${SECOND_NAMES}/Users`)]),
    seatbeltRule("allow file-write-data", ["/dev/null", "/dev/dtracehelper"].map(literalFilter)),
    '(allow file-ioctl (literal "/dev/dtracehelper"))',
  ];
}

/** Returns the folders above paths, without the root. */
export function pathsAbove(paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    for (let at = dirname(path); at !== "/" && at !== "." && !found.has(at); at = dirname(at)) found.add(at);
  }
  return [...found].sort();
}

/** Returns the words that put a command under a profile. */
export function underSeatbelt(profile: string, words: readonly string[]): string[] {
  return [SANDBOX_EXEC, "-p", profile, ...words];
}
