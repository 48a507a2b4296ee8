import { useState } from "preact/hooks";

import type { Artifact, ToolResult } from "../../../../schemas/result.ts";
import { html } from "../base/html.ts";
import { Diff } from "./diff.ts";
import { isDiff } from "./read_diff.ts";

/** Lines and letters of a text that are shown at first. */
const FIRST_LINES = 24;
const FIRST_LETTERS = 4_000;
const PICTURE = /\.(?:png|jpe?g|webp|gif)$/i;

/** What came of a call. @param runId The run that keeps its files; without one they are only named */
export function ShownResult({ result, runId }: { result: ToolResult; runId?: string | undefined }) {
  const { text, images, artifacts, error, result: data } = result;
  // Texts of failures mostly are their messages, some with the tool's name before it.
  const isSaid = error !== null && text.endsWith(error.message);
  return html`<div class="result">
    ${error && html`<p class="error-text"><b>${error.code}</b> ${error.message}</p>`}
    ${text && !isSaid && (isDiff(text) ? html`<${Diff} text=${text} />` : html`<${LongText} text=${text} />`)}
    ${
    images.map(({ mime_type, data }, at) =>
      html`<img key=${at} src=${`data:${mime_type};base64,${data}`} alt=${`Picture ${
        at + 1
      } of the result`} />`
    )
  }
    ${
    artifacts.map((artifact) =>
      html`<${ShownFile} key=${artifact.name} artifact=${artifact} runId=${runId} />`
    )
  }
    ${data !== null && typeof data === "object" && html`<${Data} value=${data} />`}
  </div>`;
}

/** A text that is folded if it is long. */
export function LongText({ text, label = "Result" }: { text: string; label?: string }) {
  const [isWhole, setWhole] = useState(false);
  const first = text.split("\n", FIRST_LINES).join("\n").slice(0, FIRST_LETTERS);
  const rest = text.length - first.length;
  return html`<pre tabindex="0" role="group" aria-label=${label}>${isWhole ? text : first}</pre>
    ${
    rest > 0 &&
    html`<button type="button" class="quiet" aria-expanded=${isWhole} onClick=${() => setWhole(!isWhole)}>
      ${isWhole ? "Show less" : `Show all (${rest.toLocaleString("en")} more letters)`}
    </button>`
  }`;
}

/** The data of a result, as it is. */
function Data({ value }: { value: unknown }) {
  const [isOpen, setOpen] = useState(false);
  const onToggle = ({ currentTarget }: { currentTarget: HTMLDetailsElement }) => setOpen(currentTarget.open);
  return html`<details onToggle=${onToggle}><summary>Data</summary>
    ${isOpen && html`<${LongText} text=${JSON.stringify(value, null, 2)} label="Data" />`}
  </details>`;
}

/** A file that the call left: a picture, or a link. Its name stands there as a text. */
function ShownFile(
  { artifact: { name, path, bytes }, runId }: { artifact: Artifact; runId?: string | undefined },
) {
  if (runId === undefined) return html`<p class="file"><code>${path}</code></p>`;
  // Of two files with one name, the second has another one in the folder.
  const kept = path.slice(path.lastIndexOf("/") + 1);
  const address = `/runs/${encodeURIComponent(runId)}/files/${encodeURIComponent(kept)}`;
  return html`<div class="file">
    <a href=${address} download=${name}>${name}</a> <span class="hint">${
    bytes.toLocaleString("en")
  } bytes</span>
    ${PICTURE.test(name) && html`<img src=${address} alt=${name} loading="lazy" />`}
  </div>`;
}
