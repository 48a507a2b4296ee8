import { assertEquals } from "@std/assert";

import type { Carrier } from "../../../../runtime/calls/catalog/carrier.ts";
import type { Host } from "../../../../runtime/host/open_host.ts";
import type { FromServer, ToServer } from "../../../../runtime/mcp/protocol.ts";
import { runServer } from "../../../../runtime/mcp/serve_mcp.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { entryOf } from "../../../support/manifest_entry.ts";
import { workspace } from "../../../support/run_tool.ts";
import { testMachine } from "../../../support/test_machine.ts";

const LOOK = entryOf("test/look", { asks: true });
const CALL: FromServer = {
  t: "call",
  id: 1,
  call: { connection: "c", roots: null, name: "look", input: {} },
};

/** A server whose worker says what the test says. */
function scene(root: string, prepare: () => Promise<void>) {
  const { machine } = testMachine(root, () => Promise.reject(new Error("no room")), {
    control: { permissions: () => ["allow"] },
  });
  const done: string[] = [];
  const carrier: Carrier = {
    call: () => {
      done.push("called");
      const result = {
        ...{ tool_name: "test/look", ok: true, result: null, text: "said", images: [], artifacts: [] },
        ...{ warnings: [], error: null, metadata: { duration_ms: 1, place: "none" as const } },
      };
      return Promise.resolve({ result, facts: { targets: [], analyses: [], programs: [], connections: [] } });
    },
    explain: () => Promise.reject(new Error("not explained")),
  };
  const entry = { tool: LOOK, carrier };
  const host = {
    ...machine,
    catalog: { entries: [entry] },
    ready: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(void done.push("closed")),
  } as unknown as Host;
  const answered = Promise.withResolvers<ToServer>();
  const worker = {
    onmessage: (_: { data: FromServer }) => {},
    postMessage: (message: ToServer) => message.t === "open" || answered.resolve(message),
    terminate: () => void done.push("terminated"),
  };
  const ended = runServer({ worker: worker as unknown as Worker, early: [] }, {
    ...{ way: { kind: "stdio" }, host, offered: [{ entry, name: "look" }], prepare },
    ...{ choice: {}, grows: false, isForeign: () => false },
    ...{ open: () => host, signal: new AbortController().signal, onReady() {}, warn() {} },
  });
  return { say: (data: FromServer) => worker.onmessage({ data }), answered: answered.promise, ended, done };
}

Deno.test("runServer() answers clients before it is prepared, and runs calls only after that", async () => {
  using ws = workspace();
  const prepared = Promise.withResolvers<void>();
  const { say, answered, ended, done } = scene(ws.path, async () => {
    done.push("preparing");
    await prepared.promise;
    done.push("prepared");
  });
  say(CALL);
  assertEquals(done, []);
  say({ t: "ready", port: null });
  prepared.resolve();
  assertEquals((await answered).t, "answer");
  assertEquals(done, ["preparing", "prepared", "called"]);
  say({ t: "closed", error: null });
  assertEquals(await ended, null);
});

Deno.test("runServer() ends without a call if it cannot be prepared", async () => {
  using ws = workspace();
  const why = new ToolError("configuration", "no gate");
  const { say, ended, done } = scene(ws.path, () => Promise.reject(why));
  say(CALL);
  say({ t: "ready", port: null });
  assertEquals((await ended)?.message, "no gate");
  assertEquals(done, ["terminated", "closed"]);
});
