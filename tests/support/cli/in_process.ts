import { runCli } from "../../../runtime/cli/run_cli.ts";
import type { Io } from "../../../runtime/cli/io/io.ts";
import { ROOM_COMMAND, type Self } from "../../../runtime/self/find_self.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import { bundledSelf, testBundle } from "../test_bundle.ts";
import { type Ended, environment, feed, type ProgramOptions, type Running, TIMEOUT_MS } from "../program.ts";

/** How a test runs the command line in its own process: no words stand before it, and no other program is asked. */
export type InProcessOptions = Omit<ProgramOptions, "before" | "program">;

const MAIN = new URL("../../../main.ts", import.meta.url).href;

/**
 * Runs the command line in the process of the test, to its end. For what is about words, flags, forms and calls; not for
 * signals, terminals and permissions, which are the process's, nor for commands that take over its streams.
 */
export async function runHere(args: readonly string[], options: InProcessOptions = {}): Promise<Ended> {
  const running = startHere(args, options);
  const fed = feed(running, options.stdin).catch(() => {});
  const ended = await running.ended();
  await fed;
  return ended;
}

/**
 * Starts the command line in the process of the test; whoever starts it awaits `ended()`. A signal is an interrupt, as the
 * program hears it, and a second one is not heard. Rooms are those of the binary that BULKHEAD_BIN names, else of the bundle.
 */
export function startHere(args: readonly string[], options: InProcessOptions = {}): Running {
  const { timeoutMs = TIMEOUT_MS } = options;
  const stop = new AbortController();
  const stdout = new Said();
  const stderr = new Said();
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const writer = input.writable.getWriter();
  let late = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const streams = { stdin: input.readable, stdout, stderr, interrupt: stop.signal };
  const code = (rooms ??= findRooms())
    .then((self) => {
      // The first test may have to wait for the bundle.
      timer = setTimeout(() => {
        late = true;
        stop.abort("SIGTERM");
      }, timeoutMs);
      return runCli(args, ioOf(options, streams, self));
    })
    .finally(() => {
      clearTimeout(timer);
      stdout.end();
      stderr.end();
    });
  const encoder = new TextEncoder();
  return {
    pid: Deno.pid,
    write: (data) => writer.write(typeof data === "string" ? encoder.encode(data) : data),
    closeInput: () => writer.close(),
    nextLine: () => stdout.takeLine(),
    async told(pattern) {
      const found = await stderr.find(pattern);
      if (found === null) throw new Error(`${pattern} is not told: ${stderr.text}`);
      return found;
    },
    closeOutput: () => Promise.resolve(stdout.close()),
    kill(signal) {
      if (signal === "SIGKILL") throw new Error("a test that kills the program belongs to tests/process");
      stop.abort(signal);
    },
    async ended() {
      const ended = { code: await code, stdout: stdout.text, stderr: stderr.text };
      // Nobody reads any more; what was not read is let go.
      await input.readable.cancel().catch(() => {});
      await writer.close().catch(() => {});
      if (!late) return ended;
      throw new Error(
        `ended after ${timeoutMs} ms: ${args.join(" ")}\n${ended.stdout}\n${ended.stderr}`,
      );
    },
  };
}

interface Streams {
  stdin: ReadableStream<Uint8Array>;
  stdout: Said;
  stderr: Said;
  interrupt: AbortSignal;
}

function ioOf(
  { cwd = "/", env }: InProcessOptions,
  { stdin, stdout, stderr, interrupt }: Streams,
  self: Self,
): Io {
  const variables = environment(env);
  return {
    mainUrl: MAIN,
    manifest: async () =>
      (await import("../../../tools/manifest.json", { with: { type: "json" } })).default as Manifest,
    env: (name) => variables[name],
    variables: () => ({ ...variables }),
    cwd: () => cwd,
    stdin: () => stdin,
    stdinIsTerminal: () => false,
    keyboard: { read: () => Promise.resolve(null), setRaw() {}, lend() {}, rows: () => 24 },
    stdout: (bytes) => stdout.add(bytes),
    stdoutWidth: () => null,
    stderr: (bytes) => stderr.add(bytes),
    stderrWidth: () => null,
    interrupt,
    process: { hearHangup() {}, beforeExit: new Set(), keepsPermissions: true, self },
  };
}

let rooms: Promise<Self> | undefined;

/** Rooms of the bundle cost a third of those from source. */
async function findRooms(): Promise<Self> {
  const binary = Deno.env.get("BULKHEAD_BIN");
  if (!binary) return bundledSelf(await testBundle());
  const program = Deno.realPathSync(binary);
  return { argv: [program, ROOM_COMMAND], env: {}, files: [program] };
}

/** What is said on a stream, for who waits for some of it. */
class Said {
  text = "";
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #isClosed = false;
  #hasEnded = false;
  #next = Promise.withResolvers<void>();

  add(bytes: Uint8Array): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Deno.errors.BrokenPipe());
    this.text += this.#decoder.decode(bytes, { stream: true });
    this.#wake();
    return Promise.resolve();
  }

  close(): void {
    this.#isClosed = true;
  }

  end(): void {
    this.#hasEnded = true;
    this.text += this.#decoder.decode();
    this.#wake();
  }

  /** Returns what the pattern finds, `null` if it is never said. */
  async find(pattern: RegExp): Promise<RegExpExecArray | null> {
    for (;;) {
      const found = pattern.exec(this.text);
      if (found !== null || this.#hasEnded) return found;
      await this.#next.promise;
    }
  }

  async takeLine(): Promise<string | null> {
    if (await this.find(/\n/) === null) return null;
    const end = this.text.indexOf("\n");
    const line = this.text.slice(0, end);
    this.text = this.text.slice(end + 1);
    return line;
  }

  #wake(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }
}
