import { useEffect, useState } from "preact/hooks";

import { CopyButton } from "../../parts/copy_button.ts";
import { html } from "../../base/html.ts";
import { visible } from "../text/visible.ts";
import type { ColouredPart } from "./colour_code.ts";

/** Longer code stays in one colour: the page would stand still meanwhile. */
const MOST_COLOURED = 50_000;

/** Code with a button that copies it; it is coloured when its language is known and its end is there. */
export function CodeBlock({ text, language, isOpen }: { text: string; language: string; isOpen: boolean }) {
  const parts = useColours(text, language, isOpen);
  return html`
    <div class="code-block">
      <div class="code-head"><span>${visible(
        language.slice(0, 30),
      )}</span><${CopyButton} text=${text} /></div>
      <pre tabindex="0" role="group" aria-label=${language
        ? `Code, ${visible(language.slice(0, 30))}`
        : "Code"}><code>${parts?.map((part, at) =>
          html`<span key=${at} class=${part.classes}>${visible(part.text)}</span>`
        ) ??
        visible(text)}</code></pre>
    </div>
  `;
}

/** The parts of a code by colour, as soon as they are known. */
function useColours(text: string, language: string, isOpen: boolean): readonly ColouredPart[] | null {
  const [coloured, setColoured] = useState<{ text: string; parts: readonly ColouredPart[] | null } | null>(
    null,
  );
  useEffect(() => {
    if (isOpen || language === "" || text.length > MOST_COLOURED) return;
    let isGone = false;
    void import("./colour_code.ts").then(({ colourCode }) => {
      if (!isGone) setColoured({ text, parts: colourCode(text, language) });
    }, () => {/* Without the server's file it stays in one colour. */});
    return () => {
      isGone = true;
    };
  }, [text, language, isOpen]);
  return coloured?.text === text ? coloured.parts : null;
}
