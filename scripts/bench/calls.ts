import { join } from "@std/path";

import { makeGrants } from "../../runtime/walls/grants/make_grants.ts";
import { chooseBox } from "../../runtime/walls/box/choose_box.ts";
import { findProgram } from "../../runtime/walls/files/find_program.ts";
import { makePlaces } from "../../runtime/rooms/places.ts";
import { profileOf, type RoomModule } from "../../runtime/rooms/profile.ts";
import { Room } from "../../runtime/rooms/room.ts";
import { findSelf } from "../../runtime/self/find_self.ts";
import type { Manifest } from "../../schemas/manifest.ts";
import { median, OpenBatch, timeCommand, treeMemory } from "./measure.ts";
import type { Ratio } from "./report.ts";

const CALLS = 500;

/** A tool of one's own, as it is once its file was built. */
const OWN: RoomModule = {
  code: 'export default { name: "echo", description: "Echo.", run: () => "x" };',
  hash: "bench",
};

/** Measures start-up: `version` and one small call against an empty program that was compiled the same way. */
export async function benchStart(program: string, empty: string, file: string): Promise<Ratio[]> {
  const runs = 15;
  const call = [program, "call", "Read", `path=${file}`, "-C", join(file, "..")];
  const emptyMs = await median(runs, async () => (await timeCommand([empty])).ms);
  const version = await median(runs, async () => (await timeCommand([program, "version"])).ms);
  const bare = await median(runs, async () => (await timeCommand([...call, "--sandbox", "off"])).ms);
  const boxed = await median(runs, async () => (await timeCommand([...call, "--sandbox", "require"])).ms);
  const peer = { peer: "an empty program", peerMs: emptyMs };
  return [
    { name: "binary version", ms: version, ...peer, bound: 1.5 },
    { name: "binary call Read, no box", ms: bare, ...peer, bound: 4 },
    { name: "binary call Read, box", ms: boxed, ...peer, bound: 5.5 },
  ];
}

/** Measures a warm call into a room against a bare message to a worker, or a bare line through a process's pipes. */
export async function benchWarmCalls(mainUrl: string, manifest: Manifest): Promise<Ratio[]> {
  const workspace = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bulkhead-bench-" }));
  const grants = makeGrants({}, { workspace, cwd: workspace, realPath: Deno.realPathSync });
  const entry = manifest.tools.find((tool) => tool.full_name === "par/echo")!;
  const self = findSelf(mainUrl, (name) => Deno.env.get(name));
  const searchPath = Deno.env.get("PATH") ?? "";
  const box = chooseBox({ mode: "off", searchPath });
  const { openLink } = makePlaces(self, { box, find: (name) => findProgram(name, searchPath) });
  const call = async (killable: boolean, module?: RoomModule) => {
    const profile = profileOf(entry, grants, { home: "", artifacts: { readable: null }, module });
    const room = await Room.open({ ...profile, killable }, { openLink });
    const tool = module ? "own/echo" : "par/echo";
    const limits = { timeoutMs: 5_000, stopAfterMs: 5_000 };
    const ms = await p50(() =>
      room.call({ tool, input: module ? {} : { text: "x" }, mode: "run", told: { settings: {} }, ...limits })
    );
    room.kill();
    return ms;
  };
  const line = { peer: "a bare line", peerMs: await bareLine(), bound: 10 };
  const ratios = [
    {
      name: "warm call, worker room",
      ms: await call(false),
      peer: "a bare message",
      peerMs: await bareMessage(),
      bound: 10,
    },
    { name: "warm call, process room", ms: await call(true), ...line },
    { name: "warm call of a tool of one's own", ms: await call(true, OWN), ...line },
  ];
  Deno.removeSync(workspace, { recursive: true });
  return ratios;
}

/** Runs a thousand reads in one batch; returns the growth of memory over the last nine hundred, in MB. */
export async function benchMemory(argv: readonly string[], folder: string, file: string): Promise<number> {
  const batch = new OpenBatch(argv, folder);
  for (let n = 0; n < 100; n++) await batch.call("Read", { path: file });
  const before = await treeMemory(batch.pid);
  for (let n = 0; n < 900; n++) await batch.call("Read", { path: file });
  const after = await treeMemory(batch.pid);
  await batch.close();
  return after - before;
}

async function p50(work: () => Promise<unknown>): Promise<number> {
  for (let n = 0; n < 50; n++) await work();
  const all: number[] = [];
  for (let n = 0; n < CALLS; n++) {
    const started = performance.now();
    await work();
    all.push(performance.now() - started);
  }
  return all.sort((a, b) => a - b)[CALLS >> 1]!;
}

async function bareMessage(): Promise<number> {
  const body = "self.onmessage = ({ data }) => self.postMessage(data)";
  const worker = new Worker(`data:text/javascript,${encodeURIComponent(body)}`, { type: "module" });
  const ms = await p50(() =>
    new Promise((resolve) => {
      worker.onmessage = resolve;
      worker.postMessage({ text: "x" });
    })
  );
  worker.terminate();
  return ms;
}

async function bareLine(): Promise<number> {
  const child = new Deno.Command("cat", { stdin: "piped", stdout: "piped" }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.getReader();
  const line = new TextEncoder().encode(`{"text":"x"}\n`);
  const ms = await p50(async () => {
    await writer.write(line);
    await reader.read();
  });
  await writer.close();
  await reader.cancel();
  await child.status;
  return ms;
}
