import type { SchemaProblem } from "./protocol.ts";

/** How much of a JSON value is taken. */
export interface JsonBounds {
  /** How many values may lie in each other. */
  depth: number;
  /** How many values there may be in all. */
  values: number;
  /** How long all texts and names may be together, in characters. */
  characters: number;
}

/** A value of which nobody has looked at what it holds, and where it is. */
interface Open {
  value: unknown;
  depth: number;
  key: string;
  above: Open | null;
}

/**
 * Finds where a value is more than can be checked: too deep, too much, or no JSON. Needs no stack, however deep
 * the value is.
 *
 * @returns The first place that is too much, `null` if there is none
 */
export function findExcess(value: unknown, bounds: JsonBounds): SchemaProblem | null {
  const open: Open[] = [{ value, depth: 0, key: "", above: null }];
  let values = 0;
  let characters = 0;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const at = place;
    const tell = (message: string) => ({ pointer: pointerOf(at), message });
    if (++values > bounds.values) return whole(`there are more than ${bounds.values} values`);
    const { value } = place;
    if (typeof value === "string") characters += value.length;
    else if (typeof value === "object" && value !== null) {
      if (place.depth >= bounds.depth) return tell(`the values lie more than ${bounds.depth} deep`);
      for (const key of Object.keys(value)) {
        characters += Array.isArray(value) ? 0 : key.length;
        const inner = (value as Record<string, unknown>)[key];
        open.push({ value: inner, depth: place.depth + 1, key, above: place });
      }
    } else if (value !== null && typeof value !== "number" && typeof value !== "boolean") {
      return tell(`${typeof value} is no JSON`);
    }
    if (characters > bounds.characters) {
      return whole(`the texts are longer than ${bounds.characters} characters`);
    }
  }
  return null;
}

/** What is wrong with all of it together. */
function whole(message: string): SchemaProblem {
  return { pointer: "#", message };
}

/** The last names of the way are enough: a way of thousands of names helps nobody. */
const MAX_NAMES = 20;

function pointerOf(place: Open): string {
  const names: string[] = [];
  for (let one: Open | null = place; one?.above; one = one.above) {
    if (names.push(one.key.replaceAll("~", "~0").replaceAll("/", "~1")) === MAX_NAMES) break;
  }
  return names.length === MAX_NAMES
    ? `#…/${names.toReversed().join("/")}`
    : ["#", ...names.toReversed()].join("/");
}
