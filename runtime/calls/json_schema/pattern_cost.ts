import type { AST } from "@eslint-community/regexpp";

/** How long a regular expression that goes back and tries again may take. */
export interface PatternCost {
  /** Something that repeats holds what repeats or branches: the time may double with each character. */
  isNested: boolean;
  /** It uses what a group matched. */
  hasReference: boolean;
  /** How many parts repeat without a small bound: the time grows with the length to this power. */
  power: number;
  /** In how many ways all other parts can be taken. */
  ways: number;
}

/** More repetitions than these count as any number. */
const FEW = 8;

/** Finds out how long a pattern may take to fail. It never says too little. */
export function costOf(pattern: AST.Pattern): PatternCost {
  const cost: PatternCost = { isNested: false, hasReference: false, power: 0, ways: 1 };
  // Unless it is bound to the beginning, it is tried at each character.
  if (!pattern.alternatives.every(({ elements }) => isStart(elements[0]))) cost.power++;
  addAll(cost, pattern.alternatives, false);
  return cost;
}

/** Says whether a pattern takes a short time for any text of a length, in characters. */
export function isQuick({ isNested, power, ways }: PatternCost, length: number): boolean {
  return !isNested && ways * Math.max(1, length) ** power <= MAX_STEPS;
}

/** Steps that are quick. */
const MAX_STEPS = 5_000_000;

function isStart(element: AST.Element | undefined): boolean {
  return element?.type === "Assertion" && element.kind === "start";
}

function addAll(cost: PatternCost, alternatives: readonly AST.Alternative[], isRepeated: boolean): void {
  cost.ways *= alternatives.length;
  if (isRepeated && alternatives.length > 1) cost.isNested = true;
  for (const { elements } of alternatives) {
    for (const element of elements) addElement(cost, element, isRepeated);
  }
}

function addElement(cost: PatternCost, element: AST.Element, isRepeated: boolean): void {
  switch (element.type) {
    case "Quantifier":
      return addQuantifier(cost, element, isRepeated);
    case "Group":
    case "CapturingGroup":
      return addAll(cost, element.alternatives, isRepeated);
    case "Backreference":
      cost.hasReference = true;
      return;
    case "Assertion":
      if (element.kind !== "lookahead" && element.kind !== "lookbehind") return;
      if (isRepeated) cost.isNested = true;
      return addAll(cost, element.alternatives, isRepeated);
  }
}

function addQuantifier(cost: PatternCost, { element, min, max }: AST.Quantifier, isRepeated: boolean): void {
  const isVaried = min !== max;
  if (isRepeated && isVaried) cost.isNested = true;
  if (isVaried && max > FEW) cost.power++;
  else if (isVaried) cost.ways *= max - min + 1;
  addElement(cost, element, isRepeated || max > 1);
}
