import { assertEquals, assertRejects } from "@std/assert";

import { removeSession } from "../../../../../runtime/state/sessions/remove_session.ts";
import { tracePath } from "../../../../../runtime/state/sessions/session_folder.ts";
import { openTrace } from "../../../../../runtime/state/sessions/trace_file.ts";
import { sessionFolder } from "../../../../../runtime/state/tool_state.ts";
import { lstat } from "../../../../../runtime/walls/files/file_facts.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { workspace } from "../../../../support/run_tool.ts";

Deno.test("removeSession() removes nothing of a session that somebody works with", async () => {
  using ws = workspace({});
  const [state, id] = [ws.at("state"), "20260101-000000-abcdef"];
  Deno.mkdirSync(sessionFolder(state, id), { recursive: true });
  let removed = 0;
  const remove = () => removeSession(state, id, () => void removed++);
  {
    using _held = await openTrace(tracePath(state, id), { redact: (text) => text });
    assertEquals((await assertRejects(remove, ToolError)).code, "conflict");
    assertEquals([removed, lstat(sessionFolder(state, id)) !== null], [0, true]);
  }
  await remove();
  assertEquals([removed, lstat(sessionFolder(state, id))], [1, null]);
});
