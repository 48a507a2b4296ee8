import { useRef } from "preact/hooks";

import { html } from "../../base/html.ts";
import { FoldedText } from "../text/folded_text.ts";
import { Block } from "./block_view.ts";
import { asTableHead, type Blocks, readBlocks } from "./blocks.ts";

/** Longer texts are shown as they are, in parts: a browser would stand still for all their elements. */
const MOST_CHARACTERS = 300_000;

/**
 * A text of a model. It becomes elements that this page makes one by one: markup of HTML in it stays text. With
 * `streaming` more of it is to come, and its last block is shown so that it does not flicker.
 */
export function Markdown({ text, streaming = false }: { text: string; streaming?: boolean }) {
  return text.length > MOST_CHARACTERS
    ? html`<${FoldedText} text=${text} label="Text" />`
    : html`<${Formatted} text=${text} streaming=${streaming} />`;
}

function Formatted({ text, streaming }: { text: string; streaming: boolean }) {
  const known = useRef<Blocks | null>(null);
  if (known.current?.text !== text) known.current = readBlocks(text, known.current);
  const { blocks } = known.current;
  const last = blocks.findLastIndex(({ type }) => type !== "space");
  return html`<div class="prose">${
    blocks.map((block, at) => {
      const isOpen = streaming && at === last;
      return html`<${Block} key=${at} block=${isOpen ? asTableHead(block) : block} isOpen=${isOpen} />`;
    })
  }</div>`;
}
