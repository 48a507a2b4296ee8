import { html } from "../../base/html.ts";
import { OutsideLink } from "../text/outside_link.ts";
import { visible } from "../text/visible.ts";
import type { NamedPage } from "./shapes.ts";

/** Pages that a search found, or that a text was taken from. */
export function PageList({ pages }: { pages: readonly NamedPage[] }) {
  return html`<ul class="page-list">${
    pages.map(({ url, title, snippet, number }, at) =>
      html`
        <li key=${at}>
          <p class="page-line">
              ${number !== null && html`
                <span class="source-number">[${number}]</span>
              `}
              <${OutsideLink} address=${url}>${visible(title)}<//>
              ${title !== url && html`
                <span class="hint">${hostOf(url)}</span>
              `}
              </p>${snippet && html`<p class="hint">${visible(snippet.slice(0, 400))}</p>`}
            </li>
      `
    )
  }</ul>`;
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "";
}
