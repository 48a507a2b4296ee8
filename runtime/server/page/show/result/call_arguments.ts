import { html } from "../../base/html.ts";
import { Diff } from "../diff/diff.ts";
import { FoldedText } from "../text/folded_text.ts";
import { visible } from "../text/visible.ts";
import { isDiff, isFields } from "./shapes.ts";

/** All of what a call was asked to do: long texts and changes as they are, and the rest as JSON. */
export function CallArguments({ tool, input }: { tool: string; input: unknown }) {
  if (!isFields(input)) {
    return html`<${FoldedText} text=${
      JSON.stringify(input, null, 2) ?? ""
    } label=${`Arguments of ${tool}`} />`;
  }
  const names = Object.keys(input);
  if (names.length === 0) return html`<p class="hint">None.</p>`;
  return html`<dl class="arguments">${
    names.map((name) =>
      html`
        <div key=${name}>
          <dt>${visible(name)}</dt>
          <dd>${argumentView(name, input[name])}</dd>
        </div>
      `
    )
  }</dl>`;
}

function argumentView(name: string, value: unknown) {
  if (isDiff(value)) return html`<${Diff} text=${value} />`;
  if (typeof value === "string") {
    return value.length > 80 || value.includes("\n")
      ? html`<${FoldedText} text=${value} label=${name} lines=${12} />`
      : html`<code>${visible(value)}</code>`;
  }
  const text = JSON.stringify(value, null, 2) ?? "";
  return text.includes("\n")
    ? html`<${FoldedText} text=${text} label=${name} lines=${12} />`
    : html`<code>${visible(text)}</code>`;
}
