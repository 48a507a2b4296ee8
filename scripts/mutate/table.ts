import { type Tier, TIERS } from "./run_tests.ts";

/** What is known of a mutation: by tier the test that caught it, `null` where none of those that were asked did. */
export type Row = Partial<Record<Tier, string | null>>;

const NOTHING = "–";
const HEAD = `<!-- deno-fmt-ignore-file -->

# Mutations

Each row is a change of the source that breaks a promise, and the test of each tier that failed by it. An empty
field: the tier was not asked, as a cheaper one had seen it. \`${NOTHING}\`: it was asked and saw nothing. Written by
\`deno task mutate\`; \`scripts/mutate/mutations/\` has the changes.

| mutation | ${TIERS.join(" | ")} |
| --- | ${TIERS.map(() => "---").join(" | ")} |
`;

/** Writes rows as a table, in the order of their names. */
export function writeTable(rows: ReadonlyMap<string, Row>): string {
  const lines = [...rows].sort(([a], [b]) => a < b ? -1 : 1).map(([id, row]) =>
    `| ${[id, ...TIERS.map((tier) => cell(row[tier]))].join(" | ")} |`
  );
  return `${HEAD}${lines.join("\n")}\n`;
}

/** Reads what {@linkcode writeTable} wrote; nothing of any other text. */
export function readTable(text: string): Map<string, Row> {
  const lines = text.split("\n").filter((line) => /^\| [a-z]+-/.test(line));
  return new Map(lines.map((line) => {
    const [id = "", ...cells] = line.split(/(?<!\\)\|/).slice(1, -1).map((part) =>
      part.trim().replaceAll("\\|", "|")
    );
    const known = TIERS.flatMap((tier, at) =>
      cells[at] ? [[tier, cells[at] === NOTHING ? null : cells[at]] as const] : []
    );
    return [id, Object.fromEntries(known)];
  }));
}

function cell(test: string | null | undefined): string {
  return test === undefined ? "" : (test ?? NOTHING).replaceAll("|", "\\|");
}
