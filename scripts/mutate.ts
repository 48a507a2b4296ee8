// Breaks promises of the program one by one, each in a copy of its sources, and sees whether a test fails.
//   deno task mutate [--only ID]... [--tier quick|gate] [--all] [--jobs N]
// --only names a mutation, or the beginning of several names. --tier quick asks the tests of the tiers unit and cases alone.
// --all asks all tests of the tiers, in place of those that each mutation names, which takes hours. Without --all the first
// failing test is enough. What was found is written into the table tests/mutations.md.
// Ends with 1 if a mutation is caught by nothing, and with 2 if a mutation or its tests are not as they must be.
import { parseArgs } from "node:util";
import { fromFileUrl, join } from "@std/path";

import { type Mutation, placeProblem } from "./mutate/mutation.ts";
import { MUTATIONS } from "./mutate/mutations/mod.ts";
import { groupOf, runTests, type TestGroup, TIERS } from "./mutate/run_tests.ts";
import { readTable, type Row, writeTable } from "./mutate/table.ts";
import { copyTree, type Tree } from "./mutate/tree.ts";

const root = fromFileUrl(new URL("..", import.meta.url));
const TABLE = join(root, "tests/mutations.md");
const { values } = parseArgs({
  args: Deno.args,
  options: {
    only: { type: "string", multiple: true, default: [] },
    tier: { type: "string", default: "gate" },
    all: { type: "boolean", default: false },
    jobs: { type: "string", default: "2" },
  },
});
const stopped = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(name, () => stopped.abort());
const { signal } = stopped;
const tiers = values.tier === "quick" ? TIERS.slice(0, 2) : TIERS;

const scratch = await Deno.makeTempDir({ prefix: "bulkhead-mutate-" });
// Attacks are also tried by an ordinary user, whose temporary files are in here.
await Deno.chmod(scratch, 0o711);
try {
  Deno.exitCode = await mutateAll();
} catch (error) {
  if (!signal.aborted) throw error;
  Deno.exitCode = fail(["stopped: the table stays as it was"], 130);
} finally {
  await Deno.remove(scratch, { recursive: true });
}

async function mutateAll(): Promise<number> {
  const chosen = MUTATIONS.filter(({ id }) =>
    values.only.length === 0 || values.only.some((name) => id === name || id.startsWith(`${name}-`))
  );
  const problems = chosen.flatMap((mutation) => placeProblem(root, mutation) ?? []);
  if (chosen.length === 0) problems.push(`no mutation is called ${values.only.join(", ")}`);
  if (problems.length > 0) return fail(problems, 2);
  const jobs = Array.from({ length: Number(values.jobs) }, (_, at) => join(scratch, String(at)));
  const trees = await Promise.all(jobs.map((folder) => copyTree(root, join(folder, "tree"))));
  const red = await redWithout(chosen, trees);
  if (red.length > 0) return fail(red, 2);
  const rows = new Map<string, Row>();
  await each(
    trees,
    chosen,
    async (mutation, tree) => void rows.set(mutation.id, await judge(mutation, tree)),
  );
  await keep(rows);
  const missed = chosen.filter(({ id }) => !isCaught(rows.get(id)));
  tell(`${chosen.length - missed.length} of ${chosen.length} caught`);
  return fail(missed.map(({ id, promise }) => `${id} is caught by nothing: ${promise}`), 1);
}

function groupsOf({ caughtBy }: Mutation): TestGroup[] {
  const all = tiers.map((tier) => ({ name: tier, tier, paths: [`tests/${tier}`] }));
  const groups = values.all ? all : caughtBy.map((name) => groupOf(name, root));
  return groups.filter(({ tier }) => tiers.includes(tier));
}

/** Tests that fail without any mutation would catch everything, and those that are not there nothing. */
async function redWithout(chosen: readonly Mutation[], trees: readonly Tree[]): Promise<string[]> {
  const groups = new Map(chosen.flatMap(groupsOf).map((group) => [group.name, group]));
  const red: string[] = [];
  await each(trees, [...groups.values()], async (group, tree) => {
    const { passed, failed } = await ask(group, tree);
    if (failed !== null) red.push(`${group.name} fails without a mutation: ${failed}`);
    else if (passed === 0) red.push(`${group.name} has no test that can be run here`);
  });
  return red;
}

async function judge(mutation: Mutation, tree: Tree): Promise<Row> {
  await using _mutated = await tree.mutate(mutation);
  const row: Row = {};
  for (const group of groupsOf(mutation)) {
    if (!values.all && isCaught(row)) break;
    const { failed, seconds } = await ask(group, tree);
    row[group.tier] ??= failed;
    const what = failed === null ? "saw nothing" : `failed: ${failed}`;
    tell(`${mutation.id}: ${group.name} ${what} (${seconds.toFixed(1)} s)`);
  }
  return row;
}

async function ask(group: TestGroup, { folder }: Tree) {
  const found = await runTests(group, { tree: folder, scratch: join(folder, "../tmp"), signal });
  // A test that was ended has seen nothing.
  signal.throwIfAborted();
  return found;
}

function isCaught(row: Row | undefined): boolean {
  return Object.values(row ?? {}).some((test) => test !== null);
}

/** Does a piece of work for each item, as many at once as there are trees. */
async function each<T>(
  trees: readonly Tree[],
  items: readonly T[],
  work: (item: T, tree: Tree) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(trees.map(async (tree) => {
    for (const item of left) {
      signal.throwIfAborted();
      await work(item, tree);
    }
  }));
}

/** Of mutations that were not chosen, the table keeps what it has. */
async function keep(found: ReadonlyMap<string, Row>): Promise<void> {
  const before = readTable(await Deno.readTextFile(TABLE).catch(() => ""));
  const known = new Set(MUTATIONS.map(({ id }) => id));
  const rows = [...before, ...found].filter(([id]) => known.has(id));
  await Deno.writeTextFile(TABLE, writeTable(new Map(rows)));
}

function fail(problems: readonly string[], code: number): number {
  problems.forEach(tell);
  return problems.length === 0 ? 0 : code;
}

function tell(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
}
