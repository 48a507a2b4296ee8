import { assertEquals } from "@std/assert";
import * as z from "zod";

import { toSchema } from "../../../../../runtime/rooms/inside/to_schema.ts";
import manifest from "../../../../../tools/manifest.json" with { type: "json" };

Deno.test("toSchema() gives whole numbers only the bounds that a tool names", { permissions: "none" }, () => {
  const type = z.object({
    plain: z.int(),
    count: z.int().meta({ minimum: 1 }).default(3).describe("How many."),
    bounded: z.int().min(0).max(9),
  });
  assertEquals(toSchema(type, "input").properties, {
    plain: { type: "integer" },
    count: { type: "integer", minimum: 1, default: 3, description: "How many." },
    bounded: { type: "integer", minimum: 0, maximum: 9 },
  });
});

Deno.test("the manifest gives every count of the arguments a true minimum", { permissions: "none" }, () => {
  const counts = manifest.tools.flatMap(({ full_name, input_schema: { properties } }) =>
    Object.entries(properties).flatMap(([name, schema]) => {
      const { type, minimum } = schema as { type?: string; minimum?: number };
      return type === "integer" ? [[`${full_name} ${name}`, minimum] as const] : [];
    })
  );
  const missing = counts.filter(([, minimum]) => minimum === undefined).map(([name]) => name).sort();
  // What is outside the bounds of these is moved to the nearest one, not refused.
  assertEquals(missing, [
    "par/fetch_url max_length",
    "par/generate_password length",
    "par/read_webpage max_length",
    "par/web_search max_results",
  ]);
  assertEquals(JSON.stringify(manifest).includes("9007199254740991"), false);
});
