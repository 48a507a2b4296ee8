import { fromFileUrl } from "./file_url.ts";

/** The hidden command that turns the program into a room process. */
export const ROOM_COMMAND = "__room";

/** V8 flags that make most runaway patterns linear; no guarantee, which is why such rooms are processes. */
export const V8_FLAGS =
  "--enable-experimental-regexp-engine-on-excessive-backtracks,--regexp-backtracks-before-fallback=50000";

/** The permissions of the program as a whole: each is spelled out, none is `-A`, and `ffi` is not among them. */
export const OUTER_PERMISSIONS = [
  "--allow-read",
  "--allow-write",
  "--allow-net",
  "--allow-run",
  "--allow-env",
  "--allow-sys",
] as const;

/** How this program starts itself as a room. */
export interface Self {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Files and folders that the started program reads: a box must show them. */
  files: readonly string[];
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
    return { argv: [program, ROOM_COMMAND], env: {}, files: [program] };
  }
  const main = fromFileUrl(mainUrl);
  const home = getEnv("HOME") ?? "/";
  const cache = getEnv("DENO_DIR") ?? `${getEnv("XDG_CACHE_HOME") ?? `${home}/.cache`}/deno`;
  const flags = [
    ...OUTER_PERMISSIONS,
    "--no-prompt",
    "--cached-only",
    "--no-check",
    "--unstable-worker-options",
    `--v8-flags=${V8_FLAGS}`,
  ];
  const root = main.slice(0, main.lastIndexOf("/"));
  return {
    argv: [program, "run", ...flags, main, ROOM_COMMAND],
    env: { DENO_DIR: cache, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
    files: [program, root, cache],
  };
}
