import { memo } from "preact/compat";
import { useEffect, useRef } from "preact/hooks";

import { html } from "../base/html.ts";
import { drawIn } from "./draw.ts";
import { type Block, markdownBlocks } from "./markdown_html.ts";

/** How long a growing part stands still before its formulas and diagrams are drawn, in milliseconds. */
const STILL_MS = 250;

/** A text of a model. A text that grows stays fast: only its last parts are made again. */
export function Markdown({ text }: { text: string }) {
  return html`<div class="prose">${
    markdownBlocks(text).map((block, at) => html`<${OneBlock} key=${at} block=${block} />`)
  }</div>`;
}

const OneBlock = memo(ShownBlock, (before, now) => before.block.html === now.block.html);

function ShownBlock({ block }: { block: Block }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (place.current) drawIn(place.current, isDark()).catch(() => {});
    }, STILL_MS);
    return () => clearTimeout(timer);
  }, [block.html]);
  return html`<div ref=${place} dangerouslySetInnerHTML=${{ __html: block.html }}></div>`;
}

/** The colours of the page: those that its reader chose, else those of the system. */
function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}
