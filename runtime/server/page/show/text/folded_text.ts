import { useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import { visible } from "./visible.ts";

/** A text as it is, whose end is folded when it is long. `lines` is how many are seen at first. */
export function FoldedText({ text, label, lines = 40 }: { text: string; label: string; lines?: number }) {
  const [isWhole, setWhole] = useState(false);
  const start = startOf(text, lines);
  const isCut = start.length < text.length;
  return html`<div class="folded">
    <pre tabindex="0" role="group" aria-label=${label}>${visible(isWhole ? text : start)}</pre>
    ${
    isCut && html`<button type="button" class="small" aria-expanded=${isWhole} onClick=${() =>
      setWhole(!isWhole)}>
      ${isWhole ? "Show less" : `Show all ${linesIn(text)} lines`}
    </button>`
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
