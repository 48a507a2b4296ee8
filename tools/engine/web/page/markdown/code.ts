import { following, type PageElement, type PageNode } from "../dom/node.ts";
import { fenceFor } from "./escape.ts";
import type { Writer } from "./writer.ts";

const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|brush:?|sourceCode)[-\s:]+([\w+#.-]+)/i;
/** Columns of line numbers beside code. */
const GUTTER = /(?:^|[\s_-])(?:gutter|linenos?|line-?numbers?|blob-num|lnum|rouge-gutter)(?:[\s_-]|$)/i;

/** Writes preformatted text as a fenced block, `""` if it is empty. */
export function writePre(pre: PageElement, writer: Writer): string {
  const text = writer.take(preText(pre)).replace(/\r\n?/g, "\n").replace(/^(?:[ \t]*\n)+|\s+$/g, "");
  if (text === "") return "";
  const fence = fenceFor(text, 3);
  return `${fence}${languageOf(pre)}\n${text}\n${fence}`;
}

/** Says whether an element only numbers the lines of code beside it. */
export function isGutter(element: PageElement): boolean {
  return element.attributes.length > 0 &&
    (GUTTER.test(element.className) || element.hasAttribute("data-nosnippet")) &&
    /^[\d\s]*$/.test(element.textContent);
}

function preText(pre: PageElement): string {
  const parts: string[] = [];
  let node: PageNode | null = pre.firstChild;
  while (node !== null) {
    const skip = node.nodeType === 1 && isGutter(node);
    if (node.nodeType === 3) parts.push(node.data);
    else if (!skip && (node.localName === "br" || needsLine(node, parts))) parts.push("\n");
    node = following(node, pre, skip);
  }
  return parts.join("");
}

/** Lines of code that are elements of their own, without a line end between them. */
function needsLine({ localName }: PageElement, parts: readonly string[]): boolean {
  const isLine = localName === "div" || localName === "p" || localName === "li" || localName === "tr";
  return isLine && parts.length > 0 && !parts.at(-1)!.endsWith("\n");
}

/** The language that a class of the block, of the code in it, or of what is around it names. */
function languageOf(pre: PageElement): string {
  const around = [pre, pre.firstElementChild, pre.parentElement, pre.parentElement?.parentElement];
  for (const element of around) {
    if (!element) continue;
    const named = LANGUAGE.exec(`${element.className} `)?.[1] ?? element.getAttribute("data-lang") ??
      element.getAttribute("data-language");
    if (named && /^[\w+#.-]{1,30}$/.test(named)) return named.toLowerCase();
  }
  return "";
}
