import type { PageElement, PageNode } from "../dom/node.ts";
import { writePre } from "./code.ts";
import { escapeStart } from "./escape.ts";
import { writeRun } from "./inline.ts";
import { writeDefinitions, writeList } from "./list.ts";
import { writeTable } from "./table.ts";
import { blockTest, isSkipped, MAX_LIST_DEPTH, type Writer } from "./writer.ts";

/** Longest Markdown of a page, in UTF-16 units. */
export const MAX_MARKDOWN = 2_000_000;

/**
 * Writes what is inside of an element as Markdown.
 *
 * @param place Where relative links start, and where the page is: links to places in it are written as text
 */
export function writeMarkdown(
  element: PageElement,
  place: { base: string; page: string },
): { text: string; isCut: boolean } {
  let left = MAX_MARKDOWN;
  const writer: Writer = {
    inline: (node) => writeRun(node.childNodes, writer),
    run: (nodes) => writeRun(nodes, writer),
    blocks: (node) => writeBlocks(node, writer),
    isBlock: blockTest(),
    address: addressIn(place),
    take: (text) => {
      const taken = text.length > left ? text.slice(0, left) : text;
      left -= taken.length;
      return taken;
    },
    depth: 0,
  };
  const text = writeBlocks(element, writer).join("\n\n");
  return { text: text.slice(0, MAX_MARKDOWN), isCut: text.length > MAX_MARKDOWN || left === 0 };
}

type BlockRule = (element: PageElement, writer: Writer) => string[];

const heading = (level: number): BlockRule => (element, writer) => {
  const text = writer.inline(element).replace(/\s*\n\s*/g, " ").trim();
  return text === "" ? [] : [`${"#".repeat(level)} ${text}`];
};

const RULES: Readonly<Record<string, BlockRule>> = {
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(5),
  h6: heading(6),
  hr: () => ["---"],
  pre: (element, writer) => [writePre(element, writer)].filter((block) => block !== ""),
  ul: writeList,
  ol: writeList,
  menu: writeList,
  dir: writeList,
  dl: writeDefinitions,
  table: writeTable,
  blockquote: writeQuote,
  summary: (element, writer) => {
    const text = writer.inline(element).trim();
    return text === "" ? [] : [text.startsWith("**") || text.includes("\n") ? text : `**${text}**`];
  },
  a: writeCard,
};

/** Writes the children of an element: each run of text becomes a paragraph. */
function writeBlocks(element: PageElement, writer: Writer): string[] {
  const blocks: string[] = [];
  addBlocks(element, writer, blocks);
  return blocks;
}

/** Adds what is in an element to the blocks before it. What lies deep is not copied at each level above it. */
function addBlocks(element: PageElement, writer: Writer, blocks: string[]): void {
  let run: PageNode[] = [];
  const flush = () => {
    const text = run.length === 0 ? "" : writer.run(run).trim();
    run = [];
    if (text !== "") {
      blocks.push(escapeStart(text.replace(/ +\n(?: +)?/g, "  \n").replace(/(?: *\n){2,}/g, "\n\n")));
    }
  };
  for (let node = element.firstChild; node !== null; node = node.nextSibling) {
    if (node.nodeType === 3 || !writer.isBlock(node)) {
      run.push(node);
      continue;
    }
    flush();
    if (isSkipped(node)) continue;
    const rule = ruleOf(node, writer);
    if (rule === undefined) addBlocks(node, writer, blocks);
    else for (const block of rule(node, writer)) blocks.push(block);
  }
  flush();
}

/** A quote that lies too deep is written as if it were none. */
function ruleOf({ localName }: PageElement, { depth }: Writer): BlockRule | undefined {
  if (localName === "blockquote" && depth >= MAX_LIST_DEPTH) return undefined;
  return Object.hasOwn(RULES, localName) ? RULES[localName] : undefined;
}

function writeQuote(element: PageElement, writer: Writer): string[] {
  writer.depth++;
  const text = writeBlocks(element, writer).join("\n\n");
  writer.depth--;
  if (text === "") return [];
  // Patterns over a long text are left to V8's linear engine, which takes ten times as long.
  return [text.split("\n").map((line) => line === "" ? ">" : `> ${line}`).join("\n")];
}

/** Writes a link around blocks: its first line becomes the link. */
function writeCard(element: PageElement, writer: Writer): string[] {
  const [first, ...rest] = writeBlocks(element, writer);
  if (first === undefined) return [];
  const address = writer.address(element.getAttribute("href"));
  const [, mark = "", text = ""] = /^(#{1,6} )?(.*)$/.exec(first) ?? [];
  if (address === null || text === "" || /\]\(/.test(text)) return [first, ...rest];
  return [`${mark}[${text.replace(/(?<!\\)[[\]]/g, "\\$&")}](${address})`, ...rest];
}

/** Makes addresses of links full, and remembers them. */
function addressIn({ base, page }: { base: string; page: string }): Writer["address"] {
  const known = new Map<string, string | null>();
  const here = page.replace(/#.*$/, "");
  const make = (url: string): string | null => {
    const full = URL.parse(url, base);
    if (full === null || !["http:", "https:", "mailto:", "tel:", "ftp:"].includes(full.protocol)) return null;
    if (full.hash !== "" && full.href.slice(0, -full.hash.length) === here) return null;
    return full.href.replace(/[()<>\s]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  };
  return (url) => {
    const given = url?.trim() ?? "";
    if (given === "" || given.startsWith("#")) return null;
    const before = known.get(given);
    if (before !== undefined) return before;
    const made = make(given);
    known.set(given, made);
    return made;
  };
}
