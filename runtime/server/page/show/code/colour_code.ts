import { common, createLowlight } from "lowlight";

import type { ColouredPart } from "../apart/jobs.ts";

type Node = ReturnType<typeof languages.highlight>["children"][number];

const languages = createLowlight(common);

/** Parts of one block of code that a page shows without a stop that is felt. */
const MOST_PARTS = 4_000;

/** Splits code into parts by colour; `null` if the language is not known, or if there are too many. */
export function colourCode(text: string, language: string): readonly ColouredPart[] | null {
  if (!languages.registered(language)) return null;
  const parts = languages.highlight(language, text).children.flatMap((node) => partsOf(node, ""));
  return parts.length <= MOST_PARTS ? parts : null;
}

function partsOf(node: Node, outer: string): ColouredPart[] {
  if (node.type === "text") return [{ text: node.value, classes: outer }];
  if (node.type !== "element") return [];
  const own = node.properties["className"];
  const classes = [outer, ...Array.isArray(own) ? own : []].join(" ").trim();
  return node.children.flatMap((child) => partsOf(child, classes));
}
