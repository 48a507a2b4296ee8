import type { JsonSchema } from "../manifest.ts";

/** Types of Python without parameters, with the type of JSON that holds their values. */
const SIMPLE: Readonly<Record<string, string>> = {
  str: "string",
  int: "integer",
  float: "number",
  bool: "boolean",
  dict: "object",
  list: "array",
  none: "null",
};

/** How deep types may stand in types. */
const MAX_DEPTH = 16;

/** A type as Python's annotations spell it: a name, and what stands in its brackets. */
export interface TypeWords {
  /** `str`, `int`, `float`, `bool`, `dict`, `list`, `None`, `Any` or `Union`. */
  name: string;
  parameters: readonly TypeWords[];
}

/**
 * Reads a type as Python's annotations spell it: `int`, `List[str]`, `Dict[str, int]`, `Union[str, int]`,
 * `Optional[int]`, `int | None`, `Any`, in any letter case and any depth.
 *
 * @returns The type, or what is wrong with the words
 */
export function readType(text: string): TypeWords | { problem: string } {
  const words = text.match(/[A-Za-z_.]+|[^\s]/g) ?? [];
  try {
    const type = readUnion(words, 0);
    return words.length === 0
      ? type
      : { problem: `"${words[0]}" is not expected in ${JSON.stringify(text)}` };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: `${error.message} in ${JSON.stringify(text)}` };
    throw error;
  }
}

/** Returns the schema of a value inside another one. */
export function schemaOfType({ name, parameters }: TypeWords): JsonSchema {
  const described = { description: `Value of type ${name}` };
  if (name === "Union") return { anyOf: parameters.map(schemaOfType) };
  const [first, second] = parameters;
  if (name === "list" && first) return { type: "array", items: schemaOfType(first) };
  if (name === "dict" && second) return { type: "object", additionalProperties: schemaOfType(second) };
  return name === "Any" ? described : { type: SIMPLE[name.toLowerCase()]!, ...described };
}

function readUnion(words: string[], depth: number): TypeWords {
  const members = [readOne(words, depth)];
  while (words[0] === "|") {
    words.shift();
    members.push(readOne(words, depth));
  }
  return members.length === 1 ? members[0]! : { name: "Union", parameters: members };
}

function readOne(words: string[], depth: number): TypeWords {
  const word = words.shift();
  if (word === undefined) throw new SyntaxError("a type is missing");
  if (depth > MAX_DEPTH) throw new SyntaxError("there are too many types in types");
  const key = word.replace(/^typing\./, "").toLowerCase();
  const parameters = readParameters(words, depth);
  const counts = COUNTS.get(key);
  if (!counts) throw new SyntaxError(`${JSON.stringify(word)} is not a type: ${KNOWN} are`);
  const fits = counts.length === 0 ? parameters.length > 0 : counts.includes(parameters.length);
  if (!fits) {
    const allowed = counts.join(" or ") || "at least 1";
    throw new SyntaxError(`${word} takes ${allowed} types in brackets, not ${parameters.length}`);
  }
  if (key === "optional") {
    return { name: "Union", parameters: [...parameters, { name: "None", parameters: [] }] };
  }
  return { name: NAMES[key] ?? key, parameters };
}

const KNOWN = "str, int, float, bool, dict, list, Any, None, List[…], Dict[str, …], Union[…] and Optional[…]";
const NAMES: Readonly<Record<string, string>> = { none: "None", any: "Any", union: "Union" };
/** How many parameters a type may have; an empty list stands for any number but none. */
const COUNTS: ReadonlyMap<string, readonly number[]> = new Map([
  ["str", [0]],
  ["int", [0]],
  ["float", [0]],
  ["bool", [0]],
  ["none", [0]],
  ["any", [0]],
  ["list", [0, 1]],
  ["dict", [0, 2]],
  ["optional", [1]],
  ["union", []],
]);

function readParameters(words: string[], depth: number): TypeWords[] {
  if (words[0] !== "[") return [];
  const found: TypeWords[] = [];
  for (let separator = words.shift(); separator !== "]"; separator = words.shift()) {
    if (separator !== (found.length === 0 ? "[" : ",")) throw new SyntaxError('"]" is missing');
    found.push(readUnion(words, depth + 1));
  }
  return found;
}
