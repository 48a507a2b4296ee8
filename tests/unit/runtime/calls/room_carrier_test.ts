import { assertEquals } from "@std/assert";

import type { CarrierOptions } from "../../../../runtime/calls/catalog/carrier.ts";
import type { GrantFlags } from "../../../../runtime/walls/grants/make_grants.ts";
import type { ManifestEntry } from "../../../../schemas/manifest.ts";
import { entryOf } from "../../../support/manifest_entry.ts";
import { countedLinks, probeLink } from "../../../support/probe_rooms.ts";
import { workspace } from "../../../support/run_tool.ts";
import { testMachine } from "../../../support/test_machine.ts";

const probe = (limit: number) =>
  entryOf("test/probe", {
    error_lead: "[probe] ",
    needs: { read: "granted" },
    limits: { timeout_ms: limit, concurrency: null },
  });

/** A machine whose rooms are processes that hold the probe. */
function machine(flags: GrantFlags = {}) {
  const ws = workspace();
  const { openLink, opened, ended } = countedLinks(probeLink("process"));
  const { carrier, rooms } = testMachine(ws.path, openLink, { flags });
  return {
    opened,
    call: async (tool: ManifestEntry, input: unknown, options: CarrierOptions = {}) =>
      (await carrier.call(tool, input, options)).result,
    explain: (tool: ManifestEntry, input: unknown) => carrier.explain(tool, input, {}),
    async [Symbol.asyncDispose]() {
      rooms.close();
      await ended();
      ws[Symbol.dispose]();
    },
  };
}

Deno.test("makeRoomCarrier() call ends within the limit though the tool spins, and the next call works", async () => {
  await using shared = machine();
  await shared.call(probe(20_000), { attempt: "remember", value: "warm" });
  const spinning = shared.call(probe(1_500), { attempt: "spin" });
  const neighbour = shared.call(probe(20_000), { attempt: "env", value: "HOME" });
  assertEquals((await neighbour).text, "NotCapable");
  const result = await spinning;
  assertEquals(result.error?.code, "timeout");
  assertEquals(result.text, "[probe] test/probe was stopped: it took longer than 1500 ms");
  const next = await shared.call(probe(20_000), { attempt: "env", value: "HOME" });
  assertEquals(next.ok, true);
});

Deno.test("makeRoomCarrier() call lets a tool that listens end by itself and keeps its room", async () => {
  await using shared = machine();
  const result = await shared.call(probe(1_200), { attempt: "abort" });
  assertEquals(result.error?.code, "timeout");
  assertEquals(result.metadata.place, "process");
  await shared.call(probe(20_000), { attempt: "env", value: "HOME" });
  assertEquals(shared.opened(), 1);
});

Deno.test("makeRoomCarrier() call ends soon after a cancel, whatever the tool does", async () => {
  await using shared = machine();
  for (const attempt of ["abort", "spin"]) {
    const cancel = new AbortController();
    const running = shared.call(probe(20_000), { attempt }, { signal: cancel.signal });
    cancel.abort();
    assertEquals((await running).error?.code, "cancelled", attempt);
  }
});

Deno.test("makeRoomCarrier() call reuses a warm room, and opens none for a call that nothing is granted for", async () => {
  await using shared = machine();
  const warm = { attempt: "remember", value: "x" };
  for (let n = 0; n < 3; n++) await shared.call(probe(20_000), warm);
  assertEquals(shared.opened(), 1);
  await using closed = machine({ deny: { read: true } });
  const refused = await closed.call(probe(20_000), { attempt: "spin" });
  assertEquals([refused.error?.code, refused.metadata.place], ["permission_denied", "none"]);
  assertEquals(closed.opened(), 0);
});

Deno.test("makeRoomCarrier() call turns a dead room and bad input into results", async () => {
  await using shared = machine();
  // A worker that leaves says nothing: only the limit shows it.
  const dead = await shared.call(probe(1_200), { attempt: "exit" });
  assertEquals(dead.error?.code, "timeout");
  const bad = await shared.call(probe(20_000), { value: 5, odd: 1 });
  assertEquals(bad.error?.code, "invalid_input");
  assertEquals(bad.error?.message.startsWith("Missing required parameter: attempt"), true);
  assertEquals(bad.warnings.length, 1);
});

Deno.test("makeRoomCarrier() explain stops before the tool runs", async () => {
  await using shared = machine();
  const { error, targets } = await shared.explain(probe(20_000), { attempt: "spin" });
  assertEquals([error, targets], [null, []]);
});
