import { inOwnSession } from "../walls/process/own_session.ts";

/** A process of ours that serves one run, and hears what to do on its stdin. */
export interface ServingChild {
  readonly isAlive: boolean;
  /** Settles once it has ended. */
  readonly ended: Promise<void>;
  /** Writes a line to it; nothing happens if it has ended. */
  tell(line: string): void;
  /** What it answers, as text. */
  readonly output: ReadableStreamDefaultReader<string>;
  /** Ends it at once if what it is asked is not answered in time, in milliseconds. */
  within<T>(answer: Promise<T>, ms: number): Promise<T>;
  /** Ends it, and returns what it wrote to stderr last. */
  end(): Promise<string>;
}

const ERROR_CHARS = 1_000;

/** Starts one. It ends with this process. Needs `run`. */
export function startServing(command: readonly string[]): ServingChild {
  // Ctrl-C is for main.
  const { argv: [program = "", ...args], detached } = inOwnSession(command);
  const child = new Deno.Command(program, {
    args,
    clearEnv: true,
    cwd: "/",
    detached,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let isAlive = true;
  const ended = child.status.then(() => void (isAlive = false));
  const kill = () => {
    if (isAlive) child.kill("SIGKILL");
  };
  const said = endOf(child.stderr);
  const input = child.stdin.getWriter();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  return {
    get isAlive() {
      return isAlive;
    },
    ended,
    output,
    tell: (line) => void input.write(new TextEncoder().encode(`${line}\n`)).catch(() => {}),
    within: (answer, ms) => {
      const timer = setTimeout(kill, ms);
      return answer.finally(() => clearTimeout(timer));
    },
    async end() {
      await input.close().catch(() => {});
      kill();
      await ended;
      await output.cancel().catch(() => {});
      return (await said).trim();
    },
  };
}

async function endOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  let kept = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    kept = (kept + chunk).slice(-ERROR_CHARS);
  }
  return kept;
}
