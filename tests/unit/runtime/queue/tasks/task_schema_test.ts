import { assertEquals } from "@std/assert";
import { z } from "zod";

import { TASK_SCHEMA } from "../../../../../runtime/queue/tasks/task_schema.ts";
import { StartRun } from "../../../../../runtime/server/api/run_schemas.ts";
import { isObject } from "../../../../../schemas/json/shape.ts";

/** What only describes, and what says no more than that numbers are finite. */
const LEFT_OUT = ["$schema", "description", "propertyNames"];

Deno.test("TASK_SCHEMA takes what the server takes for a run", { permissions: "none" }, () => {
  const { ask: _, ...fields } = StartRun.shape;
  assertEquals(plain(TASK_SCHEMA), plain(z.toJSONSchema(z.strictObject(fields), { io: "input" })));
});

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key, part]) =>
    !LEFT_OUT.includes(key) && part !== Number.MAX_SAFE_INTEGER &&
    !(key === "required" && Array.isArray(part) && part.length === 0)
  );
  return Object.fromEntries(kept.map(([key, part]) => [key, plain(part)]));
}
