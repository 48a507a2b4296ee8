import { makeProgramBridges } from "../../../runtime/net/bridge/program_bridges.ts";
import { makeProgramHost } from "../../../runtime/programs/process/make_program_host.ts";
import type { ProgramCall } from "../../../runtime/programs/process/program_host.ts";
import { findSelf } from "../../../runtime/self/find_self.ts";
import { realDisk } from "../../../runtime/walls/box/disk_view.ts";
import type { GrantFlags } from "../../../runtime/walls/grants/make_grants.ts";
import { launchScene } from "../launch_scene.ts";
import { standInGate } from "./stand_in_gate.ts";

const MAIN = new URL("../../../main.ts", import.meta.url).href;
const PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/** Programs in boxes, with a way to a server of this machine that is called `shop.example`, ports 80 and 443. */
export function networkScene(options: { flags?: GrantFlags; bwrap?: string } = {}) {
  const endless = Promise.withResolvers<void>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, ({ url }) => {
    if (!url.endsWith("/endless")) return new Response("open all day\n");
    endless.resolve();
    return new Response(new ReadableStream({ start: (control) => control.enqueue(new Uint8Array(10)) }));
  });
  const { port } = server.addr;
  const gate = standInGate({ "shop.example:80": port });
  const scene = launchScene({ "ws/a.txt": "text" }, {
    flags: { allow: { net: ["shop.example"] }, ...options.flags },
  });
  const pids: number[] = [];
  const bridges = makeProgramBridges({
    tools: () =>
      Promise.resolve({
        bwrap: options.bwrap ?? "/usr/bin/bwrap",
        sh: "/bin/sh",
        nsenter: "/usr/bin/nsenter",
      }),
    self: findSelf(MAIN, (name) => Deno.env.get(name)),
    disk: realDisk,
    folder: () => Promise.resolve(gate.folder),
    door: gate.door,
  });
  const network = {
    ...bridges,
    async take(who: string) {
      const way = await bridges.take(who);
      pids.push(way.pid);
      return way;
    },
  };
  const host = makeProgramHost({
    launcher: { prepare: (spec, options) => scene.prepare(spec, options) },
    // Judges have tests of their own.
    judge: () => Promise.resolve(),
    limits: { processes: 512, free_disk_mb: 0 },
    searchPath: PATH,
  }, network);
  const warnings: string[] = [];
  const call = (changes: Partial<ProgramCall> = {}): ProgramCall => ({
    toolset: "test",
    interprets: false,
    onAnalysis: () => {},
    signal: new AbortController().signal,
    onProgram: () => {},
    onArtifact: () => {},
    warn: (message) => warnings.push(message),
    ...changes,
  });
  return {
    ...scene,
    gate,
    network,
    host,
    call,
    warnings,
    /** The processes whose networks were joined, in order. */
    pids: (): readonly number[] => [...pids],
    /** Settles when somebody asked for `/endless`, which never ends. */
    asked: endless.promise,
    port,
    async bash(script: string) {
      const end = await host.run({ argv: ["bash", "-c", script] }, call());
      return { code: end.exitCode, stdout: end.stdout.head, stderr: end.stderr.head };
    },
    async [Symbol.asyncDispose]() {
      await host.end();
      gate[Symbol.dispose]();
      scene[Symbol.dispose]();
      await server.shutdown();
    },
  };
}
