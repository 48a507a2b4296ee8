import { assertEquals } from "@std/assert";

import { withFullNames, withLimitNames } from "../../../../../runtime/host/config/full_names.ts";
import type { Config } from "../../../../../schemas/config.ts";
import { entryOf } from "../../../../support/manifest_entry.ts";

const TOOLS = ["one/web_search_tool", "one/read", "two/Read"].map((name) => entryOf(name));

Deno.test("withFullNames() reads other spellings of a name as the one tool that they fit", () => {
  const named = (tools: unknown) =>
    Object.keys(withFullNames({ config: { tools } as unknown as Config }, TOOLS).config.tools ?? {});
  assertEquals(named({ WebSearchTool: {} }), ["one/web_search_tool"]);
  assertEquals(named({ websearchtool: {}, "one/*": {} }), ["one/web_search_tool", "one/*"]);
  assertEquals(named({ "one/web_search_tool": {} }), ["one/web_search_tool"]);
  // Several fit, none fits, or another entry means the same: the check refuses them as they stand.
  assertEquals(named({ read: {}, paint: {} }), ["read", "paint"]);
  assertEquals(named({ WebSearchTool: {}, websearchtool: {} }), ["WebSearchTool", "websearchtool"]);
  assertEquals(named({ WebSearchTool: {}, "one/web_search_tool": {} }), [
    "WebSearchTool",
    "one/web_search_tool",
  ]);
  assertEquals(withFullNames({ config: [] as unknown as Config }, TOOLS).config, [] as unknown);
});

Deno.test("withLimitNames() gives a limit to the one tool that its name can mean", () => {
  const [one, two] = [{ timeout_seconds: 1 }, { concurrency: 2 }];
  const named = (tools: Record<string, typeof one | typeof two>) => withLimitNames({ tools }, TOOLS).tools;
  assertEquals(named({ "*/WebSearchTool": one, "one/web_search_tool": two }), {
    "one/web_search_tool": { ...one, ...two },
  });
  // A name that is one stays as it is, and so does what fits several or none.
  const kept = { "*/read": one, "*/READ": one, "*": two, "one/paint": two, "three/WebSearchTool": one };
  assertEquals(named(kept), kept);
  assertEquals(withLimitNames({}, TOOLS), {});
});
