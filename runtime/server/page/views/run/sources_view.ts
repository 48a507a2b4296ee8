import { useEffect, useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import type { PageControl } from "../../control/page_control.ts";
import type { NumberedSource, RunNow } from "../../net/shapes.ts";

/** The sources that a run used, by their numbers. */
export function SourcesView({ control, now: { id, updated } }: { control: PageControl; now: RunNow }) {
  const [sources, setSources] = useState<readonly NumberedSource[] | null>(null);
  useEffect(() => {
    let isGone = false;
    void control.attempt(control.api.sources(id)).then((found) => {
      if (found && !isGone) setSources(found);
    });
    return () => void (isGone = true);
  }, [id, updated]);
  if (!sources) return html`<p class="hint">Reading the sources…</p>`;
  if (sources.length === 0) return html`<p class="hint">The run used no sources.</p>`;
  return html`<ol class="sources">${
    sources.map(({ number, title, url }) =>
      html`<li key=${number} value=${number}>${
        /^https?:/.test(url)
          ? html`<a href=${url} target="_blank" rel="noopener noreferrer">${title || url}</a>`
          : title || url
      }<span class="hint path">${url}</span></li>`
    )
  }</ol>`;
}
