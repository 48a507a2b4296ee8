import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import { FoldedText } from "../text/folded_text.ts";
import { visible } from "../text/visible.ts";
import { type ChangedSpan, changedWords } from "./changed_words.ts";
import { type DiffLine, type FileDiff, readDiff } from "./read_diff.ts";

/** Longer files are folded, and what is longer than the second is shown in parts. */
const UNFOLDED_LINES = 300;
const LINES_AT_ONCE = 1_000;
const SIGNS = { same: " ", added: "+", removed: "-", place: "", note: "" } as const;

/** A unified diff, by files. What is no diff is shown as it is. */
export function Diff({ text }: { text: string }) {
  const files = useMemo(() => readDiff(text), [text]);
  if (files.length === 0) return html`<${FoldedText} text=${text} label="Changes" />`;
  return html`<div class="file-diffs">${
    files.map((file, at) => html`<${OneFile} key=${at} file=${file} />`)
  }</div>`;
}

function OneFile({ file: { path, lines, added, removed } }: { file: FileDiff }) {
  const [isOpen, setOpen] = useState(lines.length <= UNFOLDED_LINES);
  const onToggle = ({ currentTarget }: { currentTarget: HTMLDetailsElement }) => setOpen(currentTarget.open);
  return html`<details class="file-diff" open=${isOpen} onToggle=${onToggle}>
    <summary><span class="file-path">${visible(path) || "Changes"}</span>
      <span class="added-count">+${added}<span class="unseen"> lines added,</span></span>
      <span class="removed-count">−${removed}<span class="unseen"> lines removed</span></span>
    </summary>
    ${isOpen && html`<${Lines} lines=${lines} path=${path} />`}
  </details>`;
}

function Lines({ lines, path }: { lines: readonly DiffLine[]; path: string }) {
  const [count, setCount] = useState(LINES_AT_ONCE);
  const words = useMemo(() => changedWords(lines), [lines]);
  return html`<div class="diff-scroll" tabindex="0" role="group" aria-label=${`Changes of ${visible(path)}`}>
    <table class="diff-lines"><tbody>${
    lines.slice(0, count).map((line, at) =>
      html`
        <tr key=${at} class=${`diff-${line.kind}`}>
          <td class="line-number" data-number=${line.before || ""}></td>
          <td class="line-number" data-number=${line.after || ""}></td>
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
  if (!changed || changed[0] >= changed[1]) return visible(text);
  const [start, end] = changed;
  const middle = visible(text.slice(start, end));
  const marked = kind === "added" ? html`<ins>${middle}</ins>` : html`<del>${middle}</del>`;
  return [visible(text.slice(0, start)), marked, visible(text.slice(end))];
}
