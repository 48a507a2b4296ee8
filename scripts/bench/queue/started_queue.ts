import { join } from "@std/path";

import { readLines } from "../../../runtime/text/lines.ts";
import { findProgram } from "../../../runtime/walls/files/find_program.ts";

/** A queue of its own for a measurement. Ends with `await using`. */
export interface BenchQueue extends AsyncDisposable {
  url: string;
  /** Starts a worker with so many places, which may reach this machine. Resolves once it is there. */
  work(places: number): Promise<AsyncDisposable>;
  /** Does the calls of a file; returns the time from the first answer to the last, in milliseconds. */
  timeBatch(lines: string): Promise<number>;
}

const NET = ["--allow-net=127.0.0.1", "--allow-private-net=127.0.0.1"];

/** Starts nats-server, `null` if it is not installed. */
export async function startQueue(
  argv: readonly string[],
  folder: string,
  searchPath: string,
): Promise<BenchQueue | null> {
  const program = findProgram("nats-server", `${searchPath}:/usr/sbin`);
  if (program === null) return null;
  const port = freePort();
  const url = `nats://127.0.0.1:${port}`;
  const args = ["-a", "127.0.0.1", "-p", String(port), "-js", "-sd", join(folder, "queue")];
  const server = new Deno.Command(program, { args, stdin: "null", stdout: "null", stderr: "piped" }).spawn();
  const log = readLines(server.stderr);
  for (let line = await log.next(); !line.value?.includes("Server is ready"); line = await log.next()) {
    if (line.done) throw new Error("nats-server did not start");
  }
  const drained = drain(log);
  return {
    url,
    work: (places) => startWorker(argv, ["--queue", url, "-C", folder, "--max-parallel", String(places)]),
    timeBatch: (lines) =>
      timeBatch([...argv, "batch", lines, "-C", folder, "--queue", url, "--independent", "-q"]),
    async [Symbol.asyncDispose]() {
      server.kill("SIGTERM");
      await server.status;
      await drained;
    },
  };
}

async function startWorker(argv: readonly string[], words: readonly string[]): Promise<AsyncDisposable> {
  const worker = new Deno.Command(argv[0]!, {
    args: [...argv.slice(1), "worker", ...words, ...NET],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const said = readLines(worker.stderr);
  await said.next();
  const drained = drain(said);
  return {
    async [Symbol.asyncDispose]() {
      worker.kill("SIGTERM");
      await worker.status;
      await drained;
    },
  };
}

async function timeBatch([program = "", ...args]: readonly string[]): Promise<number> {
  const batch = new Deno.Command(program, { args, stdin: "null", stdout: "piped", stderr: "inherit" })
    .spawn();
  let first: number | null = null;
  for await (const line of readLines(batch.stdout)) {
    first ??= performance.now();
    if (!JSON.parse(line).ok) throw new Error(`a call failed: ${line}`);
  }
  await batch.status;
  return performance.now() - first!;
}

async function drain(lines: AsyncIterable<string>): Promise<void> {
  for await (const _ of lines);
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
