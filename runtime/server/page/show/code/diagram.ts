import { html } from "../../base/html.ts";
import { useAnswer } from "../apart/use_answer.ts";
import { CodeBlock } from "./code_block.ts";

/**
 * A diagram in mermaid's words. It is drawn as a picture, and a picture neither runs nor loads anything; what cannot
 * be drawn is shown as it was written.
 */
export function Diagram({ text, isOpen }: { text: string; isOpen: boolean }) {
  const drawn = useAnswer("diagram", isOpen ? null : { text });
  if (drawn === null) return html`<${CodeBlock} text=${text} language="mermaid" isOpen=${isOpen} />`;
  return html`
    <figure class="diagram">
      <img src=${drawn} alt="Diagram; its source is below." />
      <details>
        <summary>Source</summary>
        <${CodeBlock} text=${text} language="mermaid" isOpen=${false} />
      </details>
    </figure>
  `;
}
