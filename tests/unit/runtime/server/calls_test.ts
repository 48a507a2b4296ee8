import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { join } from "@std/path";

import type { GrantSettings } from "../../../../runtime/host/host_settings.ts";
import { openHost } from "../../../../runtime/host/open_host.ts";
import { callHandlers } from "../../../../runtime/server/calls/call_handlers.ts";
import { CallMachines } from "../../../../runtime/server/calls/call_machines.ts";
import { infoHandlers, serverOffer } from "../../../../runtime/server/calls/info_handlers.ts";
import type { HandlerAnswer, Handlers } from "../../../../runtime/server/contract/answer.ts";
import { narrowHost, type NarrowRequest, servedFolder } from "../../../../runtime/server/contract/narrow.ts";
import type { Served } from "../../../../runtime/server/contract/served.ts";
import { healthHandlers } from "../../../../runtime/server/requests/health_handlers.ts";
import { requestFolders } from "../../../../runtime/server/requests/request_folders.ts";
import { exists } from "../../../../runtime/walls/files/file_facts.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { ToolResult } from "../../../../schemas/result.ts";
import { chatScene, OFFER } from "../../../support/server/chat_scene.ts";
import { PlayedRuns, spoken } from "../../../support/server/played_runs.ts";
import { serveHandlers } from "../../../support/server/serve_handlers.ts";
import { asked, servedScene } from "../../../support/server/served_scene.ts";

const FILES = { "ws/a.txt": "apple\n", "ws/sub/b.txt": "berry\n" };

async function call(handlers: Handlers, name: string, body: Record<string, unknown>): Promise<ToolResult> {
  const { json } = await handlers.callTool!(asked({ params: { name }, body }));
  return json as ToolResult;
}

type Line = { id: unknown; ok: boolean; text: string; expected?: boolean };

async function lines({ stream }: HandlerAnswer): Promise<Line[]> {
  const pieces = await Array.fromAsync(stream!.pieces);
  return pieces.join("").trimEnd().split("\n").map((line) => JSON.parse(line));
}

Deno.test("callHandlers() runs calls in the folder that they name, behind the same walls", async () => {
  using scene = servedScene(FILES, ({ roots: [ws] }) => ({ roots: [ws!, `${ws}/sub`] }));
  await using machines = new CallMachines(scene.served);
  const handlers = callHandlers(machines);
  const read = await call(handlers, "Read", { arguments: { path: "a.txt" } });
  assertEquals([read.ok, read.text.includes("apple")], [true, true]);
  const workspace = `${scene.ws}/sub`;
  const below = await call(handlers, "harness/Read", { arguments: { path: "b.txt" }, workspace });
  assertEquals([below.ok, below.text.includes("berry")], [true, true]);
  const outside = await call(handlers, "Read", { arguments: { path: "../a.txt" }, workspace });
  assertEquals(outside.error?.code, "permission_denied");
  const file = { path: "new.txt", content: "x" };
  const refused = await call(handlers, "Write", { arguments: file, grants: { policy: "read-only" } });
  assertEquals(refused.error?.code, "permission_denied");
  const error = await assertRejects(() => call(handlers, "Raed", {}), ToolError);
  assertEquals(error.code, "not_found");
  await assertRejects(() => call(handlers, "Write", { grants: { tools: ["Read"] } }), ToolError, "Write");
});

Deno.test("callHandlers() answers a batch with a line for each call, in their order", async () => {
  using scene = servedScene(FILES);
  await using machines = new CallMachines(scene.served);
  const { runBatch } = callHandlers(machines);
  const calls = [
    { id: "a", tool: "Read", arguments: { path: "a.txt" } },
    { id: "none", tool: "Nothing" },
    { id: "b", tool: "Read", arguments: { path: "sub/b.txt" }, expect: { matches: "cherry" } },
    { tool: "Read", arguments: { path: "a.txt" } },
  ];
  const all = await lines(await runBatch!(asked({ body: { calls } })));
  assertEquals(all.map(({ id, ok }) => [id, ok]), [["a", true], ["none", false], ["b", false], [4, true]]);
  assertEquals(all[2]!.expected, false);
  const write = { tool: "Write", arguments: { path: "made.txt", content: "x" } };
  const body = { calls: [{ tool: "Nothing" }, write], fail_fast: true };
  const fast = await lines(await runBatch!(asked({ body })));
  assertEquals(fast[0]!.ok, false);
  assertEquals(fast.some(({ ok }) => ok), false);
  assertEquals(exists(`${scene.ws}/made.txt`), false);
});

Deno.test("a batch that nobody reads to its end is given up", async () => {
  using scene = servedScene(FILES);
  await using machines = new CallMachines(scene.served);
  const { runBatch } = callHandlers(machines);
  const calls = Array.from({ length: 50 }, () => ({ tool: "Read", arguments: { path: "a.txt" } }));
  const { stream } = await runBatch!(asked({ body: { calls } }));
  for await (const line of stream!.pieces) {
    assert(line.includes("apple"));
    break;
  }
});

Deno.test("infoHandlers() tell what requests may choose", async () => {
  using scene = servedScene(
    { ...FILES, "ws/.git/x": "" },
    ({ host }) => ({ model: { name: "small" }, host }),
  );
  await using machines = new CallMachines(scene.served);
  let now = 0;
  const offer = serverOffer(scene.served, machines, () => now);
  const { getInfo, listFolders } = infoHandlers(scene.served, offer);
  const { json } = await getInfo!(asked({}));
  const { workspaces, models, agents, agent, tools, policy } = json as Record<string, { name: string }[]>;
  assertEquals([workspaces, models, policy, agent], [[scene.ws], ["small"], "coder", "default"] as unknown[]);
  assert(agents!.some(({ name }) => name === "default") && tools!.some(({ name }) => name === "Read"));
  const first = offer();
  assertEquals(first === offer(), true);
  now = 2_000;
  assertEquals(first === offer(), false);
  const folders = async (query: { path?: string }) =>
    (await listFolders!(asked({ query }))).json as { parent: string | null; folders: { name: string }[] };
  const top = await folders({});
  assertEquals([top.parent, top.folders.map(({ name }) => name)], [null, [".git", "sub"]]);
  assertEquals((await folders({ path: `${scene.ws}/sub` })).parent, scene.ws);
  assertEquals((await assertRejects(() => folders({ path: "/etc" }), ToolError)).code, "permission_denied");
});

const withGrants = (grants: GrantSettings) => ({ host }: Served) => ({ host: { ...host, grants } });

/** What is granted for a request. */
async function granted(served: Served, request: NarrowRequest) {
  await using host = openHost(narrowHost(served, request), { manifest: served.manifest });
  const { policy, allow, deny, commands } = host.grants;
  return { policy, allow, deny, rules: commands.deny.map(({ program }) => program) };
}

Deno.test("a request is granted no more than the server, and less where it says so", async () => {
  using scene = servedScene(
    {},
    withGrants({ allow: { write: ["/opt/more"] }, deny: { net: ["a.example"] } }),
  );
  const { served, ws } = scene;
  const all = await granted(served, {});
  assertEquals([all.policy, all.allow.write, all.deny.net], ["coder", [ws, "/opt/more"], ["a.example"]]);
  const reading = await granted(served, { grants: { policy: "read-only" } });
  assertEquals([reading.policy, reading.deny.write, reading.deny.net], ["read-only", true, ["a.example"]]);
  const offline = await granted(served, { grants: { policy: "read-only-no-net" } });
  assertEquals([offline.policy, offline.deny.write, offline.deny.net], ["read-only-no-net", true, true]);
  const grants = { deny_net: ["b.example"], deny_write: ["out"], deny_run: true } as const;
  const less = await granted(served, { grants: structuredClone(grants) as never });
  assertEquals(less.deny.net, ["a.example", "b.example"]);
  assertEquals([less.deny.write, less.deny.run], [[`${ws}/out`], true]);
});

Deno.test("a stricter server stays as strict, and keeps the rules of its policy", async () => {
  using scene = servedScene({}, withGrants({ policy: "read-only-no-net" }));
  const { policy } = await granted(scene.served, { grants: { policy: "read-only" } });
  assertEquals(policy, "read-only-no-net");
  using ruled = servedScene({}, withGrants({ policy: { name: "team", base: "coder", deny: ["git push"] } }));
  const narrowed = await granted(ruled.served, { grants: { policy: "read-only" } });
  assertEquals([narrowed.policy, narrowed.rules], ["read-only", ["git"]]);
});

Deno.test("a request works in a served folder or below, by its real path", () => {
  using scene = servedScene({ "ws/sub/a.txt": "a", "other/b.txt": "b", "ws2/c.txt": "c" });
  const { root, ws } = scene;
  Deno.symlinkSync(`${root}/other`, `${ws}/out`);
  Deno.symlinkSync(`${ws}/sub`, `${root}/in`);
  assertEquals(servedFolder(ws, [ws]), ws);
  assertEquals(servedFolder(`${root}/in`, [ws]), `${ws}/sub`);
  const elsewhere = [`${root}/other`, `${ws}/out`, `${ws}/../other`, `${root}/ws2`, `${ws}/none`];
  for (const path of [...elsewhere, "sub", "", "/"]) {
    const error = assertThrows(() => servedFolder(path, [ws]), ToolError);
    assertEquals([error.code, error.details.workspaces], ["permission_denied", [ws]], path);
  }
  assertEquals(assertThrows(() => servedFolder(`${ws}/sub/a.txt`, [ws]), ToolError).code, "invalid_input");
});

Deno.test("the health is told in the words of ResearchHarness", async () => {
  const offer = () => Promise.resolve(OFFER);
  await using server = await serveHandlers(healthHandlers({ offer, apiRunsDir: "/runs" }));
  const response = await server.fetch("/v1/health");
  assertEquals(await response.json(), {
    ...{ status: "ok", api_runs_dir: "/runs", input_wrapper: false, output_wrapper: false },
    ...{ max_concurrent_runs: 4, extra_tools: [], tool_names: ["Look"] },
  });
});

Deno.test("each request gets a folder with a workspace of its own, and a trace", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const runs = new PlayedRuns({ events: spoken("Four.") }, { events: spoken("Five.") });
    const warnings: string[] = [];
    const now = () => new Date("2026-11-23T10:00:00.500Z");
    const trace = requestFolders({ folder, runs, now, warn: (message) => warnings.push(message) });
    await using scene = await chatScene(runs, { trace });
    const messages = [{ role: "user", content: "Count." }] as const;
    const ask = (more: object) =>
      scene.client.chat.completions.create({ model: "default", messages: [...messages], ...more });
    await ask({});
    const [first = ""] = names(folder);
    assertMatch(first, /^run_20261123_100000_[0-9a-f]{8}$/);
    const workspace = join(folder, first, "agent_workspace");
    assertEquals([runs.requests[0]?.workspace, names(workspace)], [workspace, []]);
    const rows = await rowsOf(join(folder, first));
    assertEquals(rows.map(({ event }) => event), ["workspace_selection", "model_selection", "agent_result"]);
    assertEquals([rows[0]!.timestamp, rows[0]!.payload.reason], [1795428000.5, "not_provided"]);
    const { result_text, termination } = rows[2]!.payload;
    assertEquals([result_text, termination], ["Four.", "completed"]);

    await ask({ "workspace-root": "/work/one" });
    const second = names(folder).find((name) => name !== first)!;
    assertEquals([runs.requests[1]?.workspace, names(join(folder, second))], ["/work/one", ["agent_trace"]]);
    assertEquals((await rowsOf(join(folder, second))).length, 3);
    assertEquals(warnings, []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

function names(folder: string): string[] {
  return Array.from(Deno.readDirSync(folder), ({ name }) => name).toSorted();
}

async function rowsOf(place: string) {
  const text = await Deno.readTextFile(join(place, "agent_trace", "api_trace.jsonl"));
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}
