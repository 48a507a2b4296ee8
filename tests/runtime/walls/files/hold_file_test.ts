import { assert, assertEquals } from "@std/assert";

import { holdFile } from "../../../../runtime/walls/files/hold_file.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("holdFile() waits for the holder before, and then holds what the path names", async () => {
  using ws = workspace({ "a.txt": "old" });
  const first = await holdFile(ws.at("a.txt"));
  assert(first);
  let isHeld = false;
  const second = holdFile(ws.at("a.txt")).then((held) => {
    isHeld = true;
    return held;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assertEquals(isHeld, false);
  Deno.writeTextFileSync(ws.at("b.txt"), "new");
  Deno.renameSync(ws.at("b.txt"), ws.at("a.txt"));
  first[Symbol.dispose]();
  using held = await second;
  assertEquals(["new", "old", "ne", "news"].map((text) => held?.holds(new TextEncoder().encode(text))), [
    true,
    false,
    false,
    false,
  ]);
});

Deno.test("holdFile() gives nothing for a file that is not there", async () => {
  using ws = workspace();
  assertEquals(await holdFile(ws.at("none")), null);
});
