import type { JsonSchema } from "../../../../schemas/manifest.ts";

export const TEXT: JsonSchema = { type: "string" };
export const TEXTS: JsonSchema = { type: "array", items: TEXT };
export const POSITIVE: JsonSchema = { type: "number", exclusiveMinimum: 0 };
export const COUNT: JsonSchema = { type: "integer", minimum: 1 };
export const PRICE: JsonSchema = { type: "number", minimum: 0 };
export const YES_OR_NO: JsonSchema = { type: "boolean" };
/** Everything of a kind, or a list. */
export const SCOPE: JsonSchema = { anyOf: [{ const: true }, TEXTS] };

/** Returns a schema with the text that editors show. */
export function told(description: string, schema: JsonSchema): JsonSchema {
  return { ...schema, description };
}

/** Returns the schema of an object with exactly these fields. */
export function fieldsOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

/** Returns the schema of an object whose fields are all alike. */
export function map(values: JsonSchema): JsonSchema {
  return { type: "object", additionalProperties: values };
}

/** Returns the schema of an object with these fields, all of one schema. */
export function each(names: readonly string[], schema: JsonSchema): JsonSchema {
  return fieldsOf(Object.fromEntries(names.map((name) => [name, schema])));
}
