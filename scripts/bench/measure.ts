/** Runs a command to its end; returns milliseconds and stdout. Exit code 1 is fine: "no match" for search tools. */
export async function timeCommand(argv: readonly string[]): Promise<{ ms: number; stdout: string }> {
  const started = performance.now();
  const { code, stdout, stderr } = await new Deno.Command(argv[0]!, {
    args: argv.slice(1),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const ms = performance.now() - started;
  if (code > 1) throw new Error(`${argv.join(" ")} ended with ${code}: ${new TextDecoder().decode(stderr)}`);
  return { ms, stdout: new TextDecoder().decode(stdout) };
}

/** Returns the median of the results of this many runs; a first run warms up and does not count. */
export async function median(runs: number, work: () => Promise<number>): Promise<number> {
  await work();
  const all: number[] = [];
  for (let run = 0; run < runs; run++) all.push(await work());
  return all.sort((a, b) => a - b)[all.length >> 1]!;
}

/** A program that answers lines of JSON: the batch command, kept open so that its rooms are warm. */
export class OpenBatch {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: AsyncGenerator<string>;

  constructor(
    argv: readonly string[],
    workspace: string,
    flags: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ) {
    this.#child = new Deno.Command(argv[0]!, {
      args: [...argv.slice(1), "batch", "-", "-C", workspace, ...flags],
      env: { ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#lines = lines(this.#child.stdout);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Sends one call and waits for its answer. */
  async call(tool: string, input: unknown): Promise<{ ms: number; result: Record<string, unknown> }> {
    const started = performance.now();
    await this.#writer.write(new TextEncoder().encode(`${JSON.stringify({ tool, arguments: input })}\n`));
    const { value } = await this.#lines.next();
    const ms = performance.now() - started;
    const answer = JSON.parse(value as string);
    if (!answer.ok) throw new Error(`${tool} failed: ${answer.text}`);
    return { ms, result: answer.result };
  }

  async close(): Promise<void> {
    await this.#writer.close();
    await this.#child.status;
    await this.#lines.return(undefined);
  }
}

async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest: string[] = [];
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const parts = chunk.split("\n");
    while (parts.length > 1) {
      yield rest.join("") + parts.shift();
      rest = [];
    }
    rest.push(parts[0]!);
  }
}

/** Returns the resident memory of a process and everything below it, in MB. */
export async function treeMemory(pid: number): Promise<number> {
  const { stdout } = await timeCommand(["ps", "-eo", "pid=,ppid=,rss="]);
  const rows = stdout.trim().split("\n").map((row) => row.trim().split(/\s+/).map(Number));
  const below = new Set([pid]);
  for (let size = 0; size !== below.size;) {
    size = below.size;
    for (const [child, parent] of rows) if (below.has(parent!)) below.add(child!);
  }
  return rows.filter(([child]) => below.has(child!)).reduce((sum, [, , rss]) => sum + rss! / 1024, 0);
}
