import type { Body, Node } from "./syntax.ts";

/** Numbers of groups. */
type Groups = ReadonlySet<number>;

interface Known {
  /** Groups that a reference may name here. */
  visible: Groups;
  /** Groups that have a match whenever this place is reached. */
  matched: Groups;
}

/**
 * Checks that each reference names a group that has a match by then: in Python a reference to a group without
 * a match fails, in JavaScript it matches the empty text.
 *
 * @throws {SyntaxError} For a reference to a group that may have no match
 */
export function checkReferences(body: Body): void {
  const none: Groups = new Set();
  passBody(body, { visible: none, matched: none });
}

function passBody(body: Body, known: Known): Groups {
  const [first, ...others] = body.map((nodes) => passSequence(nodes, known));
  return others.reduce((all, matched) => all.intersection(matched), first ?? known.matched);
}

function passSequence(nodes: readonly Node[], known: Known): Groups {
  let { visible, matched } = known;
  for (const node of nodes) {
    // Look-behinds are matched from right to left, so their own groups have no match yet.
    const frozen = visible !== matched;
    matched = passNode(node, { visible, matched });
    if (!frozen) visible = matched;
  }
  return matched;
}

function passNode(node: Node, known: Known): Groups {
  if (node.type === "reference") return passReference(node.group, known);
  if (node.type === "group") {
    const matched = passBody(node.body, known);
    return node.capture ? matched.union(new Set([node.capture.number])) : matched;
  }
  if (node.type === "atomic") return passBody(node.body, known);
  if (node.type === "repeat") {
    const matched = passSequence([node.node], known);
    return node.min > 0 ? matched : known.matched;
  }
  if (node.type !== "look") return known.matched;
  const inside = node.behind ? { visible: known.visible, matched: new Set(known.matched) } : known;
  const matched = passBody(node.body, inside);
  return node.negated ? known.matched : matched;
}

function passReference(group: number, { visible, matched }: Known): Groups {
  if (visible.has(group)) return matched;
  throw new SyntaxError(
    `group ${group} may have no match where it is referred to, write it so that it always takes part, such as ` +
      "(a?) for (a)?",
  );
}
