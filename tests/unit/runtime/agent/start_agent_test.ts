import { assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import { pictureReader } from "../../../../runtime/agent/start_agent.ts";
import { workspace } from "../../../support/run_tool.ts";

/** The first bytes of a PNG file. */
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

Deno.test("pictureReader() reads pictures of the run, and no other file", async () => {
  using ws = workspace({ "made/a.png": PNG, "made/words.png": "words", "other/b.png": PNG });
  Deno.symlinkSync("../other/b.png", ws.at("made/link.png"));
  Deno.mkdirSync(ws.at("made/folder.png"));
  type Artifacts = Parameters<typeof pictureReader>[0]["artifacts"];
  const readerOf = (made: string | null) => pictureReader({ artifacts: { made } as Artifacts });
  const read = readerOf(ws.at("made"));
  assertEquals(await read(ws.at("made/a.png")), btoa(String.fromCharCode(...PNG)));
  for (const name of ["made/words.png", "made/link.png", "made/folder.png", "other/b.png", "made/none.png"]) {
    await assertRejects(
      () => read(ws.at(name)),
      ToolError,
      name.includes("none") ? "no such file" : "not a picture",
    );
  }
  await assertRejects(() => readerOf(null)(ws.at("made/a.png")), ToolError, "not a picture");
});
