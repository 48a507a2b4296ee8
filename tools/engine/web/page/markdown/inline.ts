import { PageElement, type PageNode } from "../dom/node.ts";
import { codeSpan, escapeText } from "./escape.ts";
import { writeMath, writeMathPicture } from "./math.ts";
import { isSkipped, type Writer } from "./writer.ts";

const STRONG = "**";
const EMPHASIS = "*";
const STRUCK = "~~";
/** Marks that lead to the heading itself. */
const PERMALINK = /^(?:¶|#|§|🔗|\[edit\]|)$/u;
/** What can be written as a power of something. */
const POWER = /^[-−+]?\w{1,3}$/;

type InlineRule = (element: PageElement, writer: Writer) => string;

const RULES: Readonly<Record<string, InlineRule>> = {
  br: () => "  \n",
  wbr: () => "",
  b: (element, writer) => marked(element, STRONG, writer),
  strong: (element, writer) => marked(element, STRONG, writer),
  i: (element, writer) => marked(element, EMPHASIS, writer),
  em: (element, writer) => marked(element, EMPHASIS, writer),
  cite: (element, writer) => marked(element, EMPHASIS, writer),
  dfn: (element, writer) => marked(element, EMPHASIS, writer),
  del: (element, writer) => marked(element, STRUCK, writer),
  s: (element, writer) => marked(element, STRUCK, writer),
  strike: (element, writer) => marked(element, STRUCK, writer),
  code: writeCode,
  kbd: writeCode,
  samp: writeCode,
  tt: writeCode,
  q: (element, writer) => `“${writer.inline(element).trim()}”`,
  rt: (element, writer) => `(${writer.inline(element).trim()})`,
  sup: writeSuperscript,
  a: writeLink,
  img: writePicture,
  math: writeMath,
  video: writeMedia,
  audio: writeMedia,
  iframe: writeMedia,
};

/** Writes nodes that follow each other, with one blank where the page has several. */
export function writeRun(nodes: Iterable<PageNode>, writer: Writer): string {
  const parts: string[] = [];
  let endsBlank = false;
  for (const node of nodes) {
    const text = writeInlineNode(node, writer);
    const part = endsBlank ? text.replace(/^ +/, "") : text;
    if (part === "") continue;
    parts.push(part);
    endsBlank = /\s$/.test(part.slice(-1));
  }
  return parts.join("");
}

function writeInlineNode(node: PageNode, writer: Writer): string {
  if (node.nodeType === 3) return escapeText(writer.take(node.data.replace(/[\s\u200b]+/g, " ")));
  if (isSkipped(node)) return "";
  const rule = Object.hasOwn(RULES, node.localName) ? RULES[node.localName] : undefined;
  return rule === undefined ? writer.inline(node) : rule(node, writer);
}

/** Puts a mark around a text, with the blanks outside: `a <b> c</b>` becomes `a **c**`. */
function marked(element: PageElement, mark: string, writer: Writer): string {
  const text = writer.inline(element);
  const inner = text.trim();
  if (inner === "") return text === "" ? "" : " ";
  if (inner.startsWith(mark) || inner.includes("\n\n")) return text;
  const [before, after] = [/^\s/.test(text) ? " " : "", /\s$/.test(text) ? " " : ""];
  return before + mark + inner.replace(/ *\n */g, " ") + mark + after;
}

function writeCode(element: PageElement, writer: Writer): string {
  const text = writer.take(element.textContent.replace(/\s+/g, " ").trim());
  if (text === "") return "";
  const [only] = element.children;
  const isLink = only?.localName === "a" && only.textContent.trim() === text;
  const address = isLink ? writer.address(only.getAttribute("href")) : null;
  return address === null ? codeSpan(text) : `[${codeSpan(text)}](${address})`;
}

function writeSuperscript(element: PageElement, writer: Writer): string {
  const text = writer.inline(element);
  const isPower = element.children.length === 0 && POWER.test(text.trim()) && endsWithWord(element);
  return isPower ? `^${text.trim()}` : text;
}

function endsWithWord({ previousSibling }: PageElement): boolean {
  return previousSibling !== null && /[\w)]$/.test(previousSibling.textContent.slice(-1));
}

function writeLink(element: PageElement, writer: Writer): string {
  const text = writer.inline(element);
  const href = element.getAttribute("href");
  if (href === null) return text;
  const inner = text.trim();
  if (href.startsWith("#") && PERMALINK.test(element.textContent.trim())) return "";
  const address = writer.address(href);
  if (address === null || inner === "") return text;
  const label = inner.replace(/\s*\n\s*/g, " ");
  const isPicture = label.startsWith("![");
  const safe = isPicture ? label : label.replace(/(?<!\\)[[\]]/g, "\\$&");
  const [before, after] = [/^\s/.test(text) ? " " : "", /\s$/.test(text) ? " " : ""];
  return `${before}[${safe}](${address})${after}`;
}

function writePicture(element: PageElement, writer: Writer): string {
  const formula = writeMathPicture(element);
  if (formula !== null) return formula;
  if (["width", "height"].some((name) => /^[01](?:px)?$/.test(element.getAttribute(name) ?? ""))) return "";
  const sources = ["src", "data-src", "data-original", "data-lazy-src"].map((name) =>
    writer.address(element.getAttribute(name))
  );
  const source = sources.find((address) => address !== null);
  const alt = escapeText((element.getAttribute("alt") ?? "").replace(/\s+/g, " ").trim());
  if (source === undefined || (alt === "" && !isFigure(element))) return alt;
  return `![${alt.replace(/(?<!\\)[[\]]/g, "\\$&")}](${source})`;
}

/** Pictures without a text are decoration, unless the page shows them as figures. */
function isFigure(element: PageElement): boolean {
  let above = element.parentElement;
  for (let level = 0; above !== null && level < 4; level++, above = above.parentElement) {
    if (above.localName === "figure") return true;
  }
  return false;
}

function writeMedia(element: PageElement, writer: Writer): string {
  const [source] = element.querySelectorAll("source");
  const address = writer.address(element.getAttribute("src") ?? source?.getAttribute("src") ?? null);
  if (address === null) return "";
  const title = (element.getAttribute("title") ?? "").replace(/[[\]\s]+/g, " ").trim();
  return `[${escapeText(title || (element.localName === "audio" ? "audio" : "video"))}](${address})`;
}
