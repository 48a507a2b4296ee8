import type { ErrorInfo } from "../../../../../schemas/error.ts";
import type { Artifact, ToolResult } from "../../../../../schemas/result.ts";
import { html } from "../../base/html.ts";
import { Diff } from "../diff/diff.ts";
import { Screen } from "../screen.ts";
import { FoldedText } from "../text/folded_text.ts";
import { visible } from "../text/visible.ts";
import { PageList } from "./page_list.ts";
import { ResultPictures } from "./result_pictures.ts";
import { type Shape, shapeOf } from "./shapes.ts";
import { StepList } from "./step_list.ts";

/** What is shown of a call's end. */
export interface ShownResultProps {
  /** Full name. */
  tool: string;
  result: ToolResult;
  /** The run that the call belongs to; without it files are named only. */
  run?: string;
}

/** What came of a call: its error, or its output by the shape that it has. */
export function ShownResult({ tool, result, run }: ShownResultProps) {
  const { text, error, artifacts, warnings } = result;
  const shape = shapeOf(result.result, text);
  return html`<div class="result">
    ${error && html`<${Failure} error=${error} />`}
    ${shapeView(shape)}
    ${textView(shape, text, error)}
    <${ResultPictures} tool=${tool} result=${result} run=${run} />
    ${artifacts.length > 0 && html`<${Files} artifacts=${artifacts} run=${run} />`}
    ${warnings.map((warning, at) => html`<p class="warning" key=${at}>${visible(warning)}</p>`)}
    <${Output} value=${result.result} />
  </div>`;
}

function Failure({ error: { code, message, retryable, details } }: { error: ErrorInfo }) {
  const hasDetails = Object.keys(details).length > 0;
  return html`<div class="failure">
    <p class="error-text"><b>${code}</b> ${visible(message)}</p>
    ${retryable && html`<p class="hint">The same call may succeed later.</p>`}
    ${hasDetails && html`<${Output} value=${details} words="Details" />`}
  </div>`;
}

function shapeView(shape: Shape) {
  switch (shape.kind) {
    case "diff":
      return html`<${Diff} text=${shape.text} />`;
    case "pages":
      return html`<${PageList} pages=${shape.pages} />`;
    case "steps":
      return html`<${StepList} steps=${shape.steps} />`;
    case "terminal":
      return html`<${Screen} text=${shape.text} />`;
    case "text":
      return null;
  }
}

/** What the model saw: in full view if nothing else shows it. A failed call's text is its message once more. */
function textView(shape: Shape, text: string, error: ErrorInfo | null) {
  if (text === "" || (error && text.includes(error.message))) return null;
  if (shape.kind === "text") return html`<${FoldedText} text=${text} label="Result" />`;
  return html`
    <details class="more">
      <summary>What the model saw</summary>
      <${FoldedText} text=${text} label="What the model saw" />
    </details>
  `;
}

function Files({ artifacts, run }: { artifacts: readonly Artifact[]; run: string | undefined }) {
  return html`<ul class="result-files">${
    artifacts.map(({ name, bytes }) =>
      html`<li key=${name}>${
        run === undefined ? visible(name) : html`
          <a href=${`/runs/${encodeURIComponent(run)}/files/${encodeURIComponent(name)}`} target="_blank"
            rel="noopener noreferrer">${visible(name)}</a>
        `
      } <span class="hint">${bytes} bytes</span></li>`
    )
  }</ul>`;
}

/** A value of a tool, as JSON, folded. */
function Output({ value, words = "Output as JSON" }: { value: unknown; words?: string }) {
  if (typeof value !== "object" || value === null) return null;
  return html`
    <details class="more">
      <summary>${words}</summary>
      <${FoldedText} text=${JSON.stringify(value, null, 2)} label=${words} />
    </details>
  `;
}
