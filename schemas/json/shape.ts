import type { JsonSchema } from "../manifest.ts";

/** The types of JSON Schema; `integer` is a number without a fraction. */
export type JsonType = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

/** How many references or nested unions are followed before a schema counts as accepting anything. */
const MAX_STEPS = 16;

/** Says whether a value is an object of JSON: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a subschema as an object: `true` and a missing one accept anything, `false` accepts nothing. */
export function toSchema(value: unknown): JsonSchema {
  if (value === false) return { not: {} };
  return isObject(value) ? value : {};
}

/** Returns the narrowest type of a value of JSON. */
export function typeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "object" ? "object" : typeof value as JsonType;
}

/** Says whether a value has one of the types; an empty list accepts anything. */
export function hasType(value: unknown, types: ReadonlySet<JsonType>): boolean {
  const type = typeOf(value);
  return types.size === 0 || types.has(type) || (type === "integer" && types.has("number"));
}

/** Follows `$ref` inside the document; a broken reference accepts anything. */
export function resolveRef(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let found = schema;
  for (let step = 0; typeof found.$ref === "string"; step++) {
    if (step === MAX_STEPS) return {};
    found = lookUp(found.$ref, root);
  }
  return found;
}

function lookUp(pointer: string, root: JsonSchema): JsonSchema {
  if (pointer !== "#" && !pointer.startsWith("#/")) return {};
  let found: unknown = root;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return toSchema(found);
}

/** Returns the alternatives of a union; empty if it is not a union. */
export function branchesOf(schema: JsonSchema): JsonSchema[] {
  const branches = schema.anyOf ?? schema.oneOf;
  return Array.isArray(branches) ? branches.map(toSchema) : [];
}

/** Returns the types that a schema accepts, in its own order; empty means any type. */
export function typesOf(schema: JsonSchema, root: JsonSchema, step = 0): ReadonlySet<JsonType> {
  if (step > MAX_STEPS) return new Set();
  const { type, const: only, enum: values, ...rest } = resolveRef(schema, root);
  if (typeof type === "string") return new Set([type as JsonType]);
  if (Array.isArray(type)) return new Set(type);
  if (only !== undefined) return new Set([typeOf(only)]);
  if (Array.isArray(values)) return new Set(values.map(typeOf));
  const branches = branchesOf(rest).map((branch) => typesOf(branch, root, step + 1));
  if (branches.some((types) => types.size === 0)) return new Set();
  return new Set(branches.flatMap((types) => [...types]));
}

/** Returns the schemas of an object's own fields. */
export function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  if (!isObject(schema.properties)) return {};
  return Object.fromEntries(Object.entries(schema.properties).map(([key, field]) => [key, toSchema(field)]));
}

/** Returns the names of the fields that must be there. */
export function requiredOf(schema: JsonSchema): ReadonlySet<string> {
  return new Set(Array.isArray(schema.required) ? schema.required : []);
}

/** Says whether an object knows all its fields by name, so that any other is a slip. */
export function isClosed(schema: JsonSchema): boolean {
  if (schema.additionalProperties === false) return schema.patternProperties === undefined;
  const open = ["additionalProperties", "patternProperties", "anyOf", "oneOf", "allOf"];
  return isObject(schema.properties) && open.every((keyword) => schema[keyword] === undefined);
}

const HOLDS_MAP = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
const HOLDS_LIST = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const HOLDS_ONE = new Set([
  "items",
  "additionalProperties",
  "propertyNames",
  "contains",
  "not",
  "if",
  "then",
  "else",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** Rebuilds a schema with `change` applied to each schema directly inside it; defaults and values stay untouched. */
export function mapSubschemas(schema: JsonSchema, change: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const each = (inner: unknown) => isObject(inner) ? change(inner) : inner;
  const entries = Object.entries(schema).map(([key, value]) => {
    if (HOLDS_ONE.has(key)) return [key, each(value)];
    if (HOLDS_LIST.has(key) && Array.isArray(value)) return [key, value.map(each)];
    if (!HOLDS_MAP.has(key) || !isObject(value)) return [key, value];
    return [key, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, each(inner)]))];
  });
  return Object.fromEntries(entries);
}
