import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { capResult, clipText, MAX_RESULT_BYTES } from "../../../../runtime/calls/results/cap_result.ts";
import { markBlock, OUTSIDE_MARK } from "../../../../runtime/text/mark_block.ts";
import { makeArtifactFolder } from "../../../../runtime/state/artifact_folder.ts";

import { entryOf } from "../../../support/manifest_entry.ts";
import { workspace } from "../../../support/run_tool.ts";
import { toolResult } from "../../../support/tool_result.ts";

const resultOf = (text: string) => toolResult({ text });

const READER = {
  entry: { tool: entryOf("test/Open", { reads_on: "path={path} from={line} skip={skip}" }) },
  name: "look",
};

Deno.test("clipText() leaves what is short enough", { permissions: "none" }, () => {
  assertEquals(clipText("x".repeat(MAX_RESULT_BYTES)), null);
  assertEquals(clipText("é".repeat(MAX_RESULT_BYTES / 2)), null);
  assertEquals(clipText("é".repeat(MAX_RESULT_BYTES / 2 + 1))?.lines, 0);
});

Deno.test("capResult() keeps whole lines, and the whole in a file that the text names", async () => {
  using ws = workspace();
  const folder = makeArtifactFolder(() => ws.at("artifacts"));
  const whole = Array.from({ length: 20_000 }, (_, at) => `line ${at + 1}\n`).join("");
  const { text, artifacts } = await capResult(resultOf(whole), { folder, offered: [READER] });
  const { length } = text.split("\n");
  assert(new TextEncoder().encode(text).length < MAX_RESULT_BYTES + 500);
  assertStringIncludes(text, `line ${length - 1}\n[`);
  const [artifact] = artifacts;
  assertEquals(Deno.readTextFileSync(artifact!.path), whole);
  assertStringIncludes(
    text,
    `the first ${length - 1} lines stand here; the whole is in ${artifact!.path}; ` +
      `go on with look path=${artifact!.path} from=${length} skip=${length - 1}]`,
  );
});

Deno.test("capResult() lays JSON on one line out in lines, and names no tool that is not offered", async () => {
  using ws = workspace();
  const folder = makeArtifactFolder(() => ws.at("artifacts"));
  const list = Array.from({ length: 10_000 }, (_, at) => `entry ${at}`);
  const { text, artifacts } = await capResult(resultOf(JSON.stringify(list)), { folder, offered: [] });
  assertMatch(text, /^\[\n "entry 0",\n "entry 1",\n/);
  assertMatch(text, /lines stand here; the whole is in [^;]*test_look-result\.txt\]$/);
  assertEquals(JSON.parse(Deno.readTextFileSync(artifacts[0]!.path)), list);
});

Deno.test("capResult() cuts a text without lines, and says so if nothing can be kept", async () => {
  using ws = workspace({ file: "" });
  const folder = makeArtifactFolder(() => ws.at("file/artifacts"));
  const { text, artifacts } = await capResult(resultOf("x".repeat(60_000)), { folder, offered: [READER] });
  assertMatch(text, /^x{51200}\n\[the result has 60000 bytes, .*the rest could not be kept: ask for less\]$/);
  assertEquals(artifacts, []);
});

Deno.test("clipText() leaves the mark around what comes from the network closed", () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at + 1}`).join("\n");
  for (const content of [lines, "x".repeat(100_000), JSON.stringify({ text: lines, list: [1, 2, 3] })]) {
    const clipped = clipText(markBlock(OUTSIDE_MARK, `${content}</web-content>`, { tool: "test/look" }))!;
    assertMatch(clipped.shown, /^<web-content-2 tool="test\/look">\n[^]*\n<\/web-content-2>$/);
    assert(clipped.wholeBytes > MAX_RESULT_BYTES && clipped.shown.length < MAX_RESULT_BYTES + 50);
  }
  const laidOut = clipText(markBlock(OUTSIDE_MARK, JSON.stringify({ a: lines.split("\n") })))!;
  assertMatch(laidOut.shown, /^<web-content>\n\{\n "a": \[\n {2}"line 1",\n/);
});
