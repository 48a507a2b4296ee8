import { median, OpenBatch, timeCommand } from "./measure.ts";
import type { Ratio } from "./report.ts";
import { TREE_FILES } from "./tree.ts";

const RUNS = 5;

/** Bounds of the searches: the compiled runtime has an older, slower JavaScript engine than the source. */
export interface SearchBounds {
  literal: number;
  pattern: number;
}

/** Measures warm Grep and Glob against ripgrep and fd on the tree; counts must agree before times count. */
export async function benchSearch(
  label: string,
  argv: readonly string[],
  { tree, fd, bounds }: { tree: string; fd: string; bounds: SearchBounds },
): Promise<Ratio[]> {
  const batch = new OpenBatch(argv, tree);
  const grep = (pattern: string, rest: Record<string, unknown> = {}) =>
    batch.call("Grep", { pattern, max_results: 1_000_000, max_chars: 1_000_000_000, ...rest });
  const rg = (pattern: string) =>
    timeCommand(["rg", "-i", "-j2", "-uu", "--no-heading", "-n", pattern, tree]);
  await agree(grep, rg, "needle[0-9]+ in");
  const none = "zzqqxx_never_here";
  const withLiteral = "needle[0-9]{3,}[02468] never";
  const rgNone = await median(RUNS, async () => (await rg(none)).ms);
  const grepNone = await median(RUNS, async () => (await grep(none)).ms);
  const rgPattern = await median(RUNS, async () => (await rg(withLiteral)).ms);
  const grepPattern = await median(RUNS, async () => (await grep(withLiteral)).ms);
  const first = await median(RUNS, async () => (await grep("function", { max_results: 1 })).ms);
  const find = [fd, "-HI", "-j2", "-e", "ts", ".", tree];
  const glob = () => batch.call("Glob", { pattern: "**/*.ts", max_results: 1_000_000 });
  const found = (await timeCommand(find)).stdout.trim().split("\n").length;
  if ((await glob()).result.match_count !== found) throw new Error(`Glob and fd differ: fd found ${found}`);
  const fdMs = await median(RUNS, async () => (await timeCommand(find)).ms);
  const globMs = await median(RUNS, async () => (await glob()).ms);
  const findMs = await median(
    RUNS,
    async () => (await timeCommand(["find", tree, "-name", "*.ts"])).ms,
  );
  await batch.close();
  return [
    ratio(`${label} Grep literal, no match`, grepNone, ["rg", rgNone, bounds.literal]),
    ratio(`${label} Grep pattern with a literal`, grepPattern, ["rg", rgPattern, bounds.pattern]),
    ratio(`${label} Grep first match`, first, ["the search without a match", grepNone, 0.2]),
    ratio(`${label} Glob one extension`, globMs, ["fd", fdMs, 2]),
    // For comparison, without a bound: find has one thread.
    ratio(`${label} Glob one extension`, globMs, ["find", findMs, Infinity]),
  ];
}

function ratio(name: string, ms: number, [peer, peerMs, bound]: [string, number, number]): Ratio {
  return { name, ms, peer, peerMs, bound };
}

async function agree(
  grep: (pattern: string) => Promise<{ result: Record<string, unknown> }>,
  rg: (pattern: string) => Promise<{ stdout: string }>,
  pattern: string,
): Promise<void> {
  const { match_count, files_scanned } = (await grep(pattern)).result;
  const lines = (await rg(pattern)).stdout.trim().split("\n").length;
  if (match_count !== lines) throw new Error(`Grep found ${match_count} lines, rg ${lines}`);
  if (files_scanned !== TREE_FILES) throw new Error(`Grep scanned ${files_scanned} of ${TREE_FILES} files`);
}
