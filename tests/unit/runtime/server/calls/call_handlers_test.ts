import { assert, assertEquals, assertRejects } from "@std/assert";

import type { HandlerAnswer, Handlers } from "../../../../../runtime/server/contract/answer.ts";
import { callHandlers } from "../../../../../runtime/server/calls/call_handlers.ts";
import { CallMachines } from "../../../../../runtime/server/calls/call_machines.ts";
import { infoHandlers, serverOffer } from "../../../../../runtime/server/calls/info_handlers.ts";
import { exists } from "../../../../../runtime/walls/files/file_facts.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { ToolResult } from "../../../../../schemas/result.ts";
import { asked, servedScene } from "../../../../support/server/served_scene.ts";

const FILES = { "ws/a.txt": "apple\n", "ws/sub/b.txt": "berry\n" };

async function call(handlers: Handlers, name: string, body: Record<string, unknown>): Promise<ToolResult> {
  const { json } = await handlers.callTool!(asked({ params: { name }, body }));
  return json as ToolResult;
}

async function lines(
  { stream }: HandlerAnswer,
): Promise<{ id: unknown; ok: boolean; text: string; expected?: boolean }[]> {
  const pieces = await Array.fromAsync(stream!.pieces);
  return pieces.join("").trimEnd().split("\n").map((line) => JSON.parse(line));
}

Deno.test("callHandlers() runs calls in the folder that they name, behind the same walls", async () => {
  using scene = servedScene(FILES, ({ roots: [ws] }) => ({ roots: [ws!, `${ws}/sub`] }));
  await using machines = new CallMachines(scene.served);
  const handlers = callHandlers(machines);
  const read = await call(handlers, "Read", { arguments: { path: "a.txt" } });
  assertEquals([read.ok, read.text.includes("apple")], [true, true]);
  const below = await call(handlers, "harness/Read", {
    arguments: { path: "b.txt" },
    workspace: `${scene.ws}/sub`,
  });
  assertEquals([below.ok, below.text.includes("berry")], [true, true]);
  const outside = await call(handlers, "Read", {
    arguments: { path: "../a.txt" },
    workspace: `${scene.ws}/sub`,
  });
  assertEquals(outside.error?.code, "permission_denied");
  const refused = await call(handlers, "Write", {
    arguments: { path: "new.txt", content: "x" },
    grants: { policy: "read-only" },
  });
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
  const fast = await lines(
    await runBatch!(asked({ body: { calls: [{ tool: "Nothing" }, write], fail_fast: true } })),
  );
  assertEquals([fast[0]!.ok, fast.some(({ ok }) => ok), exists(`${scene.ws}/made.txt`)], [
    false,
    false,
    false,
  ]);
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
  const folders = async (path?: string) =>
    (await listFolders!(asked({ query: { ...(path !== undefined && { path }) } }))).json as {
      parent: string | null;
      folders: { name: string }[];
    };
  const top = await folders();
  assertEquals([top.parent, top.folders.map(({ name }) => name)], [null, [".git", "sub"]]);
  assertEquals((await folders(`${scene.ws}/sub`)).parent, scene.ws);
  assertEquals((await assertRejects(() => folders("/etc"), ToolError)).code, "permission_denied");
});
