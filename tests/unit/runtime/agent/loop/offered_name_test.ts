import { assertEquals } from "@std/assert";

import { offeredName } from "../../../../../runtime/agent/loop/offered_name.ts";
import { tool } from "../../../../support/agent_scene.ts";

Deno.test("offeredName() finds the one tool that a name means", () => {
  const tools = new Map(
    ["Read", "Write", "grep", "Grep", "tools.list", "web_search_tool", "pick_up", "PickUp"].map((
      name,
    ) => [name, tool(name)]),
  );
  const cases: [string, string | null][] = [
    ["Read", "Read"],
    ["read", "Read"],
    [" Read ", "Read"],
    ["functions.Read", "Read"],
    ["functions.read", "Read"],
    ["default_api:Read", "Read"],
    ["functions.Read:0", "Read"],
    ["Read<|channel|>commentary", "Read"],
    ["set/Read", "Read"],
    ["tools.list", "tools.list"],
    ["grep", "grep"],
    ["WebSearchTool", "web_search_tool"],
    ["functions.websearchtool", "web_search_tool"],
    ["set/Web-Search-Tool", "web_search_tool"],
    ["PickUp", "PickUp"],
    ["pick-up", null],
    ["_", null],
    ["GREP", null],
    ["other/Read", null],
    ["Reed", null],
    ["functions.", null],
    ["", null],
  ];
  for (const [said, name] of cases) assertEquals(offeredName(said, tools), name, said);
});
