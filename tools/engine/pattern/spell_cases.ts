import type { ClassItem, Node } from "./syntax.ts";

/** Adds the other cases of what a class holds, if it ignores case. */
export function withCases(node: Extract<Node, { type: "class" }>): Extract<Node, { type: "class" }> {
  if (!node.ignoreCase) return node;
  return { ...node, items: node.items.flatMap((item) => item.type === "range" ? casesOf(item) : [item]) };
}

/** Returns a range and the other cases of its letters. */
export function casesOf({ from, to }: { from: number; to: number }): ClassItem[] {
  const others = new Set<number>();
  for (let value = from; value <= to; value++) {
    for (const other of otherCases(String.fromCodePoint(value))) others.add(other);
  }
  const outside = [...others].filter((value) => value < from || value > to);
  return [
    { type: "range", from, to },
    ...outside.map((value) => ({ type: "range" as const, from: value, to: value })),
  ];
}

function otherCases(char: string): number[] {
  const upper = char.toUpperCase();
  const texts = [char.toLowerCase(), upper, upper.toLowerCase()];
  return texts.filter((text) => [...text].length === 1).map((text) => text.codePointAt(0)!);
}
