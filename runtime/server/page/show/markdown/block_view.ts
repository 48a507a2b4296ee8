import type { Token, Tokens } from "marked";
import { Component, type ComponentChildren, h } from "preact";

import { html } from "../../base/html.ts";
import { CodeBlock } from "../code/code_block.ts";
import { Diagram } from "../code/diagram.ts";
import { Formula } from "../code/formula.ts";
import { visible } from "../text/visible.ts";
import { Inline } from "./inline_view.ts";

interface BlockProps {
  block: Token;
  /** More of it may come. */
  isOpen: boolean;
}

/** A block of Markdown, drawn again only when its text has changed. */
export class Block extends Component<BlockProps> {
  override shouldComponentUpdate({ block, isOpen }: BlockProps): boolean {
    const { props } = this;
    return isOpen !== props.isOpen || block.type !== props.block.type || block.raw !== props.block.raw;
  }

  override render({ block, isOpen }: BlockProps): ComponentChildren {
    return blockView(block, isOpen);
  }
}

function blockView(block: Token, isOpen: boolean): ComponentChildren {
  switch (block.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      // The page's own heading comes before.
      return h(`h${Math.min(6, block["depth"] + 1)}`, null, h(Inline, { tokens: block.tokens }));
    case "paragraph":
      return html`
        <p>
          <${Inline} tokens=${block.tokens} />
        </p>
      `;
    case "code":
      return codeView(block as Tokens.Code, isOpen);
    case "blockFormula":
      return html`<${Formula} tex=${block["tex"]} isBlock=${true} />`;
    case "hr":
      return html`<hr />`;
    case "blockquote":
      return html`<blockquote>${blocksView(block.tokens, isOpen)}</blockquote>`;
    case "list":
      return listView(block as Tokens.List, isOpen);
    case "table":
      return tableView(block as Tokens.Table);
    case "html":
      return html`<p class="plain-text">${visible(block.raw.trimEnd())}</p>`;
    default:
      return html`<${Inline} tokens=${"tokens" in block && block.tokens ? block.tokens : [block]} />`;
  }
}

function blocksView(blocks: readonly Token[] | undefined, isOpen: boolean): ComponentChildren {
  return blocks?.map((block, at) =>
    html`<${Block} key=${at} block=${block} isOpen=${isOpen && at === blocks.length - 1} />`
  );
}

function codeView({ text, lang, raw }: Tokens.Code, isOpen: boolean): ComponentChildren {
  const language = /^[\w+#.-]*/.exec(lang ?? "")![0].toLowerCase();
  const isUnfinished = isOpen && !/\n {0,3}(?:```+|~~~+)[ \t]*\n*$/.test(raw);
  const View = language === "mermaid" ? Diagram : CodeBlock;
  return h(View, { text, language, isOpen: isUnfinished });
}

function listView({ ordered, start, items }: Tokens.List, isOpen: boolean): ComponentChildren {
  const rows = items.map((item, at) =>
    html`<li key=${at} class=${item.task ? "task" : undefined}>
      ${
      item.task && html`
        <input type="checkbox" disabled checked=${item.checked}
          aria-label=${item.checked ? "Done" : "Not done"} />
      `
    }
      ${blocksView(item.tokens, isOpen && at === items.length - 1)}</li>`
  );
  return ordered ? html`<ol start=${start === "" ? 1 : start}>${rows}</ol>` : html`<ul>${rows}</ul>`;
}

function tableView({ header, rows }: Tokens.Table): ComponentChildren {
  const cells = (row: readonly Tokens.TableCell[], tag: "th" | "td") =>
    row.map(({ tokens, align }, at) =>
      h(
        tag,
        { key: at, class: align ? `cell-${align}` : undefined, scope: tag === "th" ? "col" : undefined },
        h(Inline, { tokens }),
      )
    );
  return html`
    <div class="table-scroll" tabindex="0" role="group" aria-label="Table">
      <table>
        <thead>
          <tr>${cells(header, "th")}</tr>
        </thead>
        <tbody>${rows.map((row, at) => html`<tr key=${at}>${cells(row, "td")}</tr>`)}</tbody>
      </table>
    </div>
  `;
}
