// Servers that get more tools while a run goes on.
import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

import { type ScriptedModel, scriptedModel, type ScriptedTurn } from "../../support/scripted_model.ts";
import { readEvents, runAgent, tell } from "../../support/cli/agent_scene.ts";
import { beginSession, serveHttp } from "../../support/cli/mcp/http.ts";
import { makeScene, parseLines, type Scene } from "../../support/cli/scene.ts";

const SERVER = join(import.meta.dirname!, "../../fixtures/mcp/growing_server.sh");
const g = { command: "sh", args: [SERVER] };
/** Nothing here is about walls. */
const OPEN = ["--sandbox=off", "--allow-run=sh"];
const MCP = ["--mcp=../mcp.json", "--toolset=mcp", ...OPEN];
const WORK: readonly ScriptedTurn[] = [
  { tool_calls: [{ id: "c1", name: "mcp_g_grow", arguments: {} }] },
  { tool_calls: [{ id: "c2", name: "mcp_g_grown", arguments: { word: "twice" } }] },
  { text: "Done." },
];
const FIRST = ["mcp_g_grow", "mcp_g_shrink"];
const THEN = [...FIRST, "mcp_g_grown"];

function scene(entry: Record<string, unknown> = {}): Scene {
  return makeScene({ "mcp.json": JSON.stringify({ mcpServers: { g: { ...g, ...entry } } }) });
}

function toolsOf({ requests }: ScriptedModel): string[][] {
  return requests.map(({ body }) =>
    (body.tools as { function: { name: string } }[]).map(({ function: { name } }) => name)
  );
}

Deno.test("run offers an added tool with the next request, and nothing said before changes", async () => {
  using made = scene();
  await using model = scriptedModel([...WORK, { text: "Anew." }]);
  const told = await runAgent(made, model, ["Dance", ...MCP, "--session=s1", "--events"]);
  assertEquals(told.code, 0, told.stderr);
  assertEquals(toolsOf(model), [FIRST, THEN, THEN]);
  const [first, ...later] = model.requests.map(({ body }) => body);
  for (const { messages, tools } of later) {
    assertEquals(messages.slice(0, first.messages.length), first.messages);
    assertEquals(tools.slice(0, first.tools.length), first.tools);
  }
  const { events } = readEvents(told.stdout);
  const results = events.flatMap((event) => event.type === "tool.end" ? [event.result.text] : []);
  assertEquals(results, ["grew", "danced twice"]);
  const added = events.flatMap((event) => event.type === "tools.added" ? [event.tools] : []);
  assertEquals(added, [["mcp_g_grown"]]);
  const shown = await made.run(["sessions", "show", "s1"]);
  assertStringIncludes(shown.stdout, "[new tools: mcp_g_grown]");
  // The server of a resumed run is a new one.
  const resumed = await runAgent(made, null, ["More", "--resume=s1", "--mcp=../mcp.json"]);
  assertEquals([resumed.code, resumed.stdout], [0, "Anew.\n"], resumed.stderr);
  assertEquals(toolsOf(model).at(-1), FIRST);
});

Deno.test("a replay offers an added tool at the same step, without its server's word", async () => {
  using made = scene();
  await using model = scriptedModel(WORK);
  const record = `--record=${made.at("run.jsonl")}`;
  const recorded = await tell(made, model, ["Dance", ...MCP, record]);
  assertEquals(recorded.code, 0, recorded.stderr);
  const lines = parseLines(made.read("run.jsonl")) as { t: string; added?: { name: string }[] }[];
  const kinds = ["recording", "task", "reply", "result", "tools", "reply", "result", "reply"];
  assertEquals(lines.map(({ t }) => t), kinds);
  assertEquals(lines[4]?.added?.map(({ name }) => name), ["mcp_g_grown"]);
  const replay = [`--model=replay:${made.at("run.jsonl")}`, "--strict"];
  for (const words of [[], ["--replay-tools"]]) {
    const { code, run, stderr } = await tell(made, null, [...replay, ...MCP, ...words]);
    assertEquals([code, run.answer, run.usage.calls, run.usage.failed], [0, "Done.", 2, 0], stderr);
  }
  // A server that describes the tool in another way is not what was recorded.
  made.write("run.jsonl", made.read("run.jsonl").replace("Dance the grown waltz", "Dance the old waltz"));
  assertEquals((await tell(made, null, [...replay, ...MCP])).code, 0);
  const changed = await tell(made, null, [...replay, ...MCP, "--replay-tools"]);
  assertEquals(changed.run.termination_reason, "replay_differs");
  // A recording of an earlier version has no such line.
  const old = lines.filter(({ t }) => t !== "tools").map((line) => `${JSON.stringify(line)}\n`).join("");
  made.write("run.jsonl", old);
  const played = await tell(made, null, [...replay.slice(0, 1), ...MCP]);
  assertEquals([played.code, played.run.answer], [0, "Done."], played.stderr);
});

Deno.test("an added tool passes the lists of its server's entry, the permissions, and the number of tools", async () => {
  using made = scene({ excludeTools: ["secret"] });
  const grow = (word: string, id: string) => ({ id, name: "mcp_g_grow", arguments: { word } });
  await using model = scriptedModel([
    { tool_calls: [grow("secret", "1"), grow("GROW", "2"), grow("jump", "3"), grow("turn", "4")] },
    { tool_calls: [{ id: "5", name: "search_tools", arguments: { query: "turn waltz", limit: 1 } }] },
    { tool_calls: [{ id: "6", name: "mcp_g_turn", arguments: { word: "left" } }] },
    { tool_calls: [{ id: "7", name: "mcp_g_jump", arguments: {} }] },
    { text: "Done." },
  ]);
  made.write("config.json", JSON.stringify({ tools: { "mcp/mcp_g_jump": { permission: "deny" } } }));
  const words = ["Dance", ...MCP, "--max-tools=3", "--config=../config.json", "--events"];
  const told = await runAgent(made, model, words);
  assertEquals(told.code, 0, told.stderr);
  const searched = [...FIRST, "search_tools"];
  const turned = [...searched, "mcp_g_turn"];
  assertEquals(toolsOf(model), [FIRST, searched, turned, turned, [...searched, "mcp_g_jump", "mcp_g_turn"]]);
  assertStringIncludes(told.stderr, 'adds the tool "GROW", which is left out: another tool has its name');
  const { events } = readEvents(told.stdout);
  const codes = events.flatMap((event) =>
    event.type === "tool.end" ? [event.result.error?.code ?? "ok"] : []
  );
  assertEquals(codes, ["ok", "ok", "ok", "ok", "ok", "ok", "denied_by_policy"]);
});

Deno.test("over HTTP each session has what its own server added", async () => {
  using made = scene();
  await using server = await serveHttp(made, MCP);
  const [one, other] = [await beginSession(server.url), await beginSession(server.url)];
  const names = async (session: typeof one) => {
    const { result } = await session.ask("tools/list");
    return (result?.tools as { name: string }[]).map(({ name }) => name);
  };
  await one.ask("tools/call", { name: "mcp_g_grow", arguments: {} });
  while ((await names(one)).length < THEN.length);
  assertEquals([await names(one), await names(other)], [THEN, FIRST]);
  const { result } = await one.ask("tools/call", { name: "mcp_g_grown", arguments: { word: "here" } });
  assertEquals(result?.content, [{ type: "text", text: "danced here" }]);
  const { error } = await other.ask("tools/call", { name: "mcp_g_grown", arguments: {} });
  assertEquals(error?.code, -32602);
  await Promise.all([one.end(), other.end()]);
});
