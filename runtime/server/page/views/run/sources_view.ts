import { html } from "../../base/html.ts";
import type { NumberedSource } from "../../net/shapes.ts";

/** The sources that a run used, by their numbers; `null` while they are asked for. */
export function SourcesView({ sources }: { sources: readonly NumberedSource[] | null }) {
  if (!sources) return html`<p class="hint">Reading the sources…</p>`;
  if (sources.length === 0) return html`<p class="hint">The run used no sources.</p>`;
  return html`<ol class="sources">${
    sources.map(({ number, title, url }) =>
      html`<li key=${number} value=${number}>${
        isOnWeb(url)
          ? html`<a href=${url} target="_blank" rel="noopener noreferrer">${title || url}</a>`
          : title || url
      }<span class="hint path">${url}</span></li>`
    )
  }</ol>`;
}

/** Says whether a source is a page of the web: others have no link. */
export function isOnWeb(url: string): boolean {
  return /^https?:/.test(url);
}
