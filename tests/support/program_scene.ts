import type { AuditedProgram } from "../../schemas/audit.ts";
import type { ProgramEnd, ProgramRun, ProgramSpec } from "../../schemas/program.ts";
import type { ProgramCall } from "../../runtime/programs/process/program_host.ts";
import type { Launch, Launcher } from "../../runtime/programs/launch/launch.ts";
import {
  makeProgramHost,
  type ProgramHostOptions,
} from "../../runtime/programs/process/make_program_host.ts";
import type { ProgramNetwork } from "../../runtime/programs/network/program_network.ts";
import { findProgram } from "../../runtime/walls/files/find_program.ts";
import { boxWorks } from "./box.ts";
import { workspace } from "./run_tool.ts";

export interface SceneOptions extends Partial<Omit<ProgramHostOptions, "launcher" | "judge">> {
  boxed: boolean;
  /** What inspections find. @default nothing */
  inspect?: () => Promise<string[]>;
  warnings?: readonly string[];
  /** Changes how each program starts. @default it does not */
  change?(launch: Launch): Launch;
  /** The way of programs to the network. @default none */
  network?: ProgramNetwork;
}

const SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
const ENV = { PATH: SEARCH_PATH, HOME: "/tmp", LANG: "C.UTF-8", TERM: "xterm" };

/** A workspace and a host that starts programs in it: `await using scene = programScene({ boxed: true })`. */
export function programScene(options: SceneOptions) {
  const { boxed, inspect, warnings: given = [], change = (launch) => launch, network, ...hostOptions } =
    options;
  const ws = workspace();
  const launcher: Launcher = {
    prepare(spec, { terminal }) {
      const launch = boxed ? boxedLaunch(spec, ws.path, { terminal }) : unboxedLaunch(spec, ws.path);
      return Promise.resolve(change({ ...launch, warnings: given, ...(inspect && { inspect }) }));
    },
  };
  const host = makeProgramHost({
    launcher,
    // Judges have tests of their own.
    judge: () => Promise.resolve(),
    limits: { processes: 512, free_disk_mb: 0 },
    searchPath: SEARCH_PATH,
    ...hostOptions,
  }, network);
  const programs: AuditedProgram[] = [];
  const warnings: string[] = [];
  const call = (changes: Partial<ProgramCall> = {}): ProgramCall =>
    programCall({
      onProgram: (program) => programs.push(program),
      warn: (message) => warnings.push(message),
      ...changes,
    });
  return {
    ...ws,
    host,
    programs,
    warnings,
    call,
    sh: (
      script: string,
      more: Partial<ProgramRun> = {},
      changes: Partial<ProgramCall> = {},
    ): Promise<ProgramEnd> => host.run({ argv: ["sh", "-c", script], ...more }, call(changes)),
    async [Symbol.asyncDispose]() {
      await host.end();
      ws[Symbol.dispose]();
    },
  };
}

export type ProgramScene = ReturnType<typeof programScene>;

/** Makes what registers tests of programs, each once without a box and once in one: `const test = placedTest("exec")`. */
export function placedTest(about: string, { needs = true }: { needs?: boolean } = {}) {
  return (
    name: string,
    run: (scene: ProgramScene, boxed: boolean) => Promise<void>,
    options: Omit<SceneOptions, "boxed"> = {},
  ): void => {
    for (const boxed of [false, true]) {
      const fn = async () => {
        await using scene = programScene({ ...options, boxed });
        await run(scene, boxed);
      };
      const ignore = !needs || (boxed && !boxWorks);
      Deno.test({ name: `${about} ${name}, ${boxed ? "in a box" : "without a box"}`, ignore, fn });
    }
  };
}

/** A call that tells nobody what it hears. */
export function programCall(changes: Partial<ProgramCall> = {}): ProgramCall {
  return {
    toolset: "test",
    interprets: false,
    onAnalysis: () => {},
    signal: new AbortController().signal,
    onProgram: () => {},
    onArtifact: () => {},
    warn: () => {},
    ...changes,
  };
}

function unboxedLaunch({ argv: [name = "", ...rest], cwd, env }: ProgramSpec, root: string): Launch {
  const path = name.startsWith("/") ? name : findProgram(name, SEARCH_PATH) ?? `/nowhere/${name}`;
  return {
    argv: [path, ...rest],
    env: { ...ENV, ...env },
    startIn: cwd ?? root,
    cwd: cwd ?? root,
    boxed: false,
    outlook: null,
    writes: [root],
    warnings: [],
    inspect: () => Promise.resolve([]),
    after: null,
  };
}

function boxedLaunch(spec: ProgramSpec, root: string, { terminal }: { terminal: boolean }): Launch {
  const cwd = spec.cwd ?? root;
  const env = Object.entries({ ...ENV, ...spec.env });
  const argv = [
    ...["/usr/bin/bwrap", "--info-fd", "3", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...["--tmpfs", "/tmp", "--bind", root, root, "--chdir", cwd, "--unshare-user", "--unshare-all"],
    ...["--disable-userns", "--die-with-parent", ...(terminal ? [] : ["--new-session"]), "--cap-drop", "ALL"],
    ...["--clearenv", ...env.flatMap(([name, value]) => ["--setenv", name, value]), "--", ...spec.argv],
  ];
  const inspect = () => Promise.resolve([]);
  return {
    argv,
    env: {},
    startIn: "/",
    cwd,
    boxed: true,
    box: { text: "", local: true },
    outlook: null,
    writes: [root],
    warnings: [],
    inspect,
    after: null,
  };
}
