import { isObject } from "../../../schemas/json/shape.ts";

/** How often JSON may be wrapped in a string of JSON. */
const MAX_ENCODINGS = 3;

/** Finds the text of a JSON object, also inside strings of JSON; `null` if there is no object. */
export function unwrapJson(text: string): string | null {
  let inner: unknown = text;
  for (let step = 0; step <= MAX_ENCODINGS && typeof inner === "string"; step++) {
    const value = parse(inner);
    if (isObject(value)) return inner;
    inner = value;
  }
  return null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
