import { assertEquals, assertMatch } from "@std/assert";

import generateUuid from "../../../../tools/par/generate_uuid.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("generate_uuid gives a new version 4 UUID each time", async () => {
  using ws = workspace();
  const seen = new Set<string>();
  for (let turn = 0; turn < 50; turn++) seen.add((await ws.run(generateUuid, {})).text);
  assertEquals(seen.size, 50);
  for (const uuid of seen) {
    assertMatch(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});
