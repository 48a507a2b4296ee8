import { isAbsolute } from "@std/path";

import { ToolError } from "../../schemas/error.ts";
import { parseJson } from "../../schemas/json/json_text.ts";
import type { ToolResult } from "../../schemas/result.ts";
import { isObject } from "../../schemas/json/shape.ts";
import type { TrustedPrograms } from "../walls/files/trusted_path.ts";
import type { BeforeAnswer, HookCall, Hooks } from "./hooks.ts";
import { onOneLine } from "../text/strip_controls.ts";

/** What hooks that are programs are started with. */
export interface ProgramHookOptions {
  /** The user's programs that no call can change; looked for with the first hook. */
  programs(): TrustedPrograms;
  /** The user's home folder, `""` if it is unknown. */
  home: string;
  lang?: string | undefined;
}

/** What a hook sees of the user's environment. */
type Surroundings = Pick<ProgramHookOptions, "home" | "lang"> & { path: string };

/** Most bytes of a hook's answer. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** How much of the first line on stderr is told. */
const MAX_REASON = 500;

/**
 * Makes hooks of the user's programs, which get one JSON object on stdin and answer with one on stdout: nothing, `{}`,
 * `{"refuse": "why"}`, `{"input": {…}}`, or `{"result": {"text": …, "result": …}}`. Any exit code but 0 refuses, with
 * the first line of stderr. They are the user's own: no box holds them, and they see `PATH`, `HOME` and `LANG` alone.
 *
 * @throws {ToolError} `configuration` if a hook's program does not exist
 */
export function programHooks(
  commands: { before?: readonly (readonly string[])[]; after?: readonly (readonly string[])[] },
  options: ProgramHookOptions,
): Hooks[] {
  const { before = [], after = [] } = commands;
  if (before.length + after.length === 0) return [];
  const programs = options.programs();
  return [
    ...before.map((argv) => beforeHook(findHook(argv, programs), { ...options, path: programs.path })),
    ...after.map((argv) => afterHook(findHook(argv, programs), { ...options, path: programs.path })),
  ];
}

function findHook([program = "", ...args]: readonly string[], programs: TrustedPrograms): string[] {
  const path = isAbsolute(program) ? program : program.includes("/") ? null : programs.find(program);
  if (path === null || !isFile(path)) {
    const [passed] = program.includes("/") ? [] : programs.passedOver(program);
    const why = passed === undefined ? "" : ` (not ${passed.path}: ${passed.why})`;
    throw new ToolError(
      "configuration",
      `No program "${program}" for a hook${why}: name one that is on PATH, or an absolute path`,
    );
  }
  return [path, ...args];
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return false;
    throw error;
  }
}

function beforeHook(argv: readonly string[], options: Surroundings): Hooks {
  return {
    async before({ tool, input, workspace, signal }: HookCall): Promise<BeforeAnswer> {
      const ended = await runHook(argv, { v: 1, when: "before", tool, input, workspace }, {
        ...options,
        signal,
      });
      // The caller checks the answer.
      return "refuse" in ended ? ended : ended.answer as BeforeAnswer;
    },
  };
}

function afterHook(argv: readonly string[], options: Surroundings): Hooks {
  return {
    async after({ tool, input, workspace, signal }: HookCall, result: ToolResult): Promise<ToolResult> {
      const message = { v: 1, when: "after", tool, input, workspace, result };
      const ended = await runHook(argv, message, { ...options, signal });
      if ("refuse" in ended) throw new Error(ended.refuse);
      return changeResult(result, ended.answer);
    },
  };
}

function changeResult(result: ToolResult, answer: unknown): ToolResult {
  if (answer === undefined) return result;
  const { result: changes = {}, ...rest } = isObject(answer) ? answer : { result: null };
  const known = isObject(changes) && Object.keys(changes).every((key) => key === "text" || key === "result");
  if (!known || Object.keys(rest).length > 0) {
    throw new TypeError('it must give "result" with "text" or "result" in it, or nothing');
  }
  return { ...result, ...changes };
}

/** Runs a hook to its end. Output is optional. */
async function runHook(
  [program = "", ...args]: readonly string[],
  message: unknown,
  { path, home, lang, signal }: Surroundings & { signal: AbortSignal },
): Promise<{ answer: unknown } | { refuse: string }> {
  const child = new Deno.Command(program, {
    args,
    cwd: "/",
    clearEnv: true,
    env: { PATH: path, HOME: home, ...(lang !== undefined && { LANG: lang }) },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    // It leads its own group, so that what it starts ends with it.
    detached: true,
  }).spawn();
  const kill = () => killGroup(child.pid);
  signal.addEventListener("abort", kill, { once: true });
  try {
    const [stdout, stderr, { code }] = await Promise.all([
      readSome(child.stdout, MAX_ANSWER_BYTES),
      readSome(child.stderr, MAX_REASON),
      // Processes that it left behind keep its pipes open.
      child.status.finally(kill),
      feed(child.stdin, message),
    ]);
    const said = onOneLine(stderr.text.trimStart().split("\n", 1)[0]!).trim();
    if (code !== 0) return { refuse: said || `the hook "${program}" ended with code ${code}` };
    if (!stdout.whole) throw new Error(`its answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    return { answer: stdout.text.trim() === "" ? undefined : parseJson(stdout.text, "the hook's answer") };
  } finally {
    signal.removeEventListener("abort", kill);
  }
}

function killGroup(pid: number): void {
  try {
    Deno.kill(-pid, "SIGKILL");
  } catch (error) {
    // The group has no processes left.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

async function feed(stdin: WritableStream<Uint8Array>, message: unknown): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
    await writer.close();
  } catch {
    // A hook need not read its input. Its exit code shows whether it succeeded.
  }
}

/** Reads a stream to its end, and keeps its start. */
async function readSome(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<{ text: string; whole: boolean }> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    if (bytes < maxBytes) parts.push(new Uint8Array(chunk.subarray(0, maxBytes - bytes)));
    bytes += chunk.length;
  }
  return { text: await new Blob(parts).text(), whole: bytes <= maxBytes };
}
