import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import { FoldedText } from "../text/folded_text.ts";
import { visible } from "../text/visible.ts";
import { type ChangedSpan, changedWords } from "./changed_words.ts";
import { type DiffLine, type FileDiff, readDiff, readSigned } from "./read_diff.ts";

/** Longer files are folded, and what is longer than the second is shown in parts. */
const UNFOLDED_LINES = 300;
const LINES_AT_ONCE = 1_000;
/** Files with more characters are folded: a line of packed code can be a whole book. */
const UNFOLDED_CHARACTERS = 60_000;
const MOST_OF_A_LINE = 2_000;
const SIGNS = { same: " ", added: "+", removed: "-", place: "", note: "" } as const;

/** A unified diff, by files, or lines with signs. What is neither is shown as it is. */
export function Diff({ text }: { text: string }) {
  const files = useMemo(() => {
    const found = readDiff(text);
    const signed = found.length === 0 ? readSigned(text) : null;
    return signed ? [signed] : found;
  }, [text]);
  if (files.length === 0) return html`<${FoldedText} text=${text} label="Changes" />`;
  return html`<div class="file-diffs">${
    files.map((file, at) => html`<${OneFile} key=${at} file=${file} />`)
  }</div>`;
}

function OneFile({ file: { path, lines, added, removed } }: { file: FileDiff }) {
  const [isOpen, setOpen] = useState(isShort(lines));
  const onToggle = ({ currentTarget }: { currentTarget: HTMLDetailsElement }) => setOpen(currentTarget.open);
  return html`<details class="file-diff" open=${isOpen} onToggle=${onToggle}>
    <summary><span class="file-path">${visible(path) || "Changes"}</span>
      ${
    added + removed > 0 && html`
      <span class="added-count">+${added}<span class="unseen"> lines added,</span></span>
      <span class="removed-count">−${removed}<span class="unseen"> lines removed</span></span>
    `
  }
    </summary>
    ${isOpen && html`<${Lines} lines=${lines} path=${path} />`}
  </details>`;
}

function isShort(lines: readonly DiffLine[]): boolean {
  return lines.length <= UNFOLDED_LINES &&
    lines.reduce((sum, { text }) => sum + text.length, 0) <= UNFOLDED_CHARACTERS;
}

function Lines({ lines, path }: { lines: readonly DiffLine[]; path: string }) {
  const [count, setCount] = useState(LINES_AT_ONCE);
  const words = useMemo(() => changedWords(lines), [lines]);
  const hasNumbers = useMemo(() => lines.some(({ before, after }) => before + after > 0), [lines]);
  return html`<div class="diff-scroll" tabindex="0" role="group" aria-label=${`Changes of ${visible(path)}`}>
    <table class="diff-lines"><tbody>${
    lines.slice(0, count).map((line, at) =>
      html`
        <tr key=${at} class=${`diff-${line.kind}`}>
          ${hasNumbers && html`
            <td class="line-number" data-number=${line.before || ""}></td>
            <td class="line-number" data-number=${line.after || ""}></td>
          `}
          <td class="line-sign">${SIGNS[line.kind]}</td>
          <td class="line-text">${lineText(line, words.get(line))}</td>
        </tr>
      `
    )
  }</tbody></table>
    ${
    count < lines.length && html`<button type="button" class="small" onClick=${() =>
      setCount(count + LINES_AT_ONCE)}>
      Show more of ${lines.length - count} lines
    </button>`
  }
  </div>`;
}

function lineText({ text, kind }: DiffLine, changed: ChangedSpan | undefined): ComponentChildren {
  if (!changed || changed[0] >= changed[1]) return visible(shortLine(text));
  const [start, end] = changed;
  const middle = visible(shortLine(text.slice(start, end)));
  const marked = kind === "added" ? html`<ins>${middle}</ins>` : html`<del>${middle}</del>`;
  // What is near the change counts.
  const before = text.slice(0, start);
  const shown = before.length > MOST_OF_A_LINE ? `…${before.slice(-MOST_OF_A_LINE)}` : before;
  return [visible(shown), marked, visible(shortLine(text.slice(end)))];
}

function shortLine(text: string): string {
  if (text.length <= MOST_OF_A_LINE) return text;
  return `${text.slice(0, MOST_OF_A_LINE)}… (${text.length - MOST_OF_A_LINE} more characters)`;
}
