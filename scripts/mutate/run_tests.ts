import { dirname, join } from "@std/path";

import { endGroup, endProcesses, MARK } from "./end_processes.ts";

/** Tests that run together. */
export interface TestGroup {
  /** As a mutation names it. */
  name: string;
  tier: Tier;
  /** Files and folders, from the root. */
  paths: readonly string[];
  /** Which of their tests. @default all */
  filter?: string;
}

/** Where a test stands, the cheapest first. */
export const TIERS = ["unit", "cases", "process", "attacks"] as const;
export type Tier = typeof TIERS[number];

/** How tests ended. */
export interface Outcome {
  passed: number;
  /** The first that failed; what Deno said if none has a name, such as for a module that cannot be loaded. */
  failed: string | null;
  seconds: number;
}

/** Longest time of one group of tests, in milliseconds: what does not end is a failure too. */
const LONGEST_MS = 600_000;

/** Finds the tests that a mutation names; one whose file is gone stands for the tests of its folder. Needs `read`. */
export function groupOf(name: string, root: string): TestGroup {
  const kind = /^(\d+)-\d+$/.exec(name)?.[1];
  if (kind !== undefined) {
    return { name, tier: "attacks", paths: filesOfKind(kind, root), filter: `/^${name} /` };
  }
  const tier = TIERS.find((one) => name.startsWith(`tests/${one}/`)) ?? "unit";
  return { name, tier, paths: [nearest(name, root)] };
}

function nearest(path: string, root: string): string {
  return isThere(join(root, path)) ? path : nearest(dirname(path), root);
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function filesOfKind(kind: string, root: string, folder = "tests/attacks"): string[] {
  return [...Deno.readDirSync(join(root, folder))].sort((a, b) => a.name < b.name ? -1 : 1)
    .flatMap(({ name, isDirectory }) => {
      const path = join(folder, name);
      if (isDirectory) return filesOfKind(kind, root, path);
      const isOne = name.endsWith("_test.ts") &&
        Deno.readTextFileSync(join(root, path)).includes(`attackTests(${kind},`);
      return isOne ? [path] : [];
    });
}

/**
 * Runs tests in a copy of the repository, and ends all that they leave.
 *
 * @param scratch Folder for their temporary files; it is emptied
 */
export async function runTests(
  { paths, filter }: Pick<TestGroup, "paths" | "filter">,
  { tree, scratch, signal }: { tree: string; scratch: string; signal: AbortSignal },
): Promise<Outcome> {
  const mark = crypto.randomUUID();
  const begun = performance.now();
  await Deno.mkdir(scratch, { recursive: true });
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["test", "--quiet", "--no-check", "--no-prompt", "--allow-read", "--allow-write", "--allow-net"],
      ...["--allow-run", "--allow-env", "--allow-sys", ...filter === undefined ? [] : ["--filter", filter]],
      ...paths,
    ],
    cwd: tree,
    env: { [MARK]: mark, TMPDIR: scratch, NO_COLOR: "1", BULKHEAD_ATTACKERS: "oneself" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
  const end = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
  const kill = () => endGroup(child.pid);
  end.addEventListener("abort", kill);
  try {
    if (end.aborted) kill();
    const { success, stdout, stderr } = await child.output();
    const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    const why = end.aborted ? `does not end within ${LONGEST_MS / 1_000} s` : firstFailure(said);
    return {
      passed: Number(/(\d+) passed/.exec(said)?.[1] ?? 0),
      failed: success ? null : why,
      seconds: (performance.now() - begun) / 1_000,
    };
  } finally {
    end.removeEventListener("abort", kill);
    endProcesses(mark, scratch);
    await Deno.remove(scratch, { recursive: true }).catch(() => {});
  }
}

/** What Deno lists at its end, each with the place of its test. */
function firstFailure(said: string): string {
  const list = said.slice(said.lastIndexOf("\n FAILURES \n"));
  const named = /^(.+?) => (?:\.\/)?\S+:\d+:\d+$/m.exec(list)?.[1];
  return named ?? /^error: (.*)$/m.exec(said)?.[1] ?? "ended with a failure without a name";
}
