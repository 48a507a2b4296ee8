import { assertEquals, assertThrows } from "@std/assert";
import { join } from "@std/path";

import { diskSession, memorySession, sessionFolder } from "../../../../runtime/state/tool_state.ts";
import { ToolError } from "../../../../schemas/error.ts";

Deno.test("memorySession() keeps the keys of toolsets apart", { permissions: "none" }, async () => {
  const session = memorySession();
  await session.set("a", "k", { n: 1 });
  assertEquals(await session.get("a", "k"), { n: 1 });
  assertEquals(await session.get("b", "k"), undefined);
});

Deno.test("diskSession() keeps values for later runs, in private files", async () => {
  const root = await Deno.makeTempDir({ prefix: "bulkhead-test-" });
  try {
    const folder = join(root, "s");
    assertEquals(await diskSession(folder).get("a", "/some/path"), undefined);
    await diskSession(folder).set("a", "/some/path", ["x"]);
    await diskSession(folder).set("a", "/some/path", ["y"]);
    assertEquals(await diskSession(folder).get("a", "/some/path"), ["y"]);
    assertEquals(await diskSession(folder).get("b", "/some/path"), undefined);
    await diskSession(folder).set("../up", "/k", "from a broken room");
    assertEquals([...Deno.readDirSync(root)].map(({ name }) => name), ["s"]);
    const files = [...Deno.readDirSync(folder)];
    assertEquals(files.length, 2);
    assertEquals((Deno.statSync(join(folder, files[0]!.name)).mode ?? 0) & 0o777, 0o600);
    assertEquals((Deno.statSync(folder).mode ?? 0) & 0o777, 0o700);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("sessionFolder() refuses ids that name other folders", { permissions: "none" }, () => {
  assertEquals(sessionFolder("/state", "run-1.a"), "/state/sessions/run-1.a");
  for (const id of ["", ".", "..", "../x", "a/b", "-x", "a\0", "x".repeat(65)]) {
    assertEquals(assertThrows(() => sessionFolder("/state", id), ToolError).code, "invalid_input", id);
  }
});
