import { basename, dirname, join, resolve } from "@std/path";

import { startedFile } from "../../../programs/narrow/started_file.ts";
import { isInside } from "../../../walls/grants/inside.ts";
import { realOrNull } from "../../../walls/files/file_facts.ts";
import { readSettingsText } from "../../../walls/files/open_plain.ts";

/** A command as an entry has it, with its variables filled in. */
export interface EntryCommand {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Absolute path of its folder. */
  cwd: string;
}

/** Endings of names of code, also of what names leave out. */
const ENDINGS =
  ".js .mjs .cjs .jsx .ts .mts .cts .tsx .py .pyz .sh .bash .zsh .rb .pl .pm .php .lua .r .jar .wasm .jl .awk"
    .split(" ");
const LEFT_OUT = ["", ...ENDINGS, "/index.js", "/index.ts", "/index.mjs", "/__init__.py", "/__main__.py"];
/** Files that a command reads in its folder to know what it starts. */
const READ_FIRST: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ["npm", "npx", "pnpm", "yarn", "bun", "bunx"].map((name) => [name, ["package.json"]]),
  ),
  ...Object.fromEntries(["make", "gmake"].map((name) => [name, ["GNUmakefile", "makefile", "Makefile"]])),
  ...Object.fromEntries(["uv", "poetry", "pdm", "hatch"].map((name) => [name, ["pyproject.toml"]])),
  deno: ["deno.json", "deno.jsonc", "package.json"],
  just: ["justfile", "Justfile", ".justfile"],
  docker: ["compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml", "Dockerfile"],
};
/** Folders of packages, which lie beside code or above it. */
const PACKAGES = ["node_modules", ".venv", "venv"];
/** What a package says of names such as `#lib`. */
const OWN_NAMES = /["']#[\w/]/;
/** Most bytes of a file of code that is looked through, and hashed: 4 MB. */
export const MAX_CODE = 4_000_000;
/** Most files that are followed: each start looks at all of them. */
export const MAX_FILES = 500;

/** What a command starts of a folder. Real paths, sorted. */
export interface StartedFiles {
  /** The files that it names, and what their code imports or names in turn. */
  files: readonly string[];
  /** Folders of packages that they may import. */
  packages: readonly string[];
  /** It names no more files than are followed. */
  isWhole: boolean;
}

/**
 * Finds what a command starts of a folder, as far as words tell. Needs `read`.
 *
 * @param folder Real path
 */
export function startedFiles(command: EntryCommand, folder: string): StartedFiles {
  const found = new Set<string>();
  const wanted = namedFirst(command);
  while (wanted.length > 0 && found.size < MAX_FILES) {
    const real = realOrNull(wanted.shift()!);
    if (real === null || found.has(real) || !isInside(folder, real) || !isFile(real)) continue;
    if (PACKAGES.some((name) => real.includes(`/${name}/`))) continue;
    found.add(real);
    const text = readSettingsText(real, { maxBytes: MAX_CODE });
    if (text === null) continue;
    wanted.push(...namedIn(text, [dirname(real), command.cwd]));
    if (OWN_NAMES.test(text)) wanted.push(...above(real, folder).map((at) => join(at, "package.json")));
  }
  const files = [...found].sort();
  const folders = new Set(files.flatMap((file) => above(file, folder)));
  const packages = [...folders].flatMap((at) => PACKAGES.map((name) => join(at, name)))
    .filter((path) => realOrNull(path) === path);
  return { files, packages: packages.sort(), isWhole: wanted.length === 0 };
}

/** The folders of a file, up to the given one. */
function above(file: string, folder: string): string[] {
  const at = dirname(file);
  return isInside(folder, at) && at !== file ? [at, ...above(at, folder)] : [];
}

/** Of what an interpreter runs, the ending says nothing; other words may name data. */
function namedFirst({ command, args, env, cwd }: EntryCommand): string[] {
  const file = startedFile([command, ...args]);
  const words = [...args, ...Object.values(env)].flatMap((word) => [word, ...word.split(/[\s=:;,"'()]+/)]);
  const modules = args.flatMap((word, at) =>
    args[at - 1] === "-m" ? [word] : word.startsWith("-m") ? [word.slice(2)] : []
  );
  return [
    ...command.includes("/") ? [resolve(cwd, command)] : [],
    ...file === null ? [] : LEFT_OUT.map((ending) => resolve(cwd, file + ending)),
    ...words.filter((word) => word !== "").map((word) => resolve(cwd, word)).filter(isCode),
    ...modules.flatMap((name) => LEFT_OUT.map((ending) => resolve(cwd, name.replaceAll(".", "/") + ending))),
    ...(READ_FIRST[basename(command)] ?? []).map((name) => join(cwd, name)),
  ];
}

/** What code names: relative imports, modules of Python, and words that end as names of code do. */
function namedIn(text: string, folders: readonly string[]): string[] {
  const words = text.match(/[\w@./-]+/g) ?? [];
  const relative = words.filter((word) => /^\.{1,2}\/./.test(word));
  const named = words.filter((word) => ENDINGS.some((ending) => word.endsWith(ending)));
  const modules = text.matchAll(
    /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+\(?([\w, \t]*)|import[ \t]+([\w., \t]+))/gm,
  );
  const python = [...modules].flatMap(([, from = "", names = "", plain = ""]) =>
    [from, ...plain.split(","), ...names.split(",").map((name) => `${from}.${name.trim()}`)]
      .map((name) => name.trim().split(/\s/)[0]!.replace(/^\.+/, "").replaceAll(".", "/"))
  ).filter((name) => name !== "");
  const paths = [
    ...relative.flatMap((word) => LEFT_OUT.map((ending) => word + ending)),
    ...named.map((word) => word.replace(/^\/+/, "")),
    ...named.filter((word) => word.startsWith("/")),
    ...python.flatMap((name) => [".py", "/__init__.py"].map((ending) => name + ending)),
  ];
  return [...new Set(folders.flatMap((folder) => paths.map((path) => resolve(folder, path))))];
}

function isCode(path: string): boolean {
  if (ENDINGS.some((ending) => path.endsWith(ending))) return true;
  const real = realOrNull(path);
  return real !== null && isFile(real) && ((Deno.statSync(real).mode ?? 0) & 0o111) !== 0;
}

function isFile(real: string): boolean {
  try {
    return Deno.statSync(real).isFile;
  } catch {
    return false;
  }
}
