import type { RunChange } from "../state/undo/run_changes.ts";
import { onOneLine } from "../text/strip_controls.ts";
import { type Html, markup } from "./html.ts";

/** Most characters of the diff of a file, and of all files. */
const MAX_DIFF = 200_000;
const MAX_DIFFS = 8_000_000;
/** Diffs of so few lines are shown unfolded. */
const SHORT_LINES = 60;

/** Returns what a run changed, a part a file that can be folded. */
export function showDiff(changes: readonly RunChange[]): Html {
  let left = MAX_DIFFS;
  return markup`${
    changes.map((change) => {
      const most = Math.min(MAX_DIFF, left);
      left -= Math.min(most, change.diff.length);
      return showFile(change, most);
    })
  }`;
}

function showFile({ path, status, added, removed, diff }: RunChange, most: number): Html {
  const lines = diff.slice(0, most).replace(/\n$/, "").split("\n");
  const counts = added === null
    ? markup``
    : markup` <span class="good">+${added}</span> <span class="bad">-${removed ?? 0}</span>`;
  const title = markup`<code>${onOneLine(path)}</code> <span class="dim">${status}</span>${counts}`;
  const cut = diff.length > most
    ? markup`<p class="note">The rest of ${diff.length} characters is not shown.</p>`
    : markup``;
  const body =
    markup`<summary>${title}</summary><pre class="diff" tabindex="0" role="region" aria-label="diff of ${
      onOneLine(path)
    }">${lines.map(showLine)}</pre>${cut}`;
  return lines.length <= SHORT_LINES
    ? markup`<details open>${body}</details>\n`
    : markup`<details>${body}</details>\n`;
}

function showLine(line: string, at: number): Html {
  // The first two lines name the file.
  if (at > 1 && line.startsWith("+")) return markup`<span class="add">${line}</span>`;
  if (at > 1 && line.startsWith("-")) return markup`<span class="cut">${line}</span>`;
  return line.startsWith("@@") ? markup`<span class="at">${line}</span>` : markup`<span>${line}</span>`;
}
