import type { Body, ClassItem, Node } from "./syntax.ts";

/** Which lines the short spelling of a pattern reads wrongly. */
export interface Limits {
  /** A part of the pattern exists only with the flag `v`. */
  always: boolean;
  /** Ranges of a class: a line with one of these characters needs the long spelling. */
  characters: ReadonlySet<string>;
  /** Some groups ignore letter case and others do not. */
  isMixed: boolean;
}

/** Every character that is not ASCII. */
export const BEYOND_ASCII = "\\x80-\\uffff";

/** Blanks of Python's that are none in JavaScript. */
const SEPARATORS = "\\x1c-\\x1f";
/** Line ends of JavaScript's. */
const LINE_ENDS = "\\r\\u2028\\u2029";
/** Halves of characters that only the flags `u` and `v` see as one. */
const HALVES = "\\ud800-\\udfff";

/** Finds the lines for which JavaScript's short spelling differs from what Python means. */
export function findLimits(body: Body): Limits {
  const found: Found = { always: false, characters: new Set(), isMixed: false };
  visitBody(body, found);
  return found;
}

interface Found {
  always: boolean;
  characters: Set<string>;
  isMixed: boolean;
}

function visitBody(body: Body, found: Found): void {
  for (const nodes of body) {
    for (const node of nodes) visitNode(node, found);
  }
}

function visitNode(node: Node, found: Found): void {
  const { characters } = found;
  switch (node.type) {
    case "char":
      if (node.ignoreCase && node.value > 0x7f) characters.add(BEYOND_ASCII);
      break;
    case "any":
      characters.add(HALVES);
      if (!node.dotAll) characters.add(LINE_ENDS);
      break;
    case "category":
    case "property":
      if (node.type === "property" || node.negated) characters.add(HALVES);
      visitItem(node, false, found);
      break;
    case "class":
      if (node.negated) characters.add(HALVES);
      for (const item of node.items) visitItem(item, node.ignoreCase, found);
      break;
    case "start":
    case "end":
      if (node.multiline) characters.add(LINE_ENDS);
      break;
    case "boundary":
      if (!node.ascii) characters.add(BEYOND_ASCII);
      break;
    case "group":
      if (node.letterCase !== null) found.isMixed = true;
      visitBody(node.body, found);
      break;
    case "repeat":
      visitNode(node.node, found);
      break;
    case "reference":
      break;
    default:
      visitBody(node.body, found);
  }
}

function visitItem(item: ClassItem, ignoreCase: boolean, found: Found): void {
  const { characters } = found;
  if (item.type === "property") found.always = true;
  else if (item.type === "range") {
    if (item.to > 0xffff) found.always = true;
    if (item.from < 0xe000 && item.to >= 0xd800) characters.add(HALVES);
    if (ignoreCase && item.to > 0x7f) characters.add(BEYOND_ASCII);
  } else if (item.letter === "s") {
    characters.add(BEYOND_ASCII);
    if (!item.ascii) characters.add(SEPARATORS);
  } else {
    if (!item.ascii) characters.add(BEYOND_ASCII);
    if (item.negated) characters.add(HALVES);
  }
}
