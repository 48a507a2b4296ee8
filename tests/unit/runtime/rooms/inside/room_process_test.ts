import { assertEquals } from "@std/assert";

import { FrameReader, toFrame } from "../../../../../runtime/rooms/frames.ts";
import type { FromRoom, ToRoom } from "../../../../../runtime/rooms/protocol.ts";
import { unboxedCommand } from "../../../../../runtime/rooms/room_command.ts";
import { findSelf } from "../../../../../runtime/self/find_self.ts";
import { folderProfile } from "../../../../support/probe_rooms.ts";

const MAIN = new URL("../../../../fixtures/probe/main.ts", import.meta.url).href;

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
