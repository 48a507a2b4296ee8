import { isObject } from "../../schemas/json/shape.ts";

/** Writes a value of JSON so that equal values give equal texts, in any order of their fields. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner) => {
    if (!isObject(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0));
  }) ?? "null";
}
