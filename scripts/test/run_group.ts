import { join, toFileUrl } from "@std/path";

import { readTimes } from "./figures.ts";
import { type Ran, readJunit } from "./read_junit.ts";

/** What a run of `deno test` showed. */
export interface Outcome {
  tests: Ran[];
  /** Processor seconds of it and of all it waited for. */
  cpu: number;
  /** Why it ended early or failed without a failed test, `null` if it did not. */
  fault: string | null;
  /** Lines that tests wrote for whoever reads the tier's output. */
  notes: string[];
}

/** Begins such a line in what a test writes. */
export const NOTE = "note: ";

/** How tests are run. */
export interface Way {
  root: string;
  /** A folder for reports and joined modules. */
  scratch: string;
  env: Readonly<Record<string, string>>;
  /** Is told the number of the process that the tests descend from; they begin when it is done. */
  started?: (pid: number) => Promise<void> | undefined;
}

const PERMISSIONS = ["read", "write", "net", "run", "env", "sys"].map((name) => `--allow-${name}`);
/** Longest time of a module of tests in milliseconds: it must have hung. */
const TIMEOUT_MS = 15 * 60_000;
/** After it the module is killed: when it is interrupted, Deno lists the tests that have not ended. */
const GRACE_MS = 20_000;

/**
 * Runs test files in one process, joined into one module: an isolate for each file loads the program anew, which takes as
 * long as the tests.
 *
 * @param filter The name of the only test to run
 */
export async function runTests(files: readonly string[], way: Way, filter?: string): Promise<Outcome> {
  const own = join(way.scratch, crypto.randomUUID());
  await Deno.mkdir(own);
  // What stands in its name tells tests which tier they are in.
  const tier = files[0]!.split("/")[1]!;
  const joined = join(own, `${tier}_test.ts`);
  const urls = files.map((file) => toFileUrl(join(way.root, file)).href);
  await Deno.writeTextFile(joined, urls.map((url) => `import ${JSON.stringify(url)};\n`).join(""));
  const only = filter === undefined ? [] : [`--filter=/^${filter.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}$/`];
  const args = [
    "test",
    "--no-check",
    "--no-prompt",
    `--config=${way.root}/deno.json`,
    ...PERMISSIONS,
  ];
  const report = join(own, "report.xml");
  const words = [...args, `--junit-path=${report}`, ...only, joined];
  // Unlike Deno, a shell tells what its children used.
  const script = 'read go; out=$1; shift; "$@" </dev/null; code=$?; times >"$out"; exit $code';
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", script, "sh", join(own, "times"), Deno.execPath(), ...words],
    cwd: way.root,
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", ...way.env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
  await way.started?.(child.pid);
  const go = child.stdin.getWriter();
  await go.write(new TextEncoder().encode("\n"));
  await go.close();
  const { code, said } = await endOf(child);
  const tests = readJunit(await Deno.readTextFile(report).catch(() => ""));
  const cpu = readTimes(await Deno.readTextFile(join(own, "times")).catch(() => ""));
  const failed = tests.some(({ outcome }) => outcome === "failed");
  const fault = code === 0 || failed ? null : `ended with exit code ${code}:\n${said.slice(-4_000)}`;
  const notes = said.split("\n").filter((line) => line.startsWith(NOTE)).map((line) =>
    line.slice(NOTE.length)
  );
  return { tests, cpu, fault, notes };
}

async function endOf(child: Deno.ChildProcess): Promise<{ code: number; said: string }> {
  const said = Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()));
  const kill = (signal: Deno.Signal) => {
    try {
      // The shell leads a group: its number is that of the shell.
      Deno.kill(-child.pid, signal);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  };
  const interrupt = setTimeout(() => kill("SIGINT"), TIMEOUT_MS);
  const end = setTimeout(() => kill("SIGKILL"), TIMEOUT_MS + GRACE_MS);
  const { code } = await child.status;
  clearTimeout(interrupt);
  clearTimeout(end);
  return { code, said: (await said).join("\n") };
}
