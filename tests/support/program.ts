import { fromFileUrl } from "@std/path";

export interface ProgramOptions {
  /** @default the test's own folder, which no test should rely on */
  cwd?: string;
  /** What stands on stdin; nothing if absent. */
  stdin?: string | Uint8Array;
  /** Added to the test's own environment; `undefined` removes. */
  env?: Record<string, string | undefined>;
  /** Longest time of the whole run in milliseconds; then the program is killed and the test fails. @default 120_000 */
  timeoutMs?: number;
  /** Words before the program's, such as `prlimit --fsize=100`; the first is an absolute path. */
  before?: readonly string[];
  /** The words that start the program. @default {@linkcode program} */
  program?: readonly string[];
}

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** A running program whose pipes a test holds. */
export interface Running {
  pid: number;
  write(data: string | Uint8Array): Promise<void>;
  closeInput(): Promise<void>;
  /** Returns the next line of stdout, `null` at its end. */
  nextLine(): Promise<string | null>;
  /** Waits until stderr holds what the pattern finds; fails if stderr ends before. */
  told(pattern: RegExp): Promise<RegExpExecArray>;
  /** Stops reading: the program's next write finds the pipe closed. */
  closeOutput(): Promise<void>;
  /** Does nothing if the program has ended. */
  kill(signal: Deno.Signal): void;
  /** The exit code, what nobody took of stdout, and stderr. Fails if the program outlasts its time. */
  ended(): Promise<Ended>;
}

const ROOT = fromFileUrl(new URL("../..", import.meta.url)).replace(/\/$/, "");
/** Longest time of a run in milliseconds, unless a test says otherwise. */
export const TIMEOUT_MS = 120_000;

/** The words that start the program: the binary that BULKHEAD_BIN names, else Deno on the source as `deno task start` does. */
export function program(): string[] {
  const binary = Deno.env.get("BULKHEAD_BIN");
  return binary ? [Deno.realPathSync(binary)] : sourceProgram();
}

/** The words that start Deno on the source as `deno task start` does, or so on another main module. */
export function sourceProgram(main = `${ROOT}/main.ts`): string[] {
  const { tasks } = JSON.parse(Deno.readTextFileSync(`${ROOT}/deno.json`));
  const [, ...words] = tasks.start.command.split(" ") as string[];
  return [Deno.execPath(), ...words.map((word) => word === "main.ts" ? main : word)];
}

export async function run(args: readonly string[], options: ProgramOptions = {}): Promise<Ended> {
  const running = start(args, options);
  // A program that does not read its input closes the pipe.
  const fed = feed(running, options.stdin).catch(() => {});
  const ended = await running.ended();
  await fed;
  return ended;
}

export async function feed(running: Running, stdin: string | Uint8Array = ""): Promise<void> {
  if (stdin.length > 0) await running.write(stdin);
  await running.closeInput();
}

/** Starts the program; whoever starts it awaits `ended()`. */
export function start(args: readonly string[], options: ProgramOptions = {}): Running {
  const { cwd = "/", before = [], timeoutMs = TIMEOUT_MS } = options;
  const [command = "", ...words] = [...before, ...options.program ?? program(), ...args];
  const child = new Deno.Command(command, {
    args: words,
    cwd,
    clearEnv: true,
    env: environment(options.env),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const kill = (signal: Deno.Signal) => {
    try {
      child.kill(signal);
    } catch (error) {
      // It has ended.
      if (!(error instanceof TypeError)) throw error;
    }
  };
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    kill("SIGKILL");
  }, timeoutMs);
  const stdout = child.stdout.pipeThrough(new TextDecoderStream("utf-8", { ignoreBOM: true })).getReader();
  let pending = "";
  const readMore = async () => {
    const { done, value } = await stdout.read();
    pending += value ?? "";
    return !done;
  };
  const writer = child.stdin.getWriter();
  const encoder = new TextEncoder();
  const errors = readErrors(child.stderr);
  return {
    pid: child.pid,
    write: (data) => writer.write(typeof data === "string" ? encoder.encode(data) : data),
    closeInput: () => writer.close(),
    async nextLine() {
      while (!pending.includes("\n")) if (!await readMore()) return null;
      const end = pending.indexOf("\n");
      const line = pending.slice(0, end);
      pending = pending.slice(end + 1);
      return line;
    },
    told: errors.told,
    closeOutput: () => stdout.cancel(),
    kill,
    async ended() {
      while (await readMore()) { /* The rest of the output. */ }
      const { code } = await child.status;
      clearTimeout(timer);
      await writer.close().catch(() => {});
      const said = await errors.whole;
      if (late) throw new Error(`killed after ${timeoutMs} ms: ${args.join(" ")}\n${pending}\n${said}`);
      return { code, stdout: pending, stderr: said };
    },
  };
}

/** Reads stderr as it comes, so that the program never waits for its reader. */
function readErrors(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  let said = "";
  let next = Promise.withResolvers<boolean>();
  const read = async () => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      said += text;
      next.resolve(true);
      next = Promise.withResolvers();
    }
    next.resolve(false);
    return said;
  };
  return {
    whole: read(),
    async told(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const found = pattern.exec(said);
        if (found) return found;
        if (!await next.promise) throw new Error(`${pattern} is not told: ${said}`);
      }
    },
  };
}

/** The test's own environment with changes, where `undefined` removes. */
export function environment(changes: Record<string, string | undefined> = {}): Record<string, string> {
  // `deno task` names the folder where it was started; the program would take that for the user's.
  const all = { ...Deno.env.toObject(), INIT_CWD: undefined, NO_COLOR: "1", ...changes };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
}
