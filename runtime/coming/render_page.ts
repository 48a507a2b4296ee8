import { FOREIGN_KINDS, type ForeignKind, type ForeignWord } from "./foreign_word.ts";
import { type SystemName, SYSTEMS } from "./systems.ts";

/** Returns the page of another system, in Markdown: what somebody does first, and each of its words. */
export function renderPage(name: SystemName): string {
  const { title, lead, words } = SYSTEMS[name];
  const kinds = Object.keys(FOREIGN_KINDS) as ForeignKind[];
  return [
    `# Coming from ${title}\n\n${lead.join("\n")}`,
    ...kinds.flatMap((kind) => {
      const rows = words[kind] ?? [];
      return rows.length === 0 ? [] : [`## ${FOREIGN_KINDS[kind]}\n\n${table(rows)}`];
    }),
    "What has `=` before it can be given here as it stands there.",
  ].join("\n\n");
}

function table(rows: readonly ForeignWord[]): string {
  const cells = rows.map(({ theirs, here, says, works }) =>
    `| ${works ? "= " : ""}\`${theirs}\` | ${
      [here === null ? "not here" : `\`${here}\``, ...says === undefined ? [] : [says]]
        .join("; ")
    } |`
  );
  return ["| there | here |", "| --- | --- |", ...cells].join("\n");
}
