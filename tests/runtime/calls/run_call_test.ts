import { assert, assertEquals } from "@std/assert";

import { makeArtifactFolder } from "../../../runtime/state/artifact_folder.ts";
import { makeGrants } from "../../../runtime/walls/grants/make_grants.ts";
import { RoomPool } from "../../../runtime/rooms/room_pool.ts";
import { explainCall, runCall } from "../../../runtime/calls/run_call.ts";
import type { Machine } from "../../../runtime/calls/machine.ts";
import { memorySession } from "../../../runtime/state/tool_state.ts";
import { entryOf } from "../../support/manifest_entry.ts";
import { noProgramHost } from "../../support/no_programs.ts";
import { countedLinks, probeLink } from "../../support/probe_rooms.ts";

const probe = (limit: number) =>
  entryOf("test/probe", {
    error_lead: "[probe] ",
    needs: { read: "granted" },
    limits: { timeout_ms: limit, concurrency: null },
  });

/** A machine whose rooms are processes that hold the probe. */
function machine(
  flags: Parameters<typeof makeGrants>[0] = {},
): Machine & AsyncDisposable & { opened: () => number } {
  const workspace = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bulkhead-test-" }));
  const { openLink, opened, ended } = countedLinks(probeLink("process"));
  const rooms = new RoomPool({ openLink, maxIdle: 2 });
  return {
    grants: makeGrants(flags, { workspace, cwd: workspace, realPath: Deno.realPathSync }),
    home: "",
    rooms,
    session: memorySession(),
    artifacts: makeArtifactFolder(() => `${workspace}/artifacts`),
    programs: noProgramHost,
    settings: {},
    opened,
    async [Symbol.asyncDispose]() {
      rooms.close();
      await ended();
      Deno.removeSync(workspace, { recursive: true });
    },
  };
}

Deno.test("runCall() ends within the limit though the tool spins, and the next call works", async () => {
  await using shared = machine();
  await runCall(probe(20_000), { attempt: "remember", value: "warm" }, { machine: shared });
  const started = performance.now();
  const spinning = runCall(probe(1_500), { attempt: "spin" }, { machine: shared });
  const neighbour = runCall(probe(20_000), { attempt: "env", value: "HOME" }, { machine: shared });
  assertEquals((await neighbour).text, "NotCapable");
  const result = await spinning;
  assertEquals(result.error?.code, "timeout");
  assertEquals(result.text, "[probe] test/probe was stopped: it took longer than 1500 ms");
  assert(performance.now() - started < 15_000);
  const next = await runCall(probe(20_000), { attempt: "env", value: "HOME" }, { machine: shared });
  assertEquals(next.ok, true);
});

Deno.test("runCall() lets a tool that listens end by itself and keeps its room", async () => {
  await using shared = machine();
  const result = await runCall(probe(1_200), { attempt: "abort" }, { machine: shared });
  assertEquals(result.error?.code, "timeout");
  assertEquals(result.metadata.place, "process");
  await runCall(probe(20_000), { attempt: "env", value: "HOME" }, { machine: shared });
  assertEquals(shared.opened(), 1);
});

Deno.test("runCall() ends soon after a cancel, whatever the tool does", async () => {
  await using shared = machine();
  for (const attempt of ["abort", "spin"]) {
    const cancel = new AbortController();
    const running = runCall(probe(20_000), { attempt }, { machine: shared, signal: cancel.signal });
    cancel.abort();
    assertEquals((await running).error?.code, "cancelled", attempt);
  }
});

Deno.test("runCall() reuses a warm room, and opens none for a call that nothing is granted for", async () => {
  await using shared = machine();
  for (let n = 0; n < 3; n++) {
    await runCall(probe(20_000), { attempt: "remember", value: "x" }, { machine: shared });
  }
  assertEquals(shared.opened(), 1);
  await using closed = machine({ deny: { read: true } });
  const refused = await runCall(probe(20_000), { attempt: "spin" }, { machine: closed });
  assertEquals([refused.error?.code, refused.metadata.place], ["permission_denied", "none"]);
  assertEquals(closed.opened(), 0);
});

Deno.test("runCall() turns a dead room and bad input into results", async () => {
  await using shared = machine();
  // A worker that leaves says nothing: only the limit shows it.
  const dead = await runCall(probe(1_200), { attempt: "exit" }, { machine: shared });
  assertEquals(dead.error?.code, "timeout");
  const bad = await runCall(probe(20_000), { value: 5, odd: 1 }, { machine: shared });
  assertEquals(bad.error?.code, "invalid_input");
  assertEquals(bad.error?.message.startsWith("Missing required parameter: attempt"), true);
  assertEquals(bad.warnings.length, 1);
});

Deno.test("explainCall() stops before the tool runs", async () => {
  await using shared = machine();
  const { error, targets } = await explainCall(probe(20_000), { attempt: "spin" }, { machine: shared });
  assertEquals([error, targets], [null, []]);
});
