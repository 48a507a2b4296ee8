import type { PageElement, PageNode } from "../dom/node.ts";
import { isSkipped, MAX_LIST_DEPTH, type Writer } from "./writer.ts";

const LISTS: ReadonlySet<string> = new Set(["ul", "ol", "menu", "dir"]);

/** Writes a list as one block. */
export function writeList(list: PageElement, writer: Writer): string[] {
  const isNumbered = list.localName === "ol";
  const start = Number(list.getAttribute("start") ?? 1);
  let number = Number.isSafeInteger(start) && start >= 0 && start < 1e9 ? start : 1;
  const items: { text: string; isLoose: boolean }[] = [];
  writer.depth++;
  for (const child of list.children) {
    if (isSkipped(child)) continue;
    // Lists directly in lists belong to the item before them.
    const isItem = child.localName === "li";
    const blocks = LISTS.has(child.localName) ? writeList(child, writer) : writer.blocks(child);
    if (blocks.length === 0) continue;
    const mark = isNumbered ? `${number}. ` : "- ";
    if (isItem && isNumbered) number++;
    const isLoose = child.children.filter(({ localName }) => localName === "p").length > 1 ||
      blocks.some((block) => block.startsWith("```"));
    const text = `${taskBox(child)}${blocks.join(isLoose ? "\n\n" : "\n")}`;
    items.push({ text: indented(text, isItem ? mark : " ".repeat(mark.length), writer), isLoose });
  }
  writer.depth--;
  if (items.length === 0) return [];
  return [items.map(({ text }) => text).join(items.some(({ isLoose }) => isLoose) ? "\n\n" : "\n")];
}

/** Writes terms and what they mean. */
export function writeDefinitions(list: PageElement, writer: Writer): string[] {
  const blocks: string[] = [];
  let group: string[] = [];
  let hasMeaning = false;
  const flush = () => {
    hasMeaning = false;
    if (group.length > 0) blocks.push(group.join("\n"));
    group = [];
  };
  const add = (child: PageElement) => {
    const isTerm = child.localName === "dt";
    if (!isTerm && child.localName !== "dd") {
      for (const inner of child.children) add(inner);
      return;
    }
    if (isTerm && hasMeaning) flush();
    const text = isTerm ? writer.inline(child).trim() : writer.blocks(child).join("\n\n");
    if (text === "") return;
    hasMeaning ||= !isTerm;
    const isMarked = text.startsWith("**") || text.includes("\n");
    group.push(isTerm ? isMarked ? text : `**${text}**` : indented(text, ": ", writer));
  };
  writer.depth++;
  for (const child of list.children) if (!isSkipped(child)) add(child);
  writer.depth--;
  flush();
  return blocks;
}

/** Writes a text after a mark, further lines below its beginning. */
function indented(text: string, mark: string, writer: Writer): string {
  if (writer.depth > MAX_LIST_DEPTH) return text;
  return mark + text.replace(/\n(?=[^\n])/g, `\n${" ".repeat(mark.length)}`);
}

/** The box of a task, if the item has one. */
function taskBox(item: PageElement): string {
  let node: PageNode | null = item.firstChild;
  for (let level = 0; node !== null && level < 6; level++) {
    if (node.nodeType === 3) {
      if (node.data.trim() !== "") return "";
      node = node.nextSibling;
    } else if (node.localName === "input") {
      if (node.getAttribute("type") !== "checkbox") return "";
      return node.hasAttribute("checked") ? "[x] " : "[ ] ";
    } else {
      if (node.localName !== "p" && node.localName !== "label") return "";
      node = node.firstChild;
    }
  }
  return "";
}
