import { useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import { visible } from "./visible.ts";

/** Characters that are added at once: the browser would stand still for more. */
const PART = 400_000;

/** A text as it is, whose end is folded when it is long. `lines` is how many are seen at first. */
export function FoldedText({ text, label, lines = 40 }: { text: string; label: string; lines?: number }) {
  const [parts, setParts] = useState(0);
  const shown = parts === 0 ? startOf(text, lines) : text.slice(0, parts * PART);
  const isCut = shown.length < text.length;
  return html`<div class="folded">
    <pre tabindex="0" role="group" aria-label=${label}>${visible(shown)}</pre>
    ${
    isCut && html`<button type="button" class="small" onClick=${() => setParts(parts + 1)}>
      ${text.length <= PART ? `Show all ${linesIn(text)} lines` : `Show more of ${linesIn(text)} lines`}
    </button>`
  }
    ${
    parts > 0 && html`
      <button type="button" class="small" onClick=${() => setParts(0)}>Show less</button>
    `
  }
  </div>`;
}

/** At most that many lines, and 200 characters for each. */
function startOf(text: string, lines: number): string {
  const most = lines * 200;
  let end = -1;
  for (let line = 0; line < lines; line++) {
    end = text.indexOf("\n", end + 1);
    if (end < 0) return text.slice(0, most);
  }
  // One or two lines more are not worth a button.
  return linesIn(text.slice(end)) <= 3 ? text.slice(0, most) : text.slice(0, Math.min(end, most));
}

function linesIn(text: string): number {
  return text.split("\n").length;
}
