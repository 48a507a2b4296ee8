import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import type { Item, ShownEnd } from "../../state/transcript.ts";
import { endWords } from "../../state/words.ts";
import { CopyButton } from "../../parts/copy_button.ts";
import { Markdown } from "../../show/markdown/markdown.ts";
import { CallCard } from "./call_card.ts";

/** Lines that are shown at once: a long run stays quick. */
const WINDOW = 200;

interface ItemPlace {
  runId: string;
  /** Where the run works. */
  folder: string;
  isAtWork: boolean;
}

/** What happened in a run; of a long one the newest lines, until a person asks for more. */
export function TranscriptView({ items, ...place }: { items: readonly Item[] } & ItemPlace) {
  const { isAtWork } = place;
  const [count, setCount] = useState(WINDOW);
  useStickyEnd(items, isAtWork);
  const hidden = Math.max(0, items.length - count);
  return html`<div class="transcript">
    ${
    hidden > 0 && html`<button type="button" class="quiet-button" onClick=${() => setCount(count + WINDOW)}>
      Show ${Math.min(hidden, WINDOW)} of ${hidden} earlier lines</button>`
  }
    ${items.slice(hidden).map((item) => html`<${Line} key=${item.key} item=${item} ...${place} />`)}
  </div>`;
}

/** Distance from the end of the page, in pixels, at which a person still looks at the end. */
const NEAR_PX = 120;

/** Keeps the end in view while lines come, unless the person looks at something above it. */
function useStickyEnd(items: readonly Item[], isAtWork: boolean): void {
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const look = () => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
      isAtEnd.current = scrollHeight - clientHeight - scrollTop < NEAR_PX;
    };
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, []);
  useLayoutEffect(() => {
    if (isAtWork && isAtEnd.current) scrollTo({ top: document.documentElement.scrollHeight });
  }, [items, isAtWork]);
}

function Line({ item, runId, folder, isAtWork }: { item: Item } & ItemPlace) {
  // Lines that did not change are not drawn again.
  return useMemo(
    () => html`<div class=${`item item-${item.kind}`}>${bodyOf(item, { runId, folder, isAtWork })}</div>`,
    [
      item,
      isAtWork,
      runId,
    ],
  );
}

function bodyOf(item: Item, place: ItemPlace) {
  switch (item.kind) {
    case "text":
      return html`<${Markdown} text=${item.text} streaming=${item.isOpen} />`;
    case "call":
      return html`<${CallCard} call=${item.call} ...${place} />`;
    case "said":
      return html`<p class="said">${item.text}</p>`;
    case "note":
      return html`<p class=${`note ${item.tone}`}>${item.text}</p>`;
    case "end":
      return html`<${End} end=${item.end} />`;
  }
}

function End({ end: { reason, answer, changed, refused } }: { end: ShownEnd }) {
  return html`<div class="end">
    ${answer !== null && html`<${Markdown} text=${answer} />`}
    <p class="note">${endWords(reason)}${
    changed.length > 0 && html`, ${changed.length} ${changed.length === 1 ? "file" : "files"} changed`
  }.</p>
    ${
    refused.length > 0 && html`
      <details class="refused">
        <summary>${refused.length} refused</summary>
        <ul>${refused.map(({ tool, message, flags }, at) =>
          html`<li key=${at}><b>${tool}</b> ${message}
          ${
            flags.length > 0 &&
            html`<span><code>${flags.join(" ")}</code> <${CopyButton} text=${flags.join(" ")} /></span>`
          }</li>`
        )}</ul>
      </details>
    `
  }
  </div>`;
}
