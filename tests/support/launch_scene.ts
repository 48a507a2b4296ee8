import { dirname, resolve } from "@std/path";

import { probeBox } from "../../runtime/walls/box/probe_box.ts";
import { findProgram } from "../../runtime/walls/files/find_program.ts";
import { type GrantFlags, makeGrants } from "../../runtime/walls/grants/make_grants.ts";
import { exists } from "../../runtime/walls/files/file_facts.ts";
import type { Launch } from "../../runtime/programs/launch/launch.ts";
import { makeLauncher } from "../../runtime/programs/launch/launcher.ts";
import { programFiles } from "../../runtime/programs/box/program_view.ts";
import { findToolchains } from "../../runtime/programs/toolchains/find_toolchains.ts";
import { PROGRAM_LIMITS, type ProgramLimits } from "../../schemas/config.ts";
import type { ProgramSpec } from "../../schemas/program.ts";

const PATH = Deno.env.get("PATH") ?? "/usr/bin:/bin";
const state = await probeBox(findProgram("bwrap", PATH));

export interface SceneOptions {
  flags?: GrantFlags;
  /** Folder in the scene that is the workspace. @default "ws" */
  workspace?: string;
  /** `mac`: as on macOS where a profile encloses programs. @default true */
  boxed?: boolean | "mac";
  env?: Record<string, string>;
  limits?: Partial<ProgramLimits>;
  searchPath?: string;
  /** Toolchains are looked for in the home, with these variables of the user. @default they are not */
  toolchains?: Record<string, string>;
  /** Names of all programs that it may start. @default those that are shown */
  only?: readonly string[];
  /** Settings of git for the private home. @default none */
  gitSettings?: string;
  /** Keeps what was seen, in the scene. @default nothing is kept */
  memory?: string;
  /** Names in the scene. */
  hide?: readonly string[];
  /** Where the scene lies. @default the system's folder for temporary files */
  dir?: string;
}

/**
 * Makes a folder with files, and a launcher for it: `using scene = launchScene({ "ws/a.txt": "text" })`. A name that
 * ends with a slash is a folder, `#!` begins a program, and `-> ` what a link leads to. The home is the folder `home`,
 * and `~` stands for it in links and in the search path.
 */
export function launchScene(files: Record<string, string>, options: SceneOptions = {}) {
  const root = Deno.realPathSync(
    Deno.makeTempDirSync({ prefix: "bulkhead-launch-", ...(options.dir && { dir: options.dir }) }),
  );
  const at = (name: string) => resolve(root, name);
  for (const folder of ["ws", "home", "aside"]) Deno.mkdirSync(at(folder));
  const write = (name: string, text: string) => {
    if (text.startsWith("-> ")) return link(name, text.slice(3));
    Deno.mkdirSync(name.endsWith("/") ? at(name) : dirname(at(name)), { recursive: true });
    if (name.endsWith("/")) return;
    Deno.writeTextFileSync(at(name), text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
  };
  const link = (name: string, target: string) => {
    Deno.mkdirSync(dirname(at(name)), { recursive: true });
    Deno.symlinkSync(target.replace("~", at("home")), at(name));
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const place = { workspace: at(options.workspace ?? "ws"), cwd: root, realPath: Deno.realPathSync };
  const grants = makeGrants(options.flags ?? {}, place);
  const boxed = options.boxed ?? true;
  const searchPath = options.searchPath ?? PATH;
  const { toolchains: env } = options;
  const toolchains = env && once(() =>
    findToolchains({
      files: programFiles(grants, at("home")),
      home: at("home"),
      ...{ searchPath: searchPath.replaceAll("~", at("home")), env, network: grants.shareNet },
    })
  );
  const launcher = makeLauncher({
    grants,
    home: at("home"),
    box: {
      state: () =>
        Promise.resolve(
          boxed === "mac"
            ? { works: true, bwrap: null }
            : boxed
            ? state
            : { works: false, reason: "none in this test", advice: "" },
        ),
      isUsed: () => Promise.resolve(boxed !== false),
    },
    searchPath: searchPath.replaceAll("~", at("home")),
    env: options.env ?? {},
    limits: { ...PROGRAM_LIMITS, ...options.limits },
    asideFolder: () => Promise.resolve(at("aside")),
    sight: {
      hide: () => (options.hide ?? []).map(at),
      ...(toolchains && { toolchains }),
      ...(options.only && { only: options.only }),
      gitSettings: () => Promise.resolve(options.gitSettings ?? ""),
      ...(options.memory && { memory: resolve(root, options.memory) }),
    },
  });
  const prepare = (
    spec: ProgramSpec,
    given: { terminal?: boolean; stays?: boolean } = {},
  ): Promise<Launch> => launcher.prepare(spec, { terminal: false, ...given });
  return {
    root,
    grants,
    at,
    write,
    read: (name: string) => Deno.readTextFileSync(at(name)),
    exists: (name: string) => exists(at(name)),
    prepare,
    start,
    async sh(script: string, spec: Partial<ProgramSpec> = {}) {
      return await start(await prepare({ argv: ["sh", "-c", script], ...spec }));
    },
    toolchains,
    /** What was put aside, by the names it had. */
    aside: () => Array.from(Deno.readDirSync(at("aside")), ({ name }) => name.slice(9)).sort(),
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

function once<T>(work: () => T): () => T {
  let done: { result: T } | undefined;
  return () => (done ??= { result: work() }).result;
}

/** Starts what was prepared, with the file descriptor that the box reports on, and waits for its end. */
export async function start(launch: Launch, before: readonly string[] = []) {
  const { code, stdout, stderr } = await new Deno.Command("/bin/sh", {
    args: ["-c", 'exec "$@" 3>/dev/null', "sh", ...before, ...launch.argv],
    clearEnv: true,
    env: { ...launch.env },
    cwd: launch.startIn,
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}
