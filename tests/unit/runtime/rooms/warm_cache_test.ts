import { assert, assertEquals, assertRejects } from "@std/assert";

import { warmCache } from "../../../../runtime/rooms/warm_cache.ts";
import { ToolError } from "../../../../schemas/error.ts";

Deno.test("warmCache() says how to fill the cache by hand if it cannot", async () => {
  await warmCache(["true"], {});
  const argv = ["sh", "-c", "echo no registry >&2; exit 1"];
  const error = await assertRejects(() => warmCache(argv, { DENO_DIR: "/there", NO_COLOR: "1" }), ToolError);
  assertEquals(error.code, "unavailable");
  assert(error.message.includes("(no registry)"), error.message);
  assert(error.message.endsWith(`DENO_DIR=/there ${argv.join(" ")}`), error.message);
});
