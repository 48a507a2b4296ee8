import { assertEquals, assertMatch } from "@std/assert";
import { basename } from "@std/path";

import { makeArtifactFolder } from "../../../../runtime/state/artifact_folder.ts";
import { keepFiles } from "../../../../runtime/state/keep_files.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("keepFiles() keeps sounds, and documents that are no text, under names for people", async () => {
  using ws = workspace();
  const folder = makeArtifactFolder(() => ws.path);
  const { files, lost } = await keepFiles({
    audio: [{ mime_type: "audio/wav", data: "UklG" }],
    resources: [
      { uri: "note://1", mime_type: "text/plain", text: "a text" },
      { uri: "file:///etc/../a b.old.pdf?x=/../y#z", mime_type: "application/pdf", data: "AAEC" },
      { uri: "x:/", mime_type: "text/../../etc", data: "" },
    ],
  }, { name: "tool/one", folder });
  assertEquals(lost, []);
  assertEquals(files.map(({ path, bytes }) => [basename(path), bytes]), [
    ["tool_one.wav", 3],
    ["a_b_old.pdf", 3],
    ["tool_one.bin", 0],
  ]);
  assertEquals(Deno.readFileSync(files[1]!.path), new Uint8Array([0, 1, 2]));
});

Deno.test("keepFiles() tells what could not be kept", async () => {
  const folder = makeArtifactFolder(() => "/dev/null/nowhere");
  const { files, lost } = await keepFiles({
    audio: [{ mime_type: "audio/wav", data: "UklG" }],
    resources: [],
  }, { name: "tool", folder });
  assertEquals(files, []);
  assertMatch(lost.join(), /^a sound of the result is left out: /);
});
