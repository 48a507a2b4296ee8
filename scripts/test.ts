// deno-lint-ignore-file no-console
// Runs the tests of a tier: by folder, each in a process of its own, and what failed once more alone.
//   deno task test [FILE|FOLDER…]       the tests that everybody runs, or those of files
//   deno task test --tier=gate          what starts programs, and attacks; BULKHEAD_BIN names the binary
//   deno task test --tier=no-sandbox    what differs where nothing makes a sandbox
//   deno task soak                      what is long; writes tests/soak/result.json
// --write-figures keeps what the tier cost in tests/figures.json.
import { parseArgs } from "node:util";
import { fromFileUrl, relative, resolve } from "@std/path";

import { ENTRIES } from "../runtime/self/entry_urls.ts";
import {
  type Cost,
  drawCosts,
  keepsBudget,
  measureMachine,
  readFigures,
  sumOf,
  writeFigures,
} from "./test/figures.ts";
import { runTier } from "./test/run_tier.ts";
import { type Group, groupsOf, LEFT_OUT, namedGroups, PLANS, TIERS } from "./test/tiers.ts";

const root = fromFileUrl(new URL("..", import.meta.url)).replace(/\/$/, "");
const { values, positionals } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: {
    tier: { type: "string", default: "quick" },
    jobs: { type: "string" },
    "write-figures": { type: "boolean", default: false },
  },
});
const tier = TIERS.find((name) => name === values.tier) ?? fail(`--tier must be one of ${TIERS.join(", ")}`);
const { budget, env } = PLANS[tier];
const jobs = Number(values.jobs ?? PLANS[tier].jobs) || fail("--jobs must be a number");
const seed = Deno.env.get("BULKHEAD_SEED") ?? String(crypto.getRandomValues(new Uint32Array(1))[0]);
const began = performance.now();
const figures = await readFigures(root);
const before = figures.tiers[tier] ?? {};
const groups = positionals.length > 0 ? named(positionals) : groupsOf(tier, root, cpuOf(before));
const machine = await measureMachine();
await fetchLibraries();
const { costs, counts, ignored } = await runTier(groups, {
  ...{ root, jobs, costs: cpuOf(before) },
  env: { ...env, BULKHEAD_SEED: seed },
  say: (text) => console.log(text),
});
const isWhole = positionals.length === 0;
const cpu = sumOf(costs).cpu;
const slowness = figures.machine > 0 ? machine / figures.machine : 1;
console.log(`\n${drawCosts(costs, before)}\n`);
if (ignored.length > 0) console.log(`Left out here:\n${ignored.map((name) => `  ${name}`).join("\n")}\n`);
const minutes = ((performance.now() - began) / 60_000).toFixed(1);
console.log(
  `${tier}: ${minutes} min, ${cpu.toFixed(0)} CPU s of ${budget}, on a machine ${
    slowness.toFixed(2)
  } times as slow as that of ` +
    `the last figures; seed ${seed}`,
);
if (isWhole && LEFT_OUT[tier]) console.log(LEFT_OUT[tier]);
let { failed } = counts;
if (isWhole && !keepsBudget(cpu, budget, slowness)) {
  console.log(
    `The ${tier} tier is more than a quarter over its budget: make tests cheaper, or move them to another tier.`,
  );
  failed++;
}
if (values["write-figures"]) {
  await writeFigures(root, { machine: scaled(machine), tiers: { ...figures.tiers, [tier]: costs } });
}
if (tier === "soak") await writeSoak();
console.log(`${counts.passed} passed, ${failed} failed, ${counts.flaky} flaky, ${ignored.length} ignored`);
Deno.exit(failed === 0 ? 0 : 1);

function cpuOf(costs: Readonly<Record<string, Cost>>): Record<string, number> {
  return Object.fromEntries(Object.entries(costs).map(([name, { cpu }]) => [name, cpu]));
}

/** All figures are of one machine. */
function scaled(now: number): number {
  return figures.machine > 0 ? figures.machine : Number(now.toFixed(2));
}

/** In an empty cache each process of tests would fetch them again. */
async function fetchLibraries(): Promise<void> {
  const entries = ENTRIES.map((name) => `runtime/entries/${name}.ts`);
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["cache", "--quiet", "main.ts", ...entries],
    cwd: root,
  }).output();
  if (code !== 0) fail("The libraries cannot be fetched: run `deno cache main.ts` to see why");
}

function named(paths: readonly string[]): Group[] {
  const from = Deno.env.get("INIT_CWD") ?? Deno.cwd();
  return namedGroups(root, paths.map((path) => relative(root, resolve(from, path))));
}

async function writeSoak(): Promise<void> {
  const { stdout } = await new Deno.Command("git", { args: ["rev-parse", "HEAD"], cwd: root }).output();
  const result = {
    date: new Date().toISOString(),
    commit: new TextDecoder().decode(stdout).trim(),
    seed,
    ...{ ...counts, ignored: ignored.length },
    folders: Object.fromEntries(
      Object.entries(costs).map(([name, { tests, cpu }]) => [name, { tests, cpu }]),
    ),
  };
  await Deno.writeTextFile(`${root}/tests/soak/result.json`, `${JSON.stringify(result, null, 2)}\n`);
}

function fail(message: string): never {
  console.error(message);
  Deno.exit(2);
}
