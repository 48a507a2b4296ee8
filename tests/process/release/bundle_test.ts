import { assert, assertEquals } from "@std/assert";

import { FrameReader, toFrame } from "../../../runtime/rooms/frames.ts";
import type { FromRoom, ToRoom } from "../../../runtime/rooms/protocol.ts";
import { boxedCommand } from "../../../runtime/rooms/room_command.ts";
import type { Self } from "../../../runtime/self/find_self.ts";
import { realDisk } from "../../../runtime/walls/box/disk_view.ts";
import { findProgram } from "../../../runtime/walls/files/find_program.ts";
import { filesBelow } from "../../../scripts/compile/files_below.ts";
import { boxTest } from "../../support/box.ts";
import { folderProfile } from "../../support/probe_rooms.ts";
import { run } from "../../support/program.ts";
import { workspace } from "../../support/run_tool.ts";
import { bundledSelf, testBundle } from "../../support/test_bundle.ts";

const OPENED = /Opening cache \S+/g;
const COMPILED = /Updating V8 code cache for ES module: file:\S+/g;
const FAILED = /Failed creating cache db\S*/g;

/** Lets a room in a box read a file; returns what Deno tells of its caches. */
async function tellCaches(self: Self, folder: string): Promise<string> {
  const [program = "", start = "", ...words] = self.argv;
  const told = { ...self, files: self.files, argv: [program, start, "--log-level=debug", ...words] };
  const profile = folderProfile(folder);
  const bwrap = findProgram("bwrap", Deno.env.get("PATH") ?? "")!;
  const { argv: [command = "", ...args], env } = boxedCommand(profile, told, {
    ...{ bwrap, prlimit: null, disk: realDisk },
  });
  const streams = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
  await using room = new Deno.Command(command, { args, env, clearEnv: true, ...streams }).spawn();
  const stderr = new Response(room.stderr).text();
  const writer = room.stdin.getWriter();
  const send = async (message: ToRoom) => {
    for (const piece of toFrame(message)) await writer.write(piece);
  };
  const said = messages(room.stdout);
  await send({ t: "open", profile, token: "t" });
  assertEquals((await said.next()).value, { t: "ready" });
  const limits = { timeoutMs: 60_000, stopAfterMs: 60_000, told: { settings: {} } };
  await send({ t: "call", id: 1, tool: "harness/Read", input: { path: "a.txt" }, mode: "run", ...limits });
  const { value: done } = await said.next();
  assert(done?.t === "done" && done.outcome.ok, JSON.stringify(done));
  await writer.close();
  await said.return(undefined);
  return await stderr;
}

async function* messages(stdout: ReadableStream<Uint8Array>): AsyncGenerator<FromRoom> {
  const frames = new FrameReader();
  for await (const chunk of stdout) yield* frames.push(chunk) as FromRoom[];
}

/** The bytes of all files below a folder. */
function contentOf(folder: string): Map<string, Uint8Array> {
  return new Map(filesBelow(folder).map((path) => [path, Deno.readFileSync(`${folder}/${path}`)]));
}

boxTest("a room of the bundle in a sandbox finds its code compiled, and changes nothing of it", async () => {
  using ws = workspace({ "a.txt": "a\n" });
  const self = bundledSelf(await testBundle());
  const { folder } = self.compiled!;
  const before = contentOf(folder);
  const said = await tellCaches(self, ws.path);
  assert((said.match(OPENED)?.length ?? 0) > 0, said);
  assertEquals([said.match(FAILED), said.match(COMPILED)], [null, null]);
  assertEquals(contentOf(folder), before);
  // Deno tells what it compiles.
  const without = { ...self, boxEnv: { DENO_DIR: "/dev/null/none" }, files: self.files };
  assert((await tellCaches(without, ws.path)).match(COMPILED));
});

boxTest("the bundle compiles for its rooms once, at its first call in a sandbox", async () => {
  using ws = workspace({ "a.txt": "a\n" });
  using caches = workspace();
  const self = bundledSelf(await testBundle());
  const call = (...args: string[]) =>
    run(["call", ...args], {
      ...{ cwd: ws.path, program: self.argv.slice(0, -1) },
      env: { XDG_CACHE_HOME: caches.path, DENO_DIR: self.env.DENO_DIR },
    });
  const own = `${caches.path}/bulkhead`;
  assertEquals((await call("Grep", "pattern=a", "--sandbox=off")).code, 0);
  assertEquals(filesBelow(caches.path), []);
  assertEquals((await call("Read", "path=a.txt")).code, 0);
  const [folder, ...others] = [...Deno.readDirSync(`${own}/rooms`)].map(({ name }) => `${own}/rooms/${name}`);
  assertEquals(others, []);
  for (const path of [own, `${own}/rooms`, folder!]) assertEquals(Deno.statSync(path).mode! & 0o777, 0o700);
  const before = contentOf(folder!);
  assert(before.size > 0);
  const refused = await call("Write", `path=${folder}/planted`, "content=p", `--allow-write=${caches.path}`);
  assertEquals(refused.code, 3, refused.stderr);
  assertEquals(contentOf(folder!), before);
});
