import { assertEquals } from "@std/assert";

import { timesOf } from "../../../../runtime/calls/room_call/call_times.ts";
import { tellTool } from "../../../../runtime/calls/room_call/tell_tool.ts";
import { entryOf } from "../../../support/manifest_entry.ts";

const PURE = { permissions: "none" } as const;

Deno.test("tellTool() tells the settings that a tool declares, and names of its own set", PURE, () => {
  const tool = entryOf("a/x", { settings: ["REGION", "toString", "ABSENT"] });
  const settings = { REGION: "here", SECRET: "no" };
  assertEquals(tellTool(tool, { settings }), { settings: { REGION: "here" }, keys: [] });
  const names = new Map([["a/y", "why"], ["b/y", "other"], ["ab/z", "z"]]);
  assertEquals(tellTool(tool, { settings: {}, names, model: "m", keys: ["K"] }), {
    ...{ settings: {}, keys: ["K"], names: { y: "why" }, model: "m" },
  });
});

Deno.test("timesOf() leaves a call time to stop, and one with programs time to end them", PURE, () => {
  const limits = { timeout_ms: 2_000, concurrency: null };
  assertEquals(timesOf(entryOf("a/x", { limits })), {
    ...{ timeoutMs: 2_000, stopAfterMs: 1_750, discardMs: 2_000, graceMs: 250 },
  });
  assertEquals(timesOf(entryOf("a/x", { limits }), 400).stopAfterMs, 300);
  assertEquals(timesOf(entryOf("a/x", { limits, needs: { run: "granted" } }), 1_000), {
    ...{ timeoutMs: 1_000, stopAfterMs: 1_000, discardMs: 1_900, graceMs: 900 },
  });
});
