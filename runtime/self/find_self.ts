import { dirname, fromFileUrl, join, resolve } from "@std/path";

import { type CompiledCode, compiledCode } from "./compiled_code.ts";
import { ENTRIES, entryUrl } from "./entry_urls.ts";
import { CAP_NAME, LAUNCH_COMMAND } from "../walls/landlock/plan.ts";
import type { LandlockLauncher } from "../walls/box/try_landlock.ts";
import { exists } from "../walls/files/file_facts.ts";

/** The hidden command that turns the program into a room process. */
export const ROOM_COMMAND = "__room";
/** The hidden command that turns the program into a bridge, from the network of a box to the gate. */
export const BRIDGE_COMMAND = "__bridge";
/** The hidden command that turns the program into a server of pages, for browsers of this machine. */
export const PAGES_COMMAND = "__pages";
/** The hidden command that compiles for rooms what they load. */
export const COMPILE_COMMAND = "__compile";
/** The hidden word before a command line that already runs in its overlay. */
export const OVERLAY_COMMAND = "__overlay";

/**
 * V8 flags. Two make most runaway patterns linear (no guarantee, so such rooms are processes). The next one
 * leaves out tasks of V8's collector that now and then kept the event loop busy for ever: seen on Deno 2.4, and later
 * ones run such tasks in the same way. The last one keeps the heaps of many rooms small.
 */
export const V8_FLAGS = "--enable-experimental-regexp-engine-on-excessive-backtracks," +
  "--regexp-backtracks-before-fallback=50000,--single-threaded-gc,--max-semi-space-size=4";

/**
 * The permissions of the whole program. Each one is listed: there is no `-A`. The first statement of the program gives `ffi` up,
 * unless it is the launcher of programs behind Landlock.
 */
export const OUTER_PERMISSIONS = [
  "--allow-read",
  "--allow-write",
  "--allow-net",
  "--allow-run",
  "--allow-env",
  "--allow-sys",
  "--allow-ffi",
] as const;

/** How Deno starts this program, but for its permissions. */
const START_FLAGS: readonly string[] = [
  "--no-prompt",
  "--cached-only",
  "--no-check",
  "--unstable-worker-options",
  `--v8-flags=${V8_FLAGS}`,
];

/** Rooms and bridges have no use for native code. */
const ROOM_PERMISSIONS = OUTER_PERMISSIONS.filter((flag) => flag !== "--allow-ffi");

/** The files that a room from source runs. The whole checkout is not shown: it may hold other files. */
const SOURCES = ["main.ts", "deno.json", "deno.lock", "runtime", "schemas", "tools"];
/**
 * What it needs of Deno's cache, where other programs keep their storage. The databases spare each start in a box the
 * reading and compiling of the same modules; a database is readable only with its two files beside it, which are there
 * as long as this program has it open.
 */
const CACHES = [
  "npm",
  "gen",
  ...["dep_analysis_cache_v2", "node_analysis_cache_v2", "v8_code_cache_v2"].flatMap((name) =>
    ["", "-shm", "-wal"].map((end) => `${name}${end}`)
  ),
];

/** Nothing can be there: Deno keeps nothing of what it compiles. */
const NOWHERE = "/dev/null/none";

/** How this program starts itself as a room. */
export interface Self {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /** How it starts itself as the launcher of what Landlock encloses. @default nothing is */
  readonly launcher?: LandlockLauncher;
  /** Variables of what runs in a box; they win over the others. @default the same variables */
  readonly boxEnv?: Readonly<Record<string, string>>;
  /** Files and folders that the started program reads: a box must show them. */
  readonly files: readonly string[];
  /** What puts the program's libraries into Deno's cache. @default it needs no cache */
  warm?: readonly string[];
  /** What boxes are shown compiled. @default they compile what they load, or need not */
  compiled?: CompiledCode;
}

/**
 * Finds out how to start this program as a room process: the compiled binary itself, or Deno on the source.
 *
 * @param mainUrl `import.meta.url` of the program's main module
 * @param getEnv Reads the environment
 */
export function findSelf(mainUrl: string, getEnv: (name: string) => string | undefined): Self {
  const program = Deno.realPathSync(Deno.execPath());
  if (Deno.build.standalone) {
    const launcher = { argv: [program, LAUNCH_COMMAND], env: launcherEnv(getEnv) };
    return { argv: [program, ROOM_COMMAND], env: {}, launcher, files: [program] };
  }
  const main = fromFileUrl(mainUrl);
  if (main.endsWith(".js")) return bundledSelf(program, main, getEnv);
  const cache = denoCache(getEnv);
  const flags = [...START_FLAGS, "--unstable-raw-imports"];
  const env = { DENO_DIR: cache, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" };
  const files = [
    ...SOURCES.map((name) => join(dirname(main), name)),
    ...CACHES.map((name) => join(cache, name)),
  ];
  return {
    argv: [program, "run", ...ROOM_PERMISSIONS, ...flags, main, ROOM_COMMAND],
    env,
    launcher: {
      argv: [program, "run", ...OUTER_PERMISSIONS, ...flags, main, LAUNCH_COMMAND],
      env: { ...env, ...launcherEnv(getEnv) },
    },
    // The cache may be filled later.
    get files() {
      return [program, ...files.filter(exists)];
    },
    // Deno does not follow the entries of workers by itself.
    warm: [program, "cache", "--quiet", main, ...ENTRIES.map((name) => fromFileUrl(entryUrl(name)))],
  };
}

/** In the package of npm, a bundle has all in its folder: no libraries, no configuration. */
function bundledSelf(program: string, main: string, getEnv: (name: string) => string | undefined): Self {
  const flags = [...START_FLAGS, "--no-config", "--no-lock", "--no-remote", "--no-npm"];
  const words = [program, "run", ...ROOM_PERMISSIONS, ...flags, main];
  // Without its folder, a home for a while would have one, which others could have filled before.
  const env = {
    ...{ DENO_DIR: denoCache(getEnv), DENO_NO_PACKAGE_JSON: "1" },
    ...{ DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
  };
  const compiled = compiledCode(main, { getEnv, words: [...words, COMPILE_COMMAND] });
  const shown = () => compiled?.isThere() ? compiled.folder : null;
  return {
    argv: [...words, ROOM_COMMAND],
    env,
    launcher: {
      argv: [program, "run", ...OUTER_PERMISSIONS, ...flags, main, LAUNCH_COMMAND],
      env: { ...env, ...launcherEnv(getEnv) },
    },
    get boxEnv() {
      return { DENO_DIR: shown() ?? NOWHERE };
    },
    get files() {
      return [program, dirname(main), shown()].filter((path) => path !== null);
    },
    ...compiled && { compiled },
  };
}

function launcherEnv(getEnv: (name: string) => string | undefined): Record<string, string> {
  const cap = getEnv(CAP_NAME);
  return { HOME: "/tmp", LANG: "C.UTF-8", ...(cap !== undefined && { [CAP_NAME]: cap }) };
}

/** Returns where Deno has its cache. */
export function denoCache(getEnv: (name: string) => string | undefined): string {
  return resolve(getEnv("DENO_DIR") || join(cacheHome(getEnv), "deno"));
}

/** Where Deno has its cache unless told otherwise. */
function cacheHome(getEnv: (name: string) => string | undefined): string {
  const home = getEnv("HOME") || "/";
  if (Deno.build.os === "darwin") return join(home, "Library/Caches");
  return getEnv("XDG_CACHE_HOME") || join(home, ".cache");
}
