import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";

import * as deno from "../../../../runtime/mod.ts";
import * as node from "../../../../runtime/node/mod.ts";

const { createRunner, ToolError } = node;

Deno.test("the package on Node has every export of the one on Deno: what it cannot do says so", () => {
  const names = Object.keys(deno);
  assertEquals(names.filter((name) => !Object.hasOwn(node, name)), []);
  for (
    const name of [
      "createAgent",
      "toManusResult",
      "toToolCollection",
      "toolSchemas",
      "availableToolSchemas",
    ] as const
  ) {
    assertThrows(() => node[name]({}), ToolError, "Only on Deno: ");
  }
  assertThrows(() => new node.Toolbox({}), ToolError, "Only on Deno: Toolbox");
});

Deno.test("createRunner() on Node takes no signal that it would not hear", async () => {
  const runner = createRunner({ workspace: "/", program: "/nowhere" });
  const options = { signal: new AbortController().signal } as never;
  const error = await assertRejects(
    () => runner.call("Read", {}, options),
    ToolError,
    "Only on Deno: signal of a call",
  );
  assert(error.code === "unavailable");
});
