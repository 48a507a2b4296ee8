import { dirname, join } from "@std/path";

/** When tests run: by everybody at each change, at each landing, where nothing makes a sandbox, and before a release. */
export const TIERS = ["quick", "gate", "no-sandbox", "soak"] as const;

export type Tier = typeof TIERS[number];

/** What a tier may cost, and how many of its modules run at once: half as many where they start programs. */
interface Plan {
  /** Processor seconds of all processes. */
  budget: number;
  jobs: number;
  /** Variables that the tests of the tier are given. */
  env: Readonly<Record<string, string>>;
}

export const PLANS: Readonly<Record<Tier, Plan>> = {
  quick: { budget: 400, jobs: 4, env: { BULKHEAD_ATTACKS: "quick" } },
  gate: { budget: 1_000, jobs: 4, env: { BULKHEAD_ATTACKS: "gate" } },
  "no-sandbox": { budget: 60, jobs: 4, env: { BULKHEAD_LANDLOCK_ABI: "0" } },
  soak: { budget: Infinity, jobs: 4, env: { BULKHEAD_ATTACKS: "soak" } },
};

/** Tests of one folder, which share a module, a process and a row of the figures. */
export interface Group {
  name: string;
  /** Paths from the root. */
  files: readonly string[];
}

/** What a tier leaves to the others, in one line. */
export const LEFT_OUT: Readonly<Record<Tier, string>> = {
  quick:
    "Left to .ci/run: most cases, processes, terminals, servers, browsers, queues, all attacks, on the binary. " +
    "Left to `deno task soak`: long rounds, floods, kills and load.",
  gate: "Left to `deno task soak`: long rounds, floods, kills, load, and attacks as root and from source.",
  "no-sandbox": "",
  soak: "",
};

/** Each looks at what its process has loaded, or loads what others have. */
const ALONE = [
  "tests/attacks/frame/kinds_test.ts",
  "tests/unit/tools/harness/read_pdf_second_reader_test.ts",
];

/** Cases that everybody runs; a landing runs the others, where rooms are those of the binary and cost a quarter. */
const QUICK_CASES = ["tests/cases/calls"];

/** What differs where nothing makes a sandbox; the rest is asked with `--sandbox=off`. */
const WITHOUT_SANDBOX = ["tests/process/no_sandbox"];

/** Processor seconds of the largest module; a group that cost more at the last landing is cut into several. */
const LARGEST = 25;
/** Cases of attacks share starts, but not with those of another module. */
const LARGEST_OF_ATTACKS = 150;

/** Returns the groups of a tier. A group's files are in the order of their names. */
export function groupsOf(tier: Tier, root: string, costs: Readonly<Record<string, number>>): Group[] {
  const groups = Map.groupBy(filesOf(tier, root), groupOf);
  return [...groups].flatMap(([name, files]) => {
    const largest = name === "attacks" ? LARGEST_OF_ATTACKS : LARGEST;
    return cut(name, files, Math.ceil((costs[name] ?? 0) / largest));
  });
}

/** Returns the groups of files and folders that somebody named, as paths from the root. */
export function namedGroups(root: string, names: readonly string[]): Group[] {
  return names.flatMap((name) => cut(name, name.endsWith(".ts") ? [name] : testsBelow(root, name), 1));
}

function cut(name: string, files: readonly string[], pieces: number): Group[] {
  const together = files.filter((file) => !ALONE.includes(file));
  const most = Math.max(1, pieces);
  const parts = Array.from({ length: most }, (_, part) => together.filter((_, at) => at % most === part));
  const alone = files.filter((file) => ALONE.includes(file)).map((file) => [file]);
  return [...parts, ...alone].filter((part) => part.length > 0).map((part) => ({ name, files: part }));
}

function filesOf(tier: Tier, root: string): string[] {
  const below = (folder: string) => testsBelow(root, folder);
  const cases = below("tests/cases");
  const isQuick = (file: string) => QUICK_CASES.some((folder) => file.startsWith(`${folder}/`));
  const started = ["tests/process", "tests/attacks"].flatMap(below).filter(hasSandbox);
  switch (tier) {
    case "quick": {
      const own = ["tests/architecture_test.ts", "tests/conventions_test.ts", "tests/process/smoke_test.ts"];
      return [...own, ...below("tests/unit"), ...cases.filter(isQuick), ...below("tests/attacks")];
    }
    case "gate":
      return [...cases.filter((file) => !isQuick(file)), ...started];
    case "no-sandbox":
      return WITHOUT_SANDBOX.flatMap(below);
    case "soak":
      return [...below("tests/soak"), ...started];
  }
}

function hasSandbox(file: string): boolean {
  return !WITHOUT_SANDBOX.includes(dirname(file));
}

/** The folder of a part: `unit/agent`, `unit/engine`, `cases/walls`, `process/chat`, `attacks`. */
function groupOf(file: string): string {
  const [, tier = "", ...folders] = dirname(file).split("/");
  const [first = "", part = ""] = folders;
  const isSorted = tier === "unit" && (first === "runtime" || first === "tools");
  return [tier, isSorted ? part || first : tier === "attacks" ? "" : first].filter(Boolean).join("/") ||
    "tests";
}

/** Returns the test files below a folder, in the order of their names. */
function testsBelow(root: string, folder: string): string[] {
  const entries = [...Deno.readDirSync(join(root, folder))].toSorted((a, b) => a.name < b.name ? -1 : 1);
  return entries.flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    return isDirectory ? testsBelow(root, path) : name.endsWith("_test.ts") ? [path] : [];
  });
}
