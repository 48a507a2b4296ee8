import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

import { scriptedModel } from "../../support/scripted_model.ts";
import { readTrace } from "../../../runtime/state/sessions/trace_file.ts";
import { runAgent, tell } from "../../support/cli/agent_scene.ts";
import { makeScene } from "../../support/cli/scene.ts";

const WRITE = { tool_calls: [{ id: "w", name: "Write", arguments: { path: "b.txt", content: "x" } }] };

Deno.test("run --resume needs nothing but the session, also from another folder", async () => {
  using scene = makeScene({ "ws/a.txt": "hello\n", "elsewhere/c.txt": "" });
  await using model = scriptedModel([
    { text: "Begun." },
    WRITE,
    { text: "Refused." },
    WRITE,
    { text: "Written." },
  ]);
  const begun = await tell(scene, model, ["Go", "--session=s1", "--policy=read-only", "--tool=Write"]);
  assertEquals(begun.code, 0, begun.stderr);
  const kept = await runAgent(scene, null, ["Write b.txt", "--resume=s1"], { cwd: scene.at("elsewhere") });
  assertEquals([kept.code, kept.stdout, scene.exists("ws/b.txt")], [0, "Refused.\n", false], kept.stderr);
  assertStringIncludes(kept.stderr, `test-model · policy read-only · ${scene.ws} · session s1\n`);
  const wider = await runAgent(scene, null, ["Again", "--resume", "--allow-write=b.txt"]);
  assertEquals([wider.code, scene.read("ws/b.txt")], [0, "x"], wider.stderr);
  assertStringIncludes(wider.stderr, `session s1 · widened by --allow-write=${scene.ws}/b.txt\n`);
  const lines = await readTrace(scene.at("state/bulkhead/sessions/s1/trace.jsonl"));
  const runs = lines.flatMap((line) => line.t === "run" ? [line] : []);
  assertEquals(runs.map(({ widened }) => widened), [undefined, undefined, [
    `--allow-write=${scene.ws}/b.txt`,
  ]]);
  assert(runs.every(({ policy, tools }) => policy === "read-only" && tools.join() === "Write"));
});

Deno.test("run --resume has the tools and servers that its session named, and goes on without those that are gone", async () => {
  const server = join(import.meta.dirname!, "../../fixtures/mcp/growing_server.sh");
  using scene = makeScene({
    "own/add.ts": `import { defineTool } from "bulkhead";
      export default defineTool({ name: "add", description: "Add.", run: () => "sum" });`,
    "mcp.json": JSON.stringify({ mcpServers: { g: { command: "sh", args: [server] } } }),
    "elsewhere/c.txt": "",
  });
  await using model = scriptedModel(() => ({ text: "Done." }));
  const from = { cwd: scene.at("elsewhere") };
  const open = ["--sandbox=off", "--allow-run=sh"];
  const sources = ["--tools=../own/add.ts", "--mcp=../mcp.json"];
  const begun = await runAgent(scene, model, ["Go", "--session=s1", ...open, ...sources]);
  assertEquals(begun.code, 0, begun.stderr);
  assertEquals((await runAgent(scene, null, ["More", "--resume=s1"], from)).code, 0);
  Deno.removeSync(scene.at("mcp.json"));
  const without = await runAgent(scene, null, ["More", "--resume=s1"], from);
  assertEquals(without.code, 0, without.stderr);
  assertStringIncludes(without.stderr, `mcp.json`);
  const offered = model.requests.map(({ body }) => {
    // deno-lint-ignore no-explicit-any
    const names: string[] = body.tools.map((tool: any) => tool.function.name);
    return ["add", "mcp_g_grow"].filter((name) => names.includes(name));
  });
  assertEquals(offered, [["add", "mcp_g_grow"], ["add", "mcp_g_grow"], ["add"]]);
});
