import { dirname } from "@std/path";

import { atTerminal } from "../../support/cli/at_terminal.ts";
import { type Answer, parseLines, type Scene } from "../../support/cli/scene.ts";
import { type Ended, type ProgramOptions, type Running, start } from "../../support/program.ts";
import type { Place, Wall } from "../attack.ts";
import type { User } from "./user.ts";

/** How a case runs. */
export interface Way {
  wall: Wall;
  user: User;
}

/** Longest time of one batch, in milliseconds. */
const TIMEOUT_MS = 300_000;

/** Puts paths for their names into all strings of a value. */
export function fillAll(value: unknown, fill: Place["fill"]): unknown {
  return JSON.parse(
    JSON.stringify(value ?? {}),
    (_key, part) => typeof part === "string" ? fill(part) : part,
  );
}

/** The folders of a case, and how its program is started. */
interface CasePlace {
  at: string;
  ws: string;
  outside: string;
  flags: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** Says where a case runs, and how programs are started there. */
export async function makePlace(
  scene: Scene,
  { wall, user }: Way,
  { at, ws, outside, flags, env }: CasePlace,
): Promise<Place> {
  const { program, denoDir } = await user.prepare();
  const names: Record<string, string> = {
    ...{ at, ws, outside, home: scene.at("home"), state: scene.at("state/bulkhead"), root: scene.root },
  };
  const fill = (text: string) =>
    text.replace(/<(at|ws|outside|home|state|root)>/g, (_, name) => names[name]!);
  const all = [...flags.map(fill), `--sandbox=${wall === "none" ? "off" : wall}`];
  const mine = (options: ProgramOptions): ProgramOptions => ({
    cwd: at === "." ? ws : dirname(ws),
    program,
    ...options,
    before: [...options.before ?? [], ...user.before],
    env: {
      HOME: scene.at("home"),
      XDG_STATE_HOME: scene.at("state"),
      DENO_DIR: denoDir,
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])),
      ...options.env,
    },
  });
  const starts = (args: readonly string[], options: ProgramOptions = {}) => start(args, mine(options));
  const runs = (args: readonly string[], options: ProgramOptions = {}) =>
    endFed(starts(args, options), options.stdin);
  return {
    ...{
      wall,
      boxed: wall !== "none",
      root: user.isRoot,
      ws,
      outside,
      home: scene.at("home"),
      state: scene.at("state/bulkhead"),
    },
    ...{ fill, flags: all, start: starts, run: runs },
    atTerminal: terminalIn(scene, ws, { user, program, denoDir }),
    besides: (script) => command(user, fill(script), { ws, home: scene.at("home") }, "null").spawn(),
    bash: (script) => asUser(user, fill(script), { ws, home: scene.at("home") }),
    async batch(calls, options = {}) {
      const stdin = calls.map((call) => `${JSON.stringify(fillAll(call, fill))}\n`).join("");
      const { code, stdout, stderr } = await runs(["batch", "-", ...all], {
        timeoutMs: TIMEOUT_MS,
        ...options,
        stdin,
      });
      const answers = parseLines(stdout) as Answer[];
      if (answers.length < calls.length) {
        throw new Error(`${answers.length} of ${calls.length} answers, exit code ${code}: ${stderr}`);
      }
      return answers;
    },
  };
}

async function endFed(running: Running, stdin: ProgramOptions["stdin"] = ""): Promise<Ended> {
  // It answers while it reads, so nobody waits for the whole input to be read.
  const fed = running.write(stdin).then(() => running.closeInput()).catch(() => {});
  const ended = await running.ended();
  await fed;
  return ended;
}

function terminalIn(
  { at }: Scene,
  ws: string,
  { user, program, denoDir }: { user: User; program: readonly string[]; denoDir: string },
): Place["atTerminal"] {
  const own = {
    words: [...user.before, ...program],
    env: { XDG_STATE_HOME: at("state"), DENO_DIR: denoDir },
  };
  return (args, typing) => atTerminal({ ws, at }, args, { ...{ typed: [], ci: "" }, ...own, ...typing });
}

async function asUser(user: User, script: string, folders: Folders): Promise<Ended> {
  const { code, stdout, stderr } = await command(user, script, folders, "piped").output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

interface Folders {
  ws: string;
  home: string;
}

function command(user: User, script: string, { ws, home }: Folders, output: "piped" | "null"): Deno.Command {
  const [first = "", ...args] = [...user.before, "/bin/bash", "-c", script];
  const env = {
    ...{ HOME: home, GIT_AUTHOR_NAME: "Test", GIT_AUTHOR_EMAIL: "test@example.com" },
    ...{ GIT_COMMITTER_NAME: "Test", GIT_COMMITTER_EMAIL: "test@example.com", GIT_TERMINAL_PROMPT: "0" },
    ...{ GIT_CONFIG_NOSYSTEM: "1" },
  };
  return new Deno.Command(first, { args, cwd: ws, env, stdin: "null", stdout: output, stderr: output });
}
