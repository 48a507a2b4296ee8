import { assertEquals, assertThrows } from "@std/assert";

import { addOptions, optionsNow, readGrants } from "../../../../../runtime/cli/chat/chat_options.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { TraceLine } from "../../../../../schemas/agent/trace.ts";

const begun: Extract<TraceLine, { t: "run" }> = {
  ...{ t: "run", v: 1, run_id: "r", session_id: "s", time: "", version: "", model: "m", workspace: "/ws" },
  ...{ policy: "read-only", tools: [], resumed: false },
  settings: {
    flags: ["--allow-read=/a", "--allow-net", "--sandbox=require"],
    policy: { name: "read-only", base: "read-only", allow: [], deny: [], named: true },
    config: null,
    tools: { toolsets: ["one"], tools: [], extra_tools: ["two"] },
    model: { name: "m", base_url: null },
  },
};

Deno.test(
  "optionsNow() adds the options of a chat to what its session keeps",
  { permissions: "none" },
  () => {
    assertEquals(optionsNow(undefined, { policy: "coder" }), { policy: "coder" });
    const kept = { policy: "read-only", workspace: "/ws", sandbox: "require" } as const;
    assertEquals(optionsNow(begun, {}), {
      ...{ ...kept, allowRead: ["/a"], allowNet: true },
      ...{ toolset: ["one"], extraTool: ["two"] },
    });
    assertEquals(
      optionsNow(begun, { allowRead: ["/b"], allowNet: ["h"], sandbox: "off", tool: ["T"], model: "n" }),
      { ...kept, allowRead: ["/a", "/b"], allowNet: true, sandbox: "off", tool: ["T"], model: "n" },
    );
    assertEquals(optionsNow(begun, { allowAll: true }).allowRead, undefined);
  },
);

Deno.test("addOptions() lets lists grow and replaces single values", { permissions: "none" }, () => {
  assertEquals(
    addOptions({ allowNet: ["a"], policy: "coder" }, { allowNet: ["b", "a"], policy: "read-only" }),
    {
      ...{ allowNet: ["a", "b"], policy: "read-only" },
    },
  );
  assertEquals(addOptions({ allowRun: ["a"] }, { allowRun: true }), { allowRun: true });
});

Deno.test("readGrants() reads flags of permissions alone", { permissions: "none" }, () => {
  assertEquals(readGrants(["--allow-net=a.com", "allow-read", "deny-run=x,y"]), {
    ...{ allowNet: ["a.com"], allowRead: true, denyRun: ["x", "y"] },
  });
  assertEquals(readGrants([]), {});
  const refused = (words: string[], part: string) => assertThrows(() => readGrants(words), ToolError, part);
  refused(["--alow-net"], 'Unknown option "--alow-net", did you mean "--allow-net"?');
  refused(["--max-rounds=3"], "has no meaning");
});
