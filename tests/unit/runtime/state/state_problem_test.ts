import { assertEquals, assertMatch } from "@std/assert";

import { stateProblem } from "../../../../runtime/state/state_folder.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("stateProblem() says why nothing can be kept, and leaves nothing of its trial", () => {
  using ws = workspace({ "file": "" });
  assertEquals(stateProblem(ws.at("a/state")), null);
  assertEquals([...Deno.readDirSync(ws.at("a/state"))], []);
  assertMatch(stateProblem(ws.at("file/state")) ?? "", /^Cannot write ".*file\/state": /);
  assertEquals(stateProblem(null), "neither HOME nor XDG_STATE_HOME names a folder");
});
