import { dirname, join } from "@std/path";

import { probeBox } from "../../runtime/walls/box/probe_box.ts";
import { findProgram } from "../../runtime/walls/files/find_program.ts";
import { type GrantFlags, makeGrants } from "../../runtime/walls/grants/make_grants.ts";
import { exists } from "../../runtime/walls/files/file_facts.ts";
import type { Launch } from "../../runtime/programs/launch/launch.ts";
import { makeLauncher } from "../../runtime/programs/launch/launcher.ts";
import { PROGRAM_LIMITS, type ProgramLimits } from "../../schemas/config.ts";
import type { ProgramSpec } from "../../schemas/program.ts";

const PATH = Deno.env.get("PATH") ?? "/usr/bin:/bin";
const state = await probeBox(findProgram("bwrap", PATH));

/** What a test says about its launcher. */
export interface SceneOptions {
  flags?: GrantFlags;
  /** Folder in the scene that is the workspace. @default "ws" */
  workspace?: string;
  /** @default true */
  boxed?: boolean;
  env?: Record<string, string>;
  limits?: Partial<ProgramLimits>;
  searchPath?: string;
  /** Names in the scene. */
  hide?: readonly string[];
  /** Where the scene lies. @default the system's folder for temporary files */
  dir?: string;
}

/** How a program of a test ended. */
export interface LaunchEnd {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Makes a folder with files, and a launcher for it: `using scene = launchScene({ "ws/a.txt": "text" })`. A name that
 * ends with a slash is a folder. The home is the folder `home`.
 */
export function launchScene(files: Record<string, string>, options: SceneOptions = {}) {
  const root = Deno.realPathSync(
    Deno.makeTempDirSync({ prefix: "bulkhead-launch-", ...(options.dir && { dir: options.dir }) }),
  );
  const at = (name: string) => join(root, name);
  for (const folder of ["ws", "home", "aside"]) Deno.mkdirSync(at(folder));
  const write = (name: string, text: string) => {
    Deno.mkdirSync(name.endsWith("/") ? at(name) : dirname(at(name)), { recursive: true });
    if (!name.endsWith("/")) Deno.writeTextFileSync(at(name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const place = { workspace: at(options.workspace ?? "ws"), cwd: root, realPath: Deno.realPathSync };
  const grants = makeGrants(options.flags ?? {}, place);
  const boxed = options.boxed ?? true;
  const launcher = makeLauncher({
    grants,
    home: at("home"),
    box: {
      state: () => Promise.resolve(boxed ? state : { works: false, reason: "none in this test" }),
      isUsed: () => Promise.resolve(boxed),
    },
    searchPath: options.searchPath ?? PATH,
    env: options.env ?? {},
    limits: { ...PROGRAM_LIMITS, ...options.limits },
    asideFolder: () => Promise.resolve(at("aside")),
    hide: () => (options.hide ?? []).map(at),
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
    /** Runs a text in a shell. */
    async sh(script: string, spec: Partial<ProgramSpec> = {}): Promise<LaunchEnd> {
      return await start(await prepare({ argv: ["sh", "-c", script], ...spec }));
    },
    /** What was put aside, by the names it had. */
    aside: () => Array.from(Deno.readDirSync(at("aside")), ({ name }) => name.slice(9)).sort(),
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

/** Starts what was prepared, with the file descriptor that the box reports on, and waits for its end. */
export async function start(launch: Launch, before: readonly string[] = []): Promise<LaunchEnd> {
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
