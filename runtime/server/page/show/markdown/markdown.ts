import { useEffect, useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import { askReader } from "../apart/ask_reader.ts";
import { FoldedText } from "../text/folded_text.ts";
import { Block } from "./block_view.ts";
import { type Blocks, readBlocks } from "./blocks.ts";

/** Longer texts are shown as they are: to send them to the reader for each piece that comes would hold the page. */
const MOST_CHARACTERS = 300_000;

/**
 * A text of a model. It becomes elements that this page makes one by one: markup of HTML in it stays text. With
 * `streaming` more of it is to come, and its last block is shown so that it does not flicker. It is shown as it was
 * written until it is read, and if it is too much for a page.
 */
export function Markdown({ text, streaming = false }: { text: string; streaming?: boolean }) {
  return text.length > MOST_CHARACTERS
    ? html`<${FoldedText} text=${text} label="Text" />`
    : html`<${Formatted} text=${text.replace(/\r\n?/g, "\n")} streaming=${streaming} />`;
}

function Formatted({ text, streaming }: { text: string; streaming: boolean }) {
  const read = useBlocks(text, streaming);
  if (!read?.blocks) return html`<${FoldedText} text=${text} label="Text" />`;
  const { blocks, isOpen } = read;
  const last = blocks.findLastIndex(({ type }) => type !== "space");
  return html`<div class="prose">${
    blocks.map((block, at) => html`<${Block} key=${at} block=${block} isOpen=${isOpen && at === last} />`)
  }</div>`;
}

/** The blocks of a text, or of the last start of it that was read; one reading goes on at a time. */
function useBlocks(text: string, isOpen: boolean): Blocks | null {
  const [known, setKnown] = useState<Blocks | null>(null);
  const [isReading, setReading] = useState(false);
  const [gone] = useState(() => new AbortController());
  useEffect(() => () => gone.abort(), [gone]);
  useEffect(() => {
    if (isReading || (known?.text === text && known.isOpen === isOpen)) return;
    setReading(true);
    void readBlocks({ text, isOpen, before: known }, (asked) => askReader("blocks", asked, gone.signal)).then(
      (read) => {
        setKnown(read);
        setReading(false);
      },
    );
  }, [text, isOpen, known, isReading]);
  return known && text.startsWith(known.text) ? known : null;
}
