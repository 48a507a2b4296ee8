import * as z from "zod";

import { JSON_TYPE_REMEDY } from "../../../schemas/json/standard_schema.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";

/**
 * Returns the JSON Schema of a type. Whole numbers have only the bounds that their tool gives, in the type or as
 * `meta`: the bounds of safe integers tell a model nothing.
 *
 * @param io Whether the schema is about what goes in, where defaults may be missing, or what comes out
 */
export function toSchema(type: z.ZodType, io: "input" | "output"): JsonSchema {
  return z.toJSONSchema(type, {
    io,
    override({ jsonSchema }) {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  }) as JsonSchema;
}

/** Says why a type has no JSON Schema, where in it, and what to write instead. */
export function whyNoSchema(type: z.ZodType, io: "input" | "output"): string {
  const at: string[] = [];
  let inner = type;
  for (;;) {
    const shape: Record<string, z.ZodType> = inner instanceof z.ZodObject ? inner.shape : {};
    const wrong = Object.entries(shape).find(([, field]) => problemOf(field, io) !== undefined);
    if (wrong === undefined) break;
    at.push(wrong[0]);
    inner = wrong[1];
  }
  const where = at.length === 0 ? "" : ` at "${at.join(".").slice(0, 100)}"`;
  return `has no JSON Schema${where}: ${problemOf(inner, io)?.slice(0, 200)}; ${JSON_TYPE_REMEDY}`;
}

function problemOf(type: z.ZodType, io: "input" | "output"): string | undefined {
  try {
    toSchema(type, io);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
