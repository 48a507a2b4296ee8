import type { GitSetting } from "./read_settings.ts";
import { startsNothing } from "./harmless_settings.ts";

/** Where the paths of a setting start. */
export interface SettingPlace {
  /** Folders that the file with the setting lies in. */
  beside: readonly string[];
  /** Folders where git runs commands: working trees, and its own folders. */
  roots: readonly string[];
  /** The user's home, `""` if it is unknown. */
  home: string;
  /** What a path leads to; `null` if it is missing. */
  kindOf(path: string): "file" | "folder" | null;
}

/** Settings whose whole value is a path. */
const PATHS = /^(core\.(hookspath|attributesfile)|init\.templatedir|\w+\.path)$/;
const INCLUDES = /^include(if)?\.path$/;
/** Programs that find a file without its ending. */
const INTERPRETERS = /\b(?:python[\d.]*|node|deno|bun|tsx|ts-node)\b/;
/** What a shell puts between words, and git and others between paths. */
const BETWEEN = /[\s"'`;|&()<>{}$=:,!]+/;
/** `$HOME` and `${HOME}`. */
const HOME = /\$(?:HOME\b|\{HOME\})/g;
/** What stands behind a variable or a substitution, as in `$(git rev-parse --show-toplevel)/lint.sh`. */
const BEHIND = /(?:\$\w+|\$\{[^}]*\}|[)`])"?\/([^\s"'`;|&()<>]+)/g;
/** Deepest nesting of quotes that is taken apart. */
const MAX_DEPTH = 3;

/** Says whether a setting brings in another file of settings. */
export function isInclude({ section, name }: GitSetting): boolean {
  return INCLUDES.test(`${section}.${name}`);
}

/**
 * Returns the paths that a setting names and that git could execute or obey. The value is taken apart as a shell would
 * do it, and each word counts that is a file, or is written like a path: more paths than git uses, never fewer.
 *
 * @returns Absolute paths as they are written, with links and `..` in them
 */
export function pathsNamed(setting: GitSetting, place: SettingPlace): string[] {
  const { section, name, value } = setting;
  if (value === null || value === "" || startsNothing(setting)) return [];
  if (isInclude(setting)) return placesOf(value, place.beside, place.home);
  const roots = [...place.roots, ...place.beside];
  if (PATHS.test(`${section}.${name}`)) return placesOf(value, roots, place.home);
  const words = [...new Set(wordsOf(value))].filter((word) => word !== "." && word !== "..");
  // As in `cd scripts && ./run.sh`.
  const folders = words.flatMap((word) => placesOf(word, roots, place.home))
    .filter((path) => place.kindOf(path) === "folder");
  const variants = INTERPRETERS.test(value) ? variantsOf : (word: string) => [word];
  return words.flatMap((word) => {
    const isPath = word.includes("/");
    // The first word alone is a program of PATH, or a command of git.
    const isLooked = isPath || (section !== "alias" || value.startsWith("!")) && !startsWith(value, word);
    if (!isLooked) return [];
    // Words are joined with other words only to find files.
    const joined = variants(word).flatMap((one) => placesOf(one, folders, ""))
      .filter((path) => place.kindOf(path) === "file");
    const modules = variants(word).slice(1).flatMap((one) => placesOf(one, roots, place.home))
      .filter((path) => place.kindOf(path) === "file");
    const named = placesOf(word, roots, place.home).filter((path) => {
      const kind = place.kindOf(path);
      return kind === "file" || isPath && (kind === "folder" || !word.startsWith("refs/"));
    });
    return [...named, ...modules, ...joined];
  });
}

/** A file without its ending, and a module by its name with dots. */
function variantsOf(word: string): string[] {
  const endings = [".js", ".cjs", ".mjs", ".ts", ".py", ".sh", "/index.js", "/__main__.py"];
  const module = /^\w+(\.\w+)+$/.test(word) ? [word.replaceAll(".", "/")] : [];
  return [word, ...[word, ...module].flatMap((path) => endings.map((ending) => path + ending))];
}

function startsWith(value: string, word: string): boolean {
  return value.replace(/^!?\s*/, "").startsWith(word);
}

function placesOf(path: string, folders: readonly string[], home: string): string[] {
  if (path.startsWith("/")) return [path];
  const [, user, rest] = /^~([^/]*)(?:\/(.*))?$/.exec(path) ?? [];
  if (user !== undefined) {
    if (home === "" || (user !== "" && !home.endsWith(`/${user}`))) return [];
    return [rest === undefined ? home : `${home}/${rest}`];
  }
  return folders.map((folder) => `${folder}/${path}`);
}

/** The words of a command, also those in quotes in it. */
function wordsOf(value: string, depth = 0): string[] {
  const text = value.replace(HOME, "~").replace(/^!\s*/, "");
  const quoted = shellWords(text);
  return [
    ...quoted,
    ...text.split(BETWEEN).filter((word) => word !== ""),
    ...[...text.matchAll(BEHIND)].map(([, word]) => `./${word}`),
    ...depth < MAX_DEPTH
      ? quoted.filter((word) => /\s/.test(word) && word !== text).flatMap((word) => wordsOf(word, depth + 1))
      : [],
  ];
}

/** The words with their quotes and escapes taken away. */
function shellWords(text: string): string[] {
  const words: string[] = [];
  let word = "";
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === "\\" && quote !== "'") word += text[++at] ?? "";
    else if (quote !== "") {
      if (char === quote) quote = "";
      else word += char;
    } else if (char === '"' || char === "'") quote = char;
    else if (/[\s;|&()<>]/.test(char)) {
      words.push(word);
      word = "";
    } else word += char;
  }
  return [...words, word].filter((one) => one !== "");
}
