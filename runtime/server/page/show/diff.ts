import { useMemo } from "preact/hooks";

import { html } from "../base/html.ts";
import { type DiffLine, type FileDiff, readDiff } from "./read_diff.ts";

/** Files with more lines are shown when they are opened. */
const MAX_OPEN_LINES = 200;
/** Most lines of one file. */
const MAX_LINES = 5_000;
const SIGNS = { same: " ", added: "+", removed: "-", place: "", note: "" } as const;

/** A unified diff: its files, each to be folded, with the numbers of their lines. */
export function Diff({ text }: { text: string }) {
  const files = useMemo(() => readDiff(text), [text]);
  return html`<div class="diffs">${
    files.map((file, at) => html`<${OneFile} key=${at} file=${file} />`)
  }</div>`;
}

function OneFile({ file: { path, status, added, removed, lines } }: { file: FileDiff }) {
  const shown = lines.slice(0, MAX_LINES);
  return html`<details class="diff-file" open=${lines.length <= MAX_OPEN_LINES}>
    <summary>
      <code>${path || "Changes"}</code>
      <span class="hint">${status === "changed" ? "" : status}</span>
      <span class="diff-counts">
        <span class="added">+${added}</span><span class="removed">−${removed}</span>
      </span>
    </summary>
    <table class="diff" aria-label=${`Changes of ${path}`}><tbody>${
    shown.map((line, at) => html`<${OneLine} key=${at} line=${line} />`)
  }</tbody></table>
    ${shown.length < lines.length && html`<p class="hint">${lines.length - shown.length} more lines.</p>`}
  </details>`;
}

function OneLine({ line: { kind, text, before, after } }: { line: DiffLine }) {
  return html`
    <tr class=${kind}>
      <td class="number">${before}</td>
      <td class="number">${after}</td>
      <td class="sign">${SIGNS[kind]}</td>
      <td class="text">${text}</td>
    </tr>
  `;
}
