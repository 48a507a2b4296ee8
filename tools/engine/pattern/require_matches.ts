import type { Body, Node } from "./syntax.ts";

/**
 * Makes repeats that need not match match at least once where a later reference needs one of their groups: in
 * Python a reference to a group without a match fails, so nothing else can be found.
 */
export function requireMatches(body: Body): Body {
  return body.map(requireInSequence);
}

function requireInSequence(nodes: readonly Node[]): readonly Node[] {
  const needed = new Set<number>();
  const required: Node[] = [];
  for (const node of nodes.toReversed()) {
    required.unshift(requireInNode(node, needed));
    for (const group of neededBy(node)) needed.add(group);
  }
  return required;
}

function requireInNode(node: Node, needed: ReadonlySet<number>): Node {
  if (node.type === "repeat") {
    const isNeeded = node.min === 0 && node.max > 0 && !groupsIn(node.node).isDisjointFrom(needed);
    return { ...node, node: requireInNode(node.node, needed), min: isNeeded ? 1 : node.min };
  }
  return "body" in node ? { ...node, body: requireMatches(node.body) } : node;
}

/** Groups that must have a match before the node, or nothing is found. */
function neededBy(node: Node): readonly number[] {
  if (node.type === "reference") return [node.group];
  if (node.type === "repeat") return node.min > 0 ? neededBy(node.node) : [];
  if (node.type !== "group" && node.type !== "atomic") return [];
  const [only, ...others] = node.body;
  return only && others.length === 0 ? only.flatMap(neededBy) : [];
}

function groupsIn(node: Node): Set<number> {
  if (node.type === "repeat") return groupsIn(node.node);
  if (!("body" in node)) return new Set();
  const inside = new Set(node.body.flat().flatMap((child) => [...groupsIn(child)]));
  return node.type === "group" && node.capture ? inside.add(node.capture.number) : inside;
}
