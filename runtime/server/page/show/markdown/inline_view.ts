import type { Token } from "marked";
import type { ComponentChildren } from "preact";

import { html } from "../../base/html.ts";
import { Formula } from "../code/formula.ts";
import { pictureAddress } from "../text/addresses.ts";
import { OutsideLink } from "../text/outside_link.ts";
import { visible } from "../text/visible.ts";
import { CitedText, NO_ADDRESSES, SourceAddresses } from "./cited_text.ts";
import { withoutEntities } from "../../../../text/foreign/entities.ts";

/** What stands in a line of Markdown. Markup of HTML is text here, and never becomes elements. */
export function Inline({ tokens }: { tokens: readonly Token[] | undefined }): ComponentChildren {
  return tokens?.map(inlineView);
}

function inlineView(token: Token): ComponentChildren {
  switch (token.type) {
    case "strong":
      return html`<strong><${Inline} tokens=${token.tokens} /></strong>`;
    case "em":
      return html`<em><${Inline} tokens=${token.tokens} /></em>`;
    case "del":
      return html`
        <del>
          <${Inline} tokens=${token.tokens} />
        </del>
      `;
    case "codespan":
      return html`<code>${visible(token.text)}</code>`;
    case "br":
      return html`<br />`;
    case "link":
      return html`
        <${OutsideLink} address=${withoutEntities(token.href)}>
          <${SourceAddresses.Provider} value=${NO_ADDRESSES}>
            <${Inline} tokens=${token.tokens} />
            <//>
            <//>
      `;
    case "image":
      return pictureView(withoutEntities(token.href), token.text);
    case "inlineFormula":
      return html`<${Formula} tex=${token.tex} isBlock=${token.isBlock} />`;
    case "checkbox":
      return null;
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw.trim()) ? html`<br />` : visible(token.raw);
    case "escape":
      return visible(token.text);
    default:
      return "tokens" in token && token.tokens
        ? html`<${Inline} tokens=${token.tokens} />`
        : html`<${CitedText} text=${withoutEntities("text" in token ? String(token.text) : token.raw)} />`;
  }
}

function pictureView(address: string, words: string): ComponentChildren {
  const source = pictureAddress(address);
  if (source !== null) return html`<img src=${source} alt=${visible(words)} loading="lazy" />`;
  return html`<${OutsideLink} address=${address}>Picture${words && `: ${visible(words)}`}<//>`;
}
