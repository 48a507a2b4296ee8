import { basename, dirname, isAbsolute, join, resolve } from "@std/path";

import { SYSTEM_FOLDERS } from "../../walls/box/bubblewrap.ts";
import { findProgram } from "../../walls/files/find_program.ts";
import { namesIn, realOrNull } from "../../walls/files/file_facts.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { npxPackage, readNpx } from "./npx_package.ts";
import { PERSONAL_FOLDERS } from "../../walls/grants/personal_folders.ts";
import { flagWord, showFlags } from "../../walls/grants/flag_word.ts";
import { startedFile } from "./started_file.ts";

/** What a command consists of: what must be shown so that it can start. */
export interface OwnProgram {
  /** The command, with the program where it really lies. */
  argv: readonly string[];
  /** The package of the program, or the one file that it is. */
  show: readonly string[];
  /** The folders in which its package manager keeps packages. */
  packages: readonly string[];
  /** What the user can do if it does not start, as a sentence; `null` if nothing is known to be missing. */
  advice: string | null;
}

/** Where a command is understood. */
export interface CommandPlace {
  /** The user's variables. */
  env: Readonly<Record<string, string>>;
  /** The user's real home, `""` if it is unknown. */
  home: string;
  /** Relative paths start here. */
  cwd: string;
  /**
   * Says whether a file beyond packages may be shown because the command's words name it: words that came with a folder
   * speak for that folder alone. @default any file: the words are the user's own
   */
  mayShow?(path: string): boolean;
}

/** A package manager, and what of its cache a program needs: the rest is the program's own, and ends with it. */
interface Manager {
  commands: readonly string[];
  /** Says where the cache is, before the usual place. */
  variable: string;
  usual: readonly string[];
  /** Folders in it; one that ends with `-v` stands for all of its versions. */
  parts: readonly string[];
}

const MANAGERS: readonly Manager[] = [
  {
    commands: ["pnpm", "pnpx"],
    variable: "PNPM_HOME",
    usual: [".local/share/pnpm"],
    parts: ["store", "global"],
  },
  { commands: ["pnpm", "pnpx"], variable: "XDG_CACHE_HOME", usual: [".cache"], parts: ["pnpm/dlx"] },
  {
    commands: ["bunx", "bun"],
    variable: "BUN_INSTALL_CACHE_DIR",
    usual: [".bun/install/cache"],
    parts: ["."],
  },
  {
    commands: ["deno"],
    variable: "DENO_DIR",
    usual: [".cache/deno"],
    parts: ["npm", "remote", "gen", "deps"],
  },
  {
    commands: ["uvx", "uv"],
    variable: "UV_CACHE_DIR",
    usual: [".cache/uv"],
    parts: [
      "archive-v",
      "builds-v",
      "environments-v",
      "git-v",
      "interpreter-v",
      "sdists-v",
      "simple-v",
      "wheels-v",
    ],
  },
  {
    commands: ["pipx"],
    variable: "PIPX_HOME",
    usual: [".local/share/pipx", ".local/pipx"],
    parts: [".cache", "venvs"],
  },
  { commands: ["pip", "python", "python3"], variable: "PIP_CACHE_DIR", usual: [".cache/pip"], parts: ["."] },
];

/** What makes a folder a package. */
const PACKAGE_FILES = ["package.json", "deno.json", "deno.jsonc", "pyproject.toml", "setup.py", "pyvenv.cfg"];
/** Folders that hold much more than one program. */
const WIDE = ["/", "/opt", "/srv", "/mnt", "/media", "/home", "/tmp", "/data", "/var", "/usr/local"];

/**
 * Finds what a command consists of: the program, the file that an interpreter runs, their packages as far as they may be
 * shown, and the cache of the package manager that it is run by. Needs `read`.
 */
export function ownProgram(words: readonly string[], place: CommandPlace): OwnProgram {
  const [program = ""] = words;
  if (basename(program) === "npx") return npxProgram(words, place);
  const found = program.includes("/")
    ? resolve(place.cwd, program)
    : findProgram(program, place.env.PATH ?? "/usr/bin:/bin");
  const real = found === null ? null : realOrNull(found);
  const isOwn = real !== null && !SYSTEM_FOLDERS.some((folder) => isInside(folder, real));
  const script = scriptOf(words, place.cwd);
  const files = [...isOwn && program.includes("/") ? [real] : [], ...script === null ? [] : [script]]
    .filter((file) => !SYSTEM_FOLDERS.some((folder) => isInside(folder, file)));
  // A package of npm finds what it needs beside it.
  const installed = files.flatMap((file) => /^.*?\/node_modules(?=\/)/.exec(file) ?? []);
  const single = files.filter((file) => !file.includes("/node_modules/"));
  const { mayShow = () => true } = place;
  const show = new Set(single.filter(mayShow).map((file) => packageAround(file, place.home, mayShow)));
  const kept = single.filter((file) => !mayShow(file));
  // It may start in another folder, where a relative word names something else.
  const named = startedFile(words);
  const args = words.slice(1).map((word) => word === named && script !== null ? script : word);
  return {
    argv: [isOwn && program.includes("/") ? real : program, ...args],
    show: [...show],
    packages: [...new Set([...installed, ...packagesOf(basename(program), place)])],
    advice: kept.length === 0 ? null : keptFromIt(kept),
  };
}

/** What npx keeps starts without it, sooner and without a network. Without a kept package npx needs a registry. */
function npxProgram(words: readonly string[], { env, home }: CommandPlace): OwnProgram {
  const args = words.slice(1);
  const cache = env.npm_config_cache || env.NPM_CONFIG_CACHE || join(home, ".npm");
  const kept = npxPackage(args, cache);
  if (kept !== null) return { argv: kept.argv, show: [], packages: [kept.folder], advice: null };
  const spec = readNpx(args)?.spec ?? null;
  const advice = spec === null
    ? "npx keeps no package for these words: install it, and name its program"
    : `npx keeps no "${spec}" yet: run "npx -y ${spec}" once yourself`;
  return { argv: words, show: [], packages: [], advice };
}

/** The file that an interpreter runs. */
function scriptOf(words: readonly string[], cwd: string): string | null {
  const word = startedFile(words);
  const real = word === null ? null : realOrNull(resolve(cwd, word));
  return real !== null && Deno.statSync(real).isFile ? real : null;
}

function keptFromIt(files: readonly string[]): string {
  const pass = showFlags([flagWord("--sandbox-show", files.map(dirname))]);
  return `its words name ${files.join(", ")}, which lies outside of its folder: pass ${pass} to show that`;
}

/** The folder of the package that a file belongs to; the file alone if that folder holds more than a package. */
function packageAround(file: string, home: string, mayShow: (path: string) => boolean): string {
  const isWide = (folder: string) =>
    !mayShow(folder) || WIDE.includes(folder) ||
    home !== "" && (isInside(folder, home) || isPersonal(folder, home));
  for (let at = dirname(file); !isWide(at) && at !== dirname(at); at = dirname(at)) {
    if (PACKAGE_FILES.some((name) => realOrNull(join(at, name)) !== null)) return at;
  }
  return file;
}

function isPersonal(folder: string, home: string): boolean {
  return PERSONAL_FOLDERS.some((name) => folder === join(home, name));
}

function packagesOf(command: string, { env, home }: CommandPlace): string[] {
  const name = command.replace(/[\d.]+$/, "");
  return MANAGERS.filter(({ commands }) => commands.includes(command) || commands.includes(name)).flatMap(
    ({ variable, usual, parts }) => {
      const named = env[variable] ?? env[variable.toUpperCase()];
      const roots = named !== undefined && isAbsolute(named)
        ? [named]
        : home === ""
        ? []
        : usual.map((folder) => join(home, folder));
      return roots.flatMap((root) => parts.flatMap((part) => partsIn(root, part)));
    },
  );
}

function partsIn(root: string, part: string): string[] {
  const names = part.endsWith("-v")
    ? namesIn(root).filter((name) => name.startsWith(part) && /^\d+$/.test(name.slice(part.length))).sort()
    : [part];
  return names.map((name) => join(root, name)).filter((path) => realOrNull(path) !== null);
}
