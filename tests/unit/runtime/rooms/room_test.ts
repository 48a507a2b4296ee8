import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

import { FrameReader, toFrame } from "../../../../runtime/rooms/frames.ts";
import { readerProfile } from "../../../../runtime/rooms/profile.ts";
import { unboxedCommand } from "../../../../runtime/rooms/room_command.ts";
import { findSelf } from "../../../../runtime/self/find_self.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { boxTest } from "../../../support/box.ts";
import { folderProfile, openProbe, PLACES } from "../../../support/probe_rooms.ts";
import type { FromRoom, ToRoom } from "../../../../runtime/rooms/protocol.ts";

/** Less than a room has by default, so that it is full sooner. */
const BURST_BYTES = 2 * 1024 ** 3;
const REFUSED = new Set(["NotCapable", "PermissionDenied"]);

for (const place of PLACES) {
  const test = place === "sandbox" ? boxTest : Deno.test;
  test(`a room in a ${place} holds no more than its profile`, async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const address = `127.0.0.1:${(listener.addr as Deno.NetAddr).port}`;
    const bystander = new Deno.Command("sleep", { args: ["60"] }).spawn();
    await using probe = await openProbe(place);
    const outside = join(probe.root, "outside.txt");
    const attempts: [string, string][] = [
      ["read", outside],
      ["read", join(probe.ws, "../outside.txt")],
      ["read", "/etc/passwd"],
      ["read", "/proc/self/environ"],
      ["list", "/"],
      ["write", join(probe.root, "new.txt")],
      ["write", outside],
      ["remove", outside],
      ["link", join(probe.ws, "link")],
      ["net", address],
      ["listen", ""],
      ["fetch", `http://${address}/`],
      ["run", "/bin/sh"],
      ["env", "PATH"],
      ["envAll", ""],
      ["sys", ""],
      ["ffi", "/lib/x86_64-linux-gnu/libc.so.6"],
      ["import", `file://${outside}`],
      ["kill", String(bystander.pid)],
      ["worker", outside],
      ["inheritingWorker", outside],
      ["regrant", ""],
    ];
    for (const [attempt, value] of attempts) {
      const answer = await probe.attempt(attempt, value);
      const refused = REFUSED.has(answer) || (attempt === "import" && answer === "TypeError");
      assert(refused, `${attempt} ${value}: ${answer}`);
    }
    listener.close();
    bystander.kill();
    await bystander.status;
    assertEquals(Deno.readTextFileSync(outside), "outside");
    assertEquals([...Deno.readDirSync(probe.root)].length, 2);
    assertEquals([...Deno.readDirSync(probe.ws)].length, 0);
    assertEquals(await probe.attempt("write", join(probe.ws, "allowed.txt")), "DONE");
    assertEquals(Deno.readTextFileSync(join(probe.ws, "allowed.txt")), "breach");
  });

  test(`a room in a ${place} passes progress on, at most ten times a second`, async () => {
    await using probe = await openProbe(place);
    const seen: unknown[] = [];
    assertEquals(await probe.attempt("progress", "", (progress) => seen.push(progress)), "reported");
    assertEquals(seen[0], { done: 1, total: 50 });
    assert(seen.length < 10, `${seen.length} of 50 reports`);
  });

  test(`a room in a ${place} keeps its state in main`, async () => {
    await using probe = await openProbe(place);
    assertEquals(await probe.attempt("remember", "one"), "null");
    assertEquals(await probe.attempt("remember", "two"), "one");
  });

  test(`a room in a ${place} hears a cancel`, async () => {
    await using probe = await openProbe(place);
    const answer = probe.attempt("abort");
    probe.room.cancel();
    assertEquals(await answer, "cancelled: The call was cancelled");
  });
}

for (const place of ["process", "sandbox"] as const) {
  const test = place === "sandbox" ? boxTest : Deno.test;
  test(`a room in a ${place} is gone when it is killed, whatever it does`, async () => {
    await using probe = await openProbe(place);
    const answer = probe.attempt("spin");
    probe.room.kill();
    const error = await assertRejects(() => answer, ToolError);
    assertEquals(error.code, "internal");
    assertEquals(probe.room.alive, false);
  });

  test(`a room in a ${place} in which an error is left uncaught is ended, with the reason`, async () => {
    for (const residentBytes of [undefined, 800 * 1024 * 1024]) {
      await using probe = await openProbe(place, residentBytes === undefined ? {} : { residentBytes });
      const error = await assertRejects(() => probe.attempt("throw"), ToolError);
      assertEquals(error.code, "internal");
      if (residentBytes === undefined) {
        assertStringIncludes(error.message, "error in the room: TypeError: late");
      }
      await probe.ended();
      assertEquals(probe.room.alive, false);
    }
  });

  test(`a room in a ${place} that bursts says so and takes nothing along`, async () => {
    await using probe = await openProbe(place, { dataBytes: BURST_BYTES });
    const error = await assertRejects(() => probe.attempt("burst"), ToolError);
    assertEquals(error.code, "limit_exceeded", error.message);
  });

  test(`a room in a ${place} ends when it takes more memory than it may`, async () => {
    await using bounded = await openProbe(place, { residentBytes: 400 * 1024 * 1024 });
    const error = await assertRejects(() => bounded.attempt("swell"), ToolError);
    assertEquals(error.code, "limit_exceeded", error.message);
    await using free = await openProbe(place);
    assertEquals(await free.attempt("swell"), "DONE");
  });
}

const MAIN = new URL("../../../fixtures/probe/main.ts", import.meta.url).href;

for (const memory of ["free", "bounded"] as const) {
  Deno.test(`a room process whose memory is ${memory} ends with its input, whatever its room does`, async () => {
    const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bulkhead-test-" }));
    const plain = folderProfile(folder);
    const bounds = memory === "bounded" ? { residentBytes: 2 ** 30 } : {};
    const profile = { ...plain, memory: { ...plain.memory, ...bounds } };
    const { argv, env } = unboxedCommand(profile, findSelf(MAIN, (name) => Deno.env.get(name)), null);
    const child = new Deno.Command(argv[0]!, {
      ...{ args: argv.slice(1), clearEnv: true, env: { ...env } },
      ...{ stdin: "piped", stdout: "piped" },
    }).spawn();
    const writer = child.stdin.getWriter();
    const send = async (message: ToRoom) => {
      for (const piece of toFrame(message)) await writer.write(piece);
    };
    const said = messages(child.stdout);
    await send({ t: "open", profile, token: "t" });
    assertEquals((await said.next()).value, { t: "ready" });
    const limits = { timeoutMs: 60_000, stopAfterMs: 60_000 };
    const call = {
      tool: "test/probe",
      input: { attempt: "spin" },
      mode: "run",
      told: { settings: {} },
    } as const;
    await send({ t: "call", id: 1, ...call, ...limits });
    assertEquals((await said.next()).value, { t: "progress", id: 1, progress: { message: "spins" } });
    await writer.close();
    assertEquals((await child.status).code, 0);
    await said.return(undefined);
    Deno.removeSync(folder);
  });
}

async function* messages(stdout: ReadableStream<Uint8Array>): AsyncGenerator<FromRoom> {
  const frames = new FrameReader();
  for await (const chunk of stdout) yield* frames.push(chunk) as FromRoom[];
}

Deno.test("a room process may do nothing any more once its room is ready", async () => {
  const telling = new URL("../../../fixtures/permissions_at_exit.ts", import.meta.url).href;
  const profile = readerProfile({ threads: 0 });
  const { argv, env } = unboxedCommand(profile, findSelf(telling, (name) => Deno.env.get(name)), null);
  const child = new Deno.Command(argv[0]!, {
    ...{ args: argv.slice(1), clearEnv: true, env: { ...env } },
    ...{ stdin: "piped", stdout: "piped", stderr: "piped" },
  }).spawn();
  const writer = child.stdin.getWriter();
  for (const piece of toFrame({ t: "open", profile, token: "t" })) await writer.write(piece);
  const said = messages(child.stdout);
  assertEquals((await said.next()).value, { t: "ready" });
  await writer.close();
  assertEquals(await new Response(child.stderr).text(), "still held: \n");
  await said.return(undefined);
  await child.status;
});
