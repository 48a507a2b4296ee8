import type { ComponentChildren } from "preact";

import { html } from "../../base/html.ts";
import { linkAddress } from "./addresses.ts";
import { visible } from "./visible.ts";

/** A link of a hostile text: it opens in a new tab that knows nothing of this one, or it is no link at all. */
export function OutsideLink({ address, children }: { address: string; children?: ComponentChildren }) {
  const target = linkAddress(address);
  if (target === null) {
    return html`<span class="no-link">${children} <code>${visible(address.slice(0, 200))}</code></span>`;
  }
  return html`<a href=${target} title=${
    visible(target)
  } target="_blank" rel="noopener noreferrer">${children}</a>`;
}
