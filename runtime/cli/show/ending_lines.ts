import type { ChangedFile, RefusedCall, RunEnding } from "../../../schemas/agent/ending.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { mergeFlags, showFlags } from "../../walls/grants/flag_word.ts";

/** How many changed files are named. */
const SHOWN = 10;

/** Returns what a person reads at the end of a run: what was changed, what was refused, and how to go on. */
export function endingLines({ changed = [], refused = [], resume = null }: Partial<RunEnding>): string[] {
  const more = changed.length - SHOWN;
  return [
    ...changed.slice(0, SHOWN).map((file) => `changed ${showChange(file)}`),
    ...more > 0 ? [`changed ${more} more ${more === 1 ? "file" : "files"}, see --json`] : [],
    ...refused.length > 0 ? [`refused ${showRefused(refused)}`] : [],
    ...resume === null ? [] : [`go on   ${resume}`],
  ];
}

function showChange({ path, status, added, removed }: ChangedFile): string {
  const word = { added: " (new)", deleted: " (deleted)", modified: "" }[status];
  const lines = [...added ? [`+${added}`] : [], ...removed ? [`-${removed}`] : []];
  return `${onOneLine(path)}${word}${lines.map((count) => ` ${count}`).join("")}`;
}

function showRefused(refused: readonly RefusedCall[]): string {
  const tools = [...new Set(refused.map(({ tool }) => tool.split("/").at(-1)))].join(", ");
  const flags = mergeFlags(refused.flatMap((call) => call.flags));
  if (flags.length === 0) return `${onOneLine(tools)}; no flag allows it`;
  const isAll = refused.every((call) => call.flags.length > 0);
  return `${onOneLine(tools)}; to allow ${isAll ? "it" : "what a flag can allow"}: ${showFlags(flags)}`;
}
