import { isObject } from "../../../schemas/json/shape.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";

/** How deep schemas may stand within each other. */
const MAX_DEPTH = 8;
const CHOICES = ["anyOf", "oneOf", "allOf"];

/** Makes a schema of types, fields, lists and words alone: what every server takes. The tool still checks the whole one. */
export function simpleSchema(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [], description } = simplify(schema, schema, 0);
  return {
    type: "object",
    properties,
    required,
    ...(description !== undefined && { description }),
  } as JsonSchema;
}

function simplify(value: unknown, root: unknown, depth: number): Record<string, unknown> {
  if (!isObject(value) || depth > MAX_DEPTH) return { type: "string" };
  const choice = CHOICES.flatMap((field) => Array.isArray(value[field]) ? value[field] : [])
    .find((one) => isObject(one) && one.type !== "null");
  const target = typeof value.$ref === "string" ? resolve(value.$ref, root) : choice;
  const own = { ...(target === undefined ? {} : simplify(target, root, depth + 1)), ...words(value) };
  const type = typeOf(value) ?? own.type ?? "string";
  if (type === "object") return { ...own, type, ...fields(value, own, { root, depth }) };
  if (type === "array") return { ...own, type, items: simplify(value.items ?? own.items, root, depth + 1) };
  const texts = type === "string" && Array.isArray(value.enum) &&
    value.enum.every((one) => typeof one === "string");
  return { ...own, type, ...(texts && { enum: value.enum }) };
}

function fields(
  value: Record<string, unknown>,
  own: Record<string, unknown>,
  { root, depth }: { root: unknown; depth: number },
): Record<string, unknown> {
  const given = isObject(value.properties) ? value.properties : {};
  const made = Object.entries(given).map(([name, field]) =>
    [name, simplify(field, root, depth + 1)] as const
  );
  const properties = { ...(isObject(own.properties) && own.properties), ...Object.fromEntries(made) };
  const wanted = Array.isArray(value.required) ? value.required : own.required;
  const required = Array.isArray(wanted)
    ? wanted.filter((name) => Object.hasOwn(properties, String(name)))
    : [];
  return { properties, required };
}

function words({ description }: Record<string, unknown>): Record<string, unknown> {
  return typeof description === "string" ? { description } : {};
}

function typeOf({ type, properties, items }: Record<string, unknown>): string | undefined {
  if (typeof type === "string" && type !== "null") return type;
  const first = Array.isArray(type) ? type.find((one) => one !== "null") : undefined;
  if (typeof first === "string") return first;
  return isObject(properties) ? "object" : items === undefined ? undefined : "array";
}

function resolve(ref: string, root: unknown): unknown {
  if (!ref.startsWith("#/")) return undefined;
  const steps = ref.slice(2).split("/").map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"));
  return steps.reduce<unknown>(
    (at, step) => isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined,
    root,
  );
}
