import { assertEquals, assertRejects } from "@std/assert";

import { HereSchemas } from "../../../../../runtime/sources/here/here_schemas.ts";
import { ToolError } from "../../../../../schemas/error.ts";

Deno.test("HereSchemas takes each schema once, and checks all in one worker until it is closed", async () => {
  const schemas = new HereSchemas();
  const schema = { type: "number", minimum: 3 };
  const other = { type: "string" };
  assertEquals(await schemas.check(schema, "one", 3), []);
  // Another look at it would find what was changed meanwhile.
  schema.minimum = 9;
  assertEquals(await schemas.check(schema, "one", 3), []);
  assertEquals((await schemas.check(schema, "one", 2)).length, 1);
  assertEquals((await schemas.check(other, "two", 2)).length, 1);
  await assertRejects(() => schemas.check({ type: "nothing" }, "three", 2), ToolError, '"three"');
  assertEquals(await schemas.check(other, "two", "a"), []);
  schemas[Symbol.dispose]();
  await assertRejects(() => schemas.check(other, "two", "a"), ToolError, "The run is over");
  await assertRejects(() => schemas.check({ type: "null" }, "four", null), ToolError, "The run is over");
});
