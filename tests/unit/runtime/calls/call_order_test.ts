import { assertEquals } from "@std/assert";

import { callTool } from "../../../../runtime/calls/call_tool.ts";
import type { CatalogEntry } from "../../../../runtime/calls/catalog/catalog.ts";
import type { CallControl } from "../../../../runtime/calls/control.ts";
import { failedResult } from "../../../../runtime/calls/failed_result.ts";
import type { ManifestEntry } from "../../../../schemas/manifest.ts";
import type { ToolResult } from "../../../../schemas/result.ts";
import { entryOf } from "../../../support/manifest_entry.ts";
import { workspace } from "../../../support/run_tool.ts";
import { testMachine } from "../../../support/test_machine.ts";

const WRITES = { parallel: false, needs: { write: "granted" } } as const;

/** A machine whose tools run in the test itself. */
function scene(path: string, control: Partial<CallControl> = {}) {
  const noRooms = () => Promise.reject(new Error("no rooms here"));
  const { machine } = testMachine(path, noRooms, { control });
  const log: string[] = [];
  /** Makes a tool that notes its start and its end, and waits for `work` in between. */
  const tool = (name: string, facts: Partial<ManifestEntry>, work = async (_signal?: AbortSignal) => {}) => {
    const entry = entryOf(`test/${name}`, { parallel: true, asks: false, ...facts });
    const run = async (signal?: AbortSignal): Promise<ToolResult> => {
      log.push(`${name} starts`);
      await work(signal);
      log.push(`${name} ends`);
      const place = { ok: true, error: null, text: name };
      return {
        ...failedResult(entry, { code: "internal", message: "", retryable: false, details: {} }),
        ...place,
      };
    };
    const offered: CatalogEntry = {
      tool: entry,
      carrier: {
        call: async (_tool, _input, { signal }) => ({
          result: await run(signal),
          facts: { targets: [], analyses: [], programs: [], connections: [] },
        }),
        explain: () =>
          Promise.resolve({ targets: [], analyses: [], warnings: [], preview: null, error: null }),
      },
    };
    return (options: { signal?: AbortSignal; onStart?: () => void } = {}) =>
      callTool(offered, {}, { machine, ...options });
  };
  return { tool, log };
}

const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

Deno.test("callTool() runs what is not parallel alone, in the order of the calls, whoever makes them", async () => {
  using ws = workspace();
  const { tool, log } = scene(ws.path);
  const look = tool("look", {}, turn);
  const write = tool("write", WRITES, turn);
  await Promise.all([look(), look(), write(), write(), look()]);
  assertEquals(log, [
    ...["look starts", "look starts", "look ends", "look ends"],
    ...["write starts", "write ends", "write starts", "write ends", "look starts", "look ends"],
  ]);
});

Deno.test("callTool() ends a waiting call at once when it is cancelled, and does not start it", async () => {
  using ws = workspace();
  const { tool, log } = scene(ws.path);
  const held = Promise.withResolvers<void>();
  const first = tool("first", WRITES, () => held.promise)();
  const stop = new AbortController();
  let isStarted = false;
  const waiting = tool("second", WRITES)({ signal: stop.signal, onStart: () => isStarted = true });
  await turn();
  stop.abort();
  assertEquals([(await waiting).error?.code, isStarted], ["cancelled", false]);
  held.resolve();
  assertEquals((await first).ok, true);
  assertEquals(log, ["first starts", "first ends"]);
});

Deno.test("callTool() does not count a wait as time of the call", async () => {
  using ws = workspace();
  const audit: string[] = [];
  const { tool } = scene(ws.path, { audit: ({ time }) => audit.push(time) });
  const held = Promise.withResolvers<void>();
  const first = tool("first", WRITES, () => held.promise)();
  const second = tool("second", { ...WRITES, permission: "deny" })();
  await new Promise((resolve) => setTimeout(resolve, 60));
  const before = Date.now();
  held.resolve();
  await first;
  assertEquals((await second).metadata.duration_ms <= Date.now() - before + 1, true);
  assertEquals(Date.parse(audit[1]!) >= before - 1, true);
});

Deno.test("callTool() holds up nobody while a person is asked for consent, and waits again after it", async () => {
  using ws = workspace();
  const answer = Promise.withResolvers<boolean>();
  const { tool, log } = scene(ws.path, {
    confirm: () => answer.promise,
    permissions: ({ name }) => [name === "write" ? "confirm" : "allow"],
  });
  const written = tool("write", WRITES)();
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const other = tool("other", WRITES, () => {
    begun.resolve();
    return held.promise;
  })();
  await begun.promise;
  answer.resolve(true);
  await turn();
  assertEquals(log, ["other starts"]);
  held.resolve();
  assertEquals([(await written).ok, (await other).ok], [true, true]);
  assertEquals(log, ["other starts", "other ends", "write starts", "write ends"]);
});

Deno.test("callTool() holds up nobody with a question to a person", async () => {
  using ws = workspace();
  const { tool, log } = scene(ws.path);
  const answer = Promise.withResolvers<void>();
  const asked = tool("ask", { parallel: false, asks: true, needs: {} }, () => answer.promise)();
  await tool("write", WRITES)();
  answer.resolve();
  await asked;
  assertEquals(log, ["ask starts", "write starts", "write ends", "ask ends"]);
  const stop = AbortSignal.abort();
  const { error } = await tool("ask", { parallel: false, asks: true, needs: {} })({ signal: stop });
  assertEquals(error?.code, "cancelled");
});

Deno.test("callTool() lets hooks, permissions and whoever confirms make calls themselves", async () => {
  using ws = workspace();
  const inner: (() => Promise<ToolResult>)[] = [];
  const call = async (name: string) => ((await inner[0]!()).ok ? name : "");
  const made: string[] = [];
  let depth = 0;
  const once = async (name: string) => {
    if (depth++ === 0) made.push(await call(name));
    depth--;
  };
  const { tool } = scene(ws.path, {
    hooks: [{ before: async () => await once("before"), after: async () => await once("after") }],
    permissions: () => [async () => {
      await once("permission");
      return "confirm" as const;
    }],
    confirm: async () => {
      await once("confirm");
      return true;
    },
  });
  inner.push(tool("inner", WRITES));
  assertEquals((await tool("outer", WRITES)()).ok, true);
  assertEquals(made, ["permission", "confirm", "before", "after"]);
});
