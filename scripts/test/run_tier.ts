import { fromFileUrl } from "@std/path";

import { readLines } from "../../runtime/text/lines.ts";
import type { Cost } from "./figures.ts";
import type { Ran } from "./read_junit.ts";
import { runTests, type Way } from "./run_group.ts";
import type { Group } from "./tiers.ts";

/** What a tier showed. */
export interface TierResult {
  costs: Record<string, Cost>;
  counts: { passed: number; failed: number; flaky: number };
  /** Names of tests that cannot run here. */
  ignored: string[];
}

interface TierOptions {
  root: string;
  jobs: number;
  env: Readonly<Record<string, string>>;
  /** Processor seconds of groups at the last landing: the longest begin first. */
  costs: Readonly<Record<string, number>>;
  say(text: string): void;
}

/** More tests than this that failed once and passed when they ran alone are failures. */
const MOST_FLAKY = 3;

/** Runs groups of tests, and what failed once more alone. */
export async function runTier(
  groups: readonly Group[],
  { root, jobs, env, costs: before, say }: TierOptions,
): Promise<TierResult> {
  const scratch = await Deno.makeTempDir({ prefix: "bulkhead-tests-" });
  const account = await openAccount();
  const costs: Record<string, Cost> = {};
  const all: Ran[] = [];
  const again: { files: readonly string[]; name: string | null; text: string }[] = [];
  const wayOf = (name: string): Way => ({ root, scratch, env, started: (pid) => account?.add(pid, name) });
  const dearFirst = groups.toSorted((a, b) => (before[b.name] ?? 0) - (before[a.name] ?? 0));
  await beside(jobs, dearFirst, async ({ name, files }) => {
    const { tests, cpu, fault, notes } = await runTests(files, wayOf(name));
    all.push(...tests);
    const failed = tests.filter(({ outcome }) => outcome === "failed");
    // A helper may have registered it: then its file is one of the group.
    again.push(
      ...failed.map(({ file, name, text }) => ({ files: files.includes(file) ? [file] : files, name, text })),
    );
    if (fault !== null) again.push({ files, name: null, text: fault });
    const cost = costs[name] ??= { tests: 0, cpu: 0, starts: null };
    cost.tests += tests.length;
    cost.cpu = Number((cost.cpu + cpu).toFixed(1));
    say(
      `${name}: ${tests.length} tests${failed.length + Number(fault !== null) > 0 ? ", not all passed" : ""}`,
    );
    for (const note of notes) say(`${name}: ${note}`);
  });
  const sums = { passed: all.filter(({ outcome }) => outcome === "passed").length, failed: 0, flaky: 0 };
  for (const { files, name, text } of again) {
    const title = `${files.join(" ")}: ${name ?? "the module"}`;
    const { tests, fault } = await runTests(files, wayOf("again"), name ?? undefined);
    const isRed = fault !== null || tests.length === 0 || tests.some(({ outcome }) => outcome === "failed");
    sums[isRed ? "failed" : "flaky"]++;
    say(`\n== ${isRed ? "FAILED" : "flaky: passed alone"}: ${title}\n${text}`);
    const last = tests.find(({ outcome }) => outcome === "failed")?.text ?? fault;
    if (isRed && last && last !== text) say(`-- and alone:\n${last}`);
  }
  if (sums.flaky > MOST_FLAKY) {
    say(`\n${sums.flaky} tests are flaky: more than ${MOST_FLAKY} are failures.`);
    sums.failed += sums.flaky;
  } else {
    sums.passed += sums.flaky;
  }
  const counts = await account?.counts() ?? {};
  for (const [name, { starts, cpu }] of Object.entries(counts)) {
    if (costs[name]) Object.assign(costs[name], { starts, cpu: Number(cpu.toFixed(1)) });
  }
  await Deno.remove(scratch, { recursive: true });
  const ignored = all.filter(({ outcome }) => outcome === "ignored").map(({ name }) => name);
  return { costs: Object.fromEntries(Object.entries(costs).toSorted()), counts: sums, ignored };
}

/** Runs groups beside each other: so many of units, half as many of those that start programs. */
async function beside(
  jobs: number,
  groups: readonly Group[],
  run: (group: Group) => Promise<void>,
): Promise<void> {
  const rest = [...groups];
  const running = new Set<Promise<void>>();
  let free = jobs;
  const begin = (group: Group) => {
    const places = Math.min(jobs, startsPrograms(group) ? 2 : 1);
    free -= places;
    const ended = run(group).finally(() => {
      free += places;
      running.delete(ended);
    });
    running.add(ended);
  };
  while (rest.length > 0 || running.size > 0) {
    const next = rest.findIndex((group) => free >= Math.min(jobs, startsPrograms(group) ? 2 : 1));
    if (next >= 0) begin(...rest.splice(next, 1) as [Group]);
    else await Promise.race(running);
  }
}

function startsPrograms({ files }: Group): boolean {
  return /^tests\/(?:process|attacks|soak)\//.test(files[0]!);
}

/** Counts what groups start and use, where the kernel tells of it: on Linux, to root. */
async function openAccount() {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return null;
  const script = fromFileUrl(new URL("account.py", import.meta.url));
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", 'exec python3 "$0"', script],
    ...{ stdin: "piped", stdout: "piped", stderr: "null" },
  }).spawn();
  const writer = child.stdin.getWriter();
  const lines = readLines(child.stdout);
  if ((await lines.next()).done) return null;
  let turn: Promise<unknown> = Promise.resolve();
  return {
    /** Counts a process, and all that it starts from then on. */
    add(pid: number, name: string): Promise<void> {
      const answered = turn.then(async () => {
        await writer.write(new TextEncoder().encode(`${pid} ${name}\n`));
        await lines.next();
      });
      turn = answered;
      return answered;
    },
    async counts(): Promise<Record<string, { starts: number; cpu: number }>> {
      await writer.close();
      const { value } = await lines.next();
      return JSON.parse(value ?? "{}");
    },
  };
}
