import { CopyButton } from "../../parts/copy_button.ts";
import { html } from "../../base/html.ts";
import { useAnswer } from "../apart/use_answer.ts";
import { visible } from "../text/visible.ts";

/** Code with a button that copies it; it is coloured when its language is known and its end is there. */
export function CodeBlock({ text, language, isOpen }: { text: string; language: string; isOpen: boolean }) {
  const parts = useAnswer("colours", isOpen || language === "" ? null : { text, language });
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
