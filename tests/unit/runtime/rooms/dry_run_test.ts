import { assertEquals, assertRejects } from "@std/assert";

import { dryRun } from "../../../../runtime/rooms/inside/dry_run.ts";
import { askedState } from "../../../../runtime/rooms/asks/state.ts";
import { createGuard } from "../../../../runtime/walls/files/guard.ts";
import { makeGrants } from "../../../../runtime/walls/grants/make_grants.ts";
import { programFiles } from "../../../../runtime/programs/box/program_view.ts";
import type { ToolContext } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { ToolDefinition } from "../../../../schemas/tool.ts";
import edit from "../../../../tools/harness/edit.ts";
import editor from "../../../../tools/harness/str_replace_editor.ts";
import write from "../../../../tools/harness/write.ts";
import parEdit from "../../../../tools/par/edit.ts";
import { workspace } from "../../../support/run_tool.ts";

/** What a call of a tool would change, as a person is asked about it. */
async function preview(
  tool: ToolDefinition,
  root: string,
  input: Record<string, unknown>,
): Promise<string | null> {
  const grants = makeGrants({}, { workspace: root, cwd: root, realPath: Deno.realPathSync });
  const guard = createGuard(programFiles(grants, ""), "t");
  const parsed = tool.input.parse(input);
  return await dryRun(guard, async ({ files, ask }) =>
    await tool.run(parsed, {
      ...{ workspace: root, home: "", files, session: askedState(ask), signal: new AbortController().signal },
      ...{ deadline: Date.now() + 10_000, warn: () => {}, settings: {} },
    } as unknown as ToolContext));
}

const TEXT = "one\ntwo\nthree\n";

Deno.test("a dry run shows the change at the place where it fits, and changes nothing", async () => {
  using ws = workspace({ "n.txt": TEXT });
  const path = ws.at("n.txt");
  const hunk = "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three";
  const calls: [ToolDefinition, Record<string, unknown>, string | null][] = [
    [edit, { path, patch: "@@ -9 +9 @@\n-two\n+2\n" }, hunk],
    [parEdit, { path: "n.txt", edits: [{ old: "two", new: "2" }] }, hunk],
    [editor, { command: "str_replace", path, old_str: "two", new_str: "2" }, hunk],
    [write, { path, content: "one\n2\nthree\n", overwrite: true }, hunk],
    [write, { path: "new.txt", content: "new\n" }, null],
    [editor, { command: "create", path: ws.at("new.txt"), file_text: "new\n" }, null],
  ];
  for (const [tool, input, change] of calls) {
    assertEquals(await preview(tool as ToolDefinition, ws.path, input), change, JSON.stringify(input));
  }
  assertEquals([ws.read("n.txt"), [...Deno.readDirSync(ws.path)].length], [TEXT, 1]);
});

Deno.test("a dry run fails as the call would", async () => {
  using ws = workspace({ "n.txt": TEXT });
  const path = ws.at("n.txt");
  const calls: [ToolDefinition, Record<string, unknown>][] = [
    [edit, { path, patch: "@@ -1 +1 @@\n-zwei\n+2\n" }],
    [edit, { path: "gone.txt", patch: "@@ -1 +1 @@\n-two\n+2\n" }],
    [parEdit, { path: "n.txt", edits: [{ old: "zwei", new: "2" }] }],
    [editor, { command: "str_replace", path, old_str: "e", new_str: "2" }],
    [editor, { command: "create", path, file_text: "new\n" }],
    [write, { path, content: "new\n" }],
  ];
  for (const [tool, input] of calls) {
    await assertRejects(() => preview(tool as ToolDefinition, ws.path, input), ToolError);
  }
});
