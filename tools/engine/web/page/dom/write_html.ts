import { following, type PageElement, type PageNode } from "./node.ts";

const VOID: ReadonlySet<string> = new Set(
  "area base br col embed frame hr img input link meta param source track wbr".split(" "),
);
/** Their text is no HTML. */
const RAW: ReadonlySet<string> = new Set(["script", "style"]);
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Writes what is inside of an element as HTML that reads back as the same tree. */
export function writeHtml(root: PageElement): string {
  const parts: string[] = [];
  let node: PageNode | null = root.firstChild;
  while (node !== null) {
    if (node.nodeType === 3) parts.push(isRaw(node) ? node.data : escaped(node.data, /[&<>]/g));
    else parts.push(openingTag(node));
    const next: PageNode | null = following(node, root);
    closeUpTo(next, node, { root, parts });
    node = next;
  }
  return parts.join("");
}

/** Writes the closing tags between a node and the one that follows it. */
function closeUpTo(
  next: PageNode | null,
  node: PageNode,
  { root, parts }: { root: PageElement; parts: string[] },
): void {
  const above = next?.parentNode ?? root;
  let at = node.nodeType === 1 ? node : node.parentElement;
  while (at !== null && at !== above && at !== root) {
    if (!VOID.has(at.localName)) parts.push(`</${at.localName}>`);
    at = at.parentElement;
  }
}

function isRaw(node: PageNode): boolean {
  return RAW.has(node.parentElement?.localName ?? "");
}

function openingTag({ localName, attributes }: PageElement): string {
  let tag = `<${localName}`;
  for (const { name, value } of attributes) tag += ` ${name}="${escaped(value, /[&"]/g)}"`;
  return `${tag}>`;
}

function escaped(text: string, characters: RegExp): string {
  return text.replace(characters, (character) => ESCAPES[character] ?? character);
}
