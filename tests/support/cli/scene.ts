import { join } from "@std/path";

import { exists } from "../../../runtime/walls/files/file_facts.ts";
import type { ToolResult } from "../../../schemas/result.ts";
import { denoDir } from "../deno_dir.ts";
import { type ProgramOptions, run, type Running, start } from "../program.ts";
import { runHere, startHere } from "./in_process.ts";

export interface Call {
  id?: string | number;
  tool: string;
  arguments?: unknown;
}

export type Answer = ToolResult & { id: string | number };

/** A folder for one test that holds the workspace `ws` and, beside it, what no tool may touch. */
export interface Scene extends Disposable {
  root: string;
  ws: string;
  /** Absolute path of a name below the root. */
  at(name: string): string;
  read(name: string): string;
  write(name: string, content: string | Uint8Array): void;
  link(target: string, name: string): void;
  exists(name: string): boolean;
  run(args: readonly string[], options?: ProgramOptions): ReturnType<typeof run>;
  /** Starts the program in the workspace; whoever starts it awaits `ended()`. */
  start(args: readonly string[], options?: ProgramOptions): Running;
  batch(calls: readonly Call[], flags?: readonly string[], options?: ProgramOptions): Promise<Batch>;
  /** Runs one call and returns its result with the exit code. */
  call(tool: string, input: unknown, flags?: readonly string[]): Promise<ToolResult & { code: number }>;
}

export interface Batch {
  code: number;
  answers: Answer[];
  /** Without the lines about failed calls and the sum, which the answers tell too. */
  stderr: string;
}

/** Whether these are cases: their command line runs in the process of the tests. */
const isHere = /\/cases(?:_test\.ts$|\/)/.test(Deno.mainModule);

/** A line about a failed call, or the sum of a batch. */
const TOLD_BY_ANSWERS = /^(?:bulkhead: call \S+ \(\S+\) (?:refused|failed|stopped): .*|\d+ calls?: .*)$/;

/** Makes a scene with files below its root: `using scene = makeScene({ "ws/a.txt": "text" })`. */
export function makeScene(files: Record<string, string | Uint8Array> = {}): Scene {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bulkhead-e2e-" }));
  const ws = join(root, "ws");
  Deno.mkdirSync(ws);
  const at = (name: string) => join(root, name);
  const write = (name: string, content: string | Uint8Array) => {
    Deno.mkdirSync(join(at(name), ".."), { recursive: true });
    Deno.writeFileSync(at(name), typeof content === "string" ? new TextEncoder().encode(content) : content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  // A session's state and the user's home are the test's own, too.
  const env = { HOME: at("home"), XDG_STATE_HOME: at("state"), DENO_DIR: denoDir() };
  const here = (options: ProgramOptions = {}) => ({ cwd: ws, ...options, env: { ...env, ...options.env } });
  const runs = (args: readonly string[], options?: ProgramOptions) =>
    isHere ? runHere(args, here(options)) : run(args, here(options));
  return {
    root,
    ws,
    at,
    read: (name) => Deno.readTextFileSync(at(name)),
    write,
    link: (target, name) => Deno.symlinkSync(target, at(name)),
    exists: (name) => exists(at(name)),
    run: runs,
    start: (args, options) => isHere ? startHere(args, here(options)) : start(args, here(options)),
    async batch(calls, flags = [], options = {}) {
      const stdin = calls.map((call) => `${JSON.stringify(call)}\n`).join("");
      const { code, stdout, stderr } = await runs(["batch", "-", ...flags], { stdin, ...options });
      const other = stderr.split("\n").filter((line) => !TOLD_BY_ANSWERS.test(line)).join("\n");
      return { code, answers: parseLines(stdout) as Answer[], stderr: other };
    },
    async call(tool, input, flags = []) {
      const args = ["call", tool, "-", "--json", ...flags];
      const { code, stdout, stderr } = await runs(args, { stdin: JSON.stringify(input) });
      if (stdout === "") throw new Error(`no result from ${tool}: ${stderr}`);
      return { code, ...JSON.parse(stdout) };
    },
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

export function parseLines(text: string): unknown[] {
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}
