import type { AST } from "@eslint-community/regexpp";

/** A place in the automaton of a pattern, and where it leads. */
type State =
  /** A character leads on. */
  | { kind: "character"; fits: (character: string) => boolean; next: State }
  /** Each of these ways is open. */
  | { kind: "ways"; ways: State[] }
  /** The way is open where this holds; what is found by a look ahead or behind is kept. */
  | { kind: "condition"; holds: (text: Text, at: number) => boolean; isLook: boolean; next: State }
  | { kind: "end" };

/** A text by its characters, and what was found out about its places. */
interface Text {
  characters: readonly string[];
  found: Map<State, Map<number, boolean>>;
}

/** How a part of a pattern is read. */
interface Reading {
  /** Flags that groups of the pattern set: `i`, `m` and `s`. */
  flags: string;
  /** From the end to the beginning, within a look behind. */
  isBackward: boolean;
  /** What was made so far: a number of states, and tests of characters. */
  made: { states: number; tests: Map<string, (character: string) => boolean> };
}

const END: State = { kind: "end" };

/** Counts such as `{1,1000}` make copies of what they count. */
const MAX_STATES = 50_000;

const LINE_END = /[\n\r\u2028\u2029]/;

/**
 * Makes what tells whether a pattern matches anywhere in a text, in time that grows with the pattern and the text, but never
 * faster: all ways are followed at once. What is within looks ahead and behind is tried once for each character.
 *
 * @param pattern Read with the flag `u`, and without references to groups
 * @returns `null` if it needs too many states
 */
export function makeAutomaton(pattern: AST.Pattern): ((text: string) => boolean) | null {
  const reading: Reading = { flags: "", isBackward: false, made: { states: 0, tests: new Map() } };
  try {
    const start = alternativesOf(pattern.alternatives, END, reading);
    return (text) =>
      run(start, { characters: [...text], found: new Map() }, { from: 0, step: 1, isSearch: true });
  } catch (error) {
    if (error instanceof TooManyStates) return null;
    throw error;
  }
}

class TooManyStates extends Error {}

/** Where a run begins, in which direction it goes, and whether it may begin at any later place as well. */
interface Run {
  from: number;
  step: 1 | -1;
  isSearch: boolean;
}

function run(start: State, text: Text, { from, step, isSearch }: Run): boolean {
  const { characters } = text;
  let places = new Set<State>();
  if (follow(start, { text, at: from, places })) return true;
  for (let at = from; step > 0 ? at < characters.length : at > 0;) {
    const character = characters[step > 0 ? at : at - 1]!;
    at += step;
    const next = new Set<State>();
    for (const place of places) {
      if (place.kind !== "character" || !place.fits(character)) continue;
      if (follow(place.next, { text, at, places: next })) return true;
    }
    if (isSearch && follow(start, { text, at, places: next })) return true;
    if (next.size === 0 && !isSearch) return false;
    places = next;
  }
  return false;
}

/** Adds all places that are reached without a character. @returns Whether the end is one of them */
function follow(state: State, { text, at, places }: { text: Text; at: number; places: Set<State> }): boolean {
  const open = [state];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one.kind === "end") return true;
    if (places.has(one)) continue;
    places.add(one);
    if (one.kind === "ways") open.push(...one.ways);
    else if (one.kind === "condition" && holdsAt(one, text, at)) open.push(one.next);
  }
  return false;
}

/** A look ahead or behind is tried once at each place. */
function holdsAt(state: State & { kind: "condition" }, text: Text, at: number): boolean {
  if (!state.isLook) return state.holds(text, at);
  const known = text.found.get(state) ?? new Map<number, boolean>();
  text.found.set(state, known);
  const before = known.get(at);
  if (before !== undefined) return before;
  const holds = state.holds(text, at);
  known.set(at, holds);
  return holds;
}

function counted(state: State, { made }: Reading): State {
  if (++made.states > MAX_STATES) throw new TooManyStates();
  return state;
}

function alternativesOf(alternatives: readonly AST.Alternative[], next: State, reading: Reading): State {
  const ways = alternatives.map(({ elements }) => {
    // Built from the end of the way to its beginning.
    const inOrder = reading.isBackward ? elements : elements.toReversed();
    return inOrder.reduce((after, element) => elementOf(element, after, reading), next);
  });
  return ways.length === 1 ? ways[0]! : counted({ kind: "ways", ways }, reading);
}

function elementOf(element: AST.Element, next: State, reading: Reading): State {
  switch (element.type) {
    case "Quantifier":
      return quantifierOf(element, next, reading);
    case "CapturingGroup":
      return alternativesOf(element.alternatives, next, reading);
    case "Group":
      return alternativesOf(element.alternatives, next, {
        ...reading,
        flags: flagsIn(element, reading.flags),
      });
    case "Assertion":
      return counted(conditionOf(element, next, reading), reading);
    case "Backreference":
      throw new TypeError("an automaton knows no references");
    default:
      return counted({ kind: "character", fits: testOf(element.raw, reading), next }, reading);
  }
}

function quantifierOf({ element, min, max }: AST.Quantifier, next: State, reading: Reading): State {
  let after = next;
  if (max === Infinity) {
    const ways: State[] = [];
    const again = counted({ kind: "ways", ways }, reading);
    ways.push(elementOf(element, again, reading), next);
    after = again;
  } else {
    for (let more = max - min; more > 0; more--) {
      after = counted({ kind: "ways", ways: [elementOf(element, after, reading), next] }, reading);
    }
  }
  for (let least = min; least > 0; least--) after = elementOf(element, after, reading);
  return after;
}

function flagsIn({ modifiers }: AST.Group, flags: string): string {
  if (modifiers === null) return flags;
  const { add, remove } = modifiers;
  return (["ignoreCase", "multiline", "dotAll"] as const).map((name, at) => {
    const letter = "ims"[at]!;
    return add[name] || (flags.includes(letter) && !remove?.[name]) ? letter : "";
  }).join("");
}

function conditionOf(assertion: AST.Assertion, next: State, reading: Reading): State {
  if (assertion.kind !== "lookahead" && assertion.kind !== "lookbehind") {
    return { kind: "condition", holds: edgeOf(assertion, reading), isLook: false, next };
  }
  const { negate, kind, alternatives } = assertion;
  const isBackward = kind === "lookbehind";
  const start = alternativesOf(alternatives, END, { ...reading, isBackward });
  const step = isBackward ? -1 : 1;
  const holds = (text: Text, at: number) => run(start, text, { from: at, step, isSearch: false }) !== negate;
  return { kind: "condition", holds, isLook: true, next };
}

function edgeOf(
  assertion: AST.EdgeAssertion | AST.WordBoundaryAssertion,
  reading: Reading,
): (text: Text, at: number) => boolean {
  const isMultiline = reading.flags.includes("m");
  if (assertion.kind === "start") {
    return ({ characters }, at) => at === 0 || (isMultiline && LINE_END.test(characters[at - 1]!));
  }
  if (assertion.kind !== "word") {
    return ({ characters }, at) =>
      at === characters.length || (isMultiline && LINE_END.test(characters[at]!));
  }
  const { negate } = assertion;
  const isWord = testOf("\\w", reading);
  const isInside = (character: string | undefined) => character !== undefined && isWord(character);
  return ({ characters }, at) => (isInside(characters[at - 1]) !== isInside(characters[at])) !== negate;
}

/** Tells whether a character is one of those that a part of the pattern stands for; V8 knows which. */
function testOf(raw: string, { flags, made: { tests } }: Reading): (character: string) => boolean {
  const key = `${flags} ${raw}`;
  const before = tests.get(key);
  if (before !== undefined) return before;
  const pattern = new RegExp(`^(?:${raw})$`, `u${flags.replace("m", "")}`);
  const known = new Map<string, boolean>();
  const test = (character: string) => {
    let fits = known.get(character);
    if (fits === undefined) known.set(character, fits = pattern.test(character));
    return fits;
  };
  tests.set(key, test);
  return test;
}
