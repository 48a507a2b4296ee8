import { html } from "../../base/html.ts";
import { Diff } from "../diff/diff.ts";
import { FoldedText } from "../text/folded_text.ts";
import { visible } from "../text/visible.ts";
import { isDiff, isFields } from "./shapes.ts";

/** Most characters of what stands beside its name. */
const SHORT = 80;

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
    names.map((name) => {
      const text = textOf(input[name]);
      const isShort = text.length <= SHORT && !text.includes("\n");
      return html`
        <div key=${name} class=${isShort ? "short-argument" : undefined}>
          <dt>${visible(name)}</dt>
          <dd>${isShort ? html`<code>${visible(text)}</code>` : longView(name, text)}</dd>
        </div>
      `;
    })
  }</dl>`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2) ?? "";
}

function longView(name: string, text: string) {
  if (isDiff(text)) return html`<${Diff} text=${text} />`;
  return html`<${FoldedText} text=${text} label=${name} lines=${12} />`;
}
