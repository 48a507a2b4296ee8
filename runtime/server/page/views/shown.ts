import { html } from "../base/html.ts";
import type { ToolResult } from "../../../../schemas/result.ts";

/** Text of a model. */
export function Markdown({ text }: { text: string }) {
  return html`<div class="prose plain-text">${text}</div>`;
}

/** A unified diff. */
export function Diff({ text }: { text: string }) {
  const lines = text.replace(/\n$/, "").split("\n");
  return html`<pre class="diff" tabindex="0" role="group" aria-label="Changes">${
    lines.map((line) => html`<span class=${`line ${kindOf(line)}`}>${line}\n</span>`)
  }</pre>`;
}

function kindOf(line: string): string {
  if (/^(\+\+\+|---|diff |index )/.test(line)) return "head";
  if (line.startsWith("@@")) return "place";
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "";
}

/** What came of a call. */
export function ShownResult({ result }: { result: ToolResult }) {
  const { text, images, error } = result;
  return html`<div class="result">
    ${error && html`<p class="error-text"><b>${error.code}</b> ${error.message}</p>`}
    ${text && html`<pre tabindex="0" role="group" aria-label="Result">${text}</pre>`}
    ${
    images.map(({ mime_type, data }, at) =>
      html`<img src=${`data:${mime_type};base64,${data}`} alt=${`Picture ${at + 1} of the result`} />`
    )
  }
  </div>`;
}
