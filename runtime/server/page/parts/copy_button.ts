import { useState } from "preact/hooks";

import { html } from "../base/html.ts";

/** Copies a text. */
export function CopyButton({ text }: { text: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 2_000);
  };
  return html`<button type="button" class="small" onClick=${() => void copy()}>${
    isDone ? "Copied" : "Copy"
  }</button>`;
}
