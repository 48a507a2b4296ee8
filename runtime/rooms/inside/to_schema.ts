import * as z from "zod";

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
