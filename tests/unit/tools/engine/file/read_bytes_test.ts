import { assertEquals, assertRejects } from "@std/assert";

import { readBytes } from "../../../../../tools/engine/file/read_bytes.ts";
import { workspace } from "../../../../support/run_tool.ts";

const content = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251);

for (const size of [undefined, 0, 10, 200_000, 900_000]) {
  Deno.test(`readBytes() reads a whole file that seems to have ${size} bytes and leaves it open`, async () => {
    using ws = workspace({ "a.bin": content });
    using file = await Deno.open(ws.at("a.bin"));
    const options = size === undefined ? { maxBytes: 1_000_000 } : { maxBytes: 1_000_000, size };
    assertEquals(await readBytes(file, options), content);
    assertEquals((await file.stat()).size, content.length);
  });
}

Deno.test("readBytes() stops at maxBytes and when its call is cancelled", async () => {
  using ws = workspace({ "a.bin": content });
  using file = await Deno.open(ws.at("a.bin"));
  assertEquals(await readBytes(file, { maxBytes: 70_000 }), content.subarray(0, 70_000));
  const signal = AbortSignal.abort(new Error("stop"));
  await assertRejects(() => readBytes(file, { maxBytes: 10, signal }), Error, "stop");
});
