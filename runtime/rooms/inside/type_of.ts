import * as z from "zod";

import { isObject } from "../../../schemas/json/shape.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";

/** Keywords whose values are data, or names: no schema stands directly in them. */
const DATA = ["const", "enum", "default", "examples", "required", "type", "$ref", "pattern"];
/** Keywords whose fields are schemas, by names that people choose. */
const NAMED = ["properties", "patternProperties", "$defs", "definitions"];

/** Says whether the type of a tool's arguments or result is one of zod; else it is a JSON Schema. */
export function isZodType(type: unknown): type is z.ZodType {
  return isObject(type) && "_zod" in type;
}

/**
 * Returns the type of zod for what a file gives as the type of arguments or of a result: one of zod, or a JSON Schema.
 *
 * @throws {Error} For a JSON Schema with keywords that zod does not have
 */
export function typeOf(type: unknown): z.ZodType {
  if (isZodType(type)) return type;
  return z.fromJSONSchema(whole(type as JsonSchema) as Parameters<typeof z.fromJSONSchema>[0]);
}

/** Says what zod reads only where it is said: that fields are those of an object, and items those of a list. */
function whole(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(whole);
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (DATA.includes(keyword)) return [keyword, value];
      if (!NAMED.includes(keyword) || !isObject(value)) return [keyword, whole(value)];
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, whole(one)]))];
    }),
  );
  const { required, properties, type } = inner;
  const isOfObject = Array.isArray(required) || isObject(properties);
  if (isOfObject && (type === undefined || type === "object")) {
    const needed = Array.isArray(required) ? required.map((name) => [String(name), {}]) : [];
    const fields = isObject(properties) ? properties : {};
    return { ...inner, type: "object", properties: { ...Object.fromEntries(needed), ...fields } };
  }
  return type === "array" ? { items: {}, ...inner } : inner;
}
