// The agents that are there without any configuration, killed on the way: research is in the file beside this one.
import { assertEquals } from "@std/assert";

import { researchWeb } from "../../support/servers/research_web.ts";
import { scriptedModel, type ScriptedTurn } from "../../support/scripted_model.ts";
import { type Act, FINDS, repliesOf, reportOf, TITLE } from "../../support/web/research_scene.ts";
import { startAgent, tell } from "../../support/cli/agent_scene.ts";
import { makeScene } from "../../support/cli/scene.ts";

/** A model that answers by what was said before; `stall` is told when a reply is asked for that it does not give. */
function byHistory(turns: readonly ScriptedTurn[], { at, stall }: { at: number; stall(): void }) {
  return scriptedModel(({ body }) => {
    const said = body.messages.filter(({ role }: { role: string }) => role === "assistant").length;
    if (said < at) return turns[said] ?? { status: 500, body: {} };
    stall();
    return { events: [], stallAfter: 0 };
  });
}

Deno.test("the agent dialog gives the turn back with each answer, and goes on with a report when it is killed", async () => {
  await using web = researchWeb(FINDS);
  using scene = makeScene();
  const { env } = web;
  const answer = (text: string) =>
    ["answer_tool", { reasoning: "found", intermediate_result: text, continue_research: true }] as const;
  const turns = repliesOf("sgr-tools", [
    ["web_search_tool", { reasoning: "", query: "makers" }],
    answer("Three makers were found."),
    ["web_search_tool", { reasoning: "", query: "tests" }],
    ["extract_page_content_tool", { reasoning: "", urls: [web.page("d")] }],
    reportOf(),
    answer("The report is written."),
  ]);
  const net = `--allow-private-net=127.0.0.1:${web.port}`;
  await using model = byHistory(turns, { at: turns.length, stall() {} });
  const first = await tell(scene, model, ["Which?", "--agent=dialog", "--session=d", net], { env });
  assertEquals([first.code, first.run.state, first.run.answer], [
    0,
    "waiting_for_clarification",
    "Three makers were found.",
  ], first.stderr);
  const asked = Promise.withResolvers<void>();
  await using stalling = byHistory(turns, { at: 10, stall: asked.resolve });
  const running = await startAgent(scene, stalling, ["--resume=d", "And the tests?"], { env });
  const ended = running.ended();
  await Promise.race([asked.promise, ended]);
  running.kill("SIGKILL");
  assertEquals((await ended).code, 137);
  const { code, run, stderr } = await tell(scene, model, ["--resume=d"], { env });
  assertEquals([code, run.state, run.answer], [
    0,
    "waiting_for_clarification",
    "The report is written.",
  ], stderr);
  const reports = [...Deno.readDirSync(scene.at("ws/reports"))].map(({ name }) =>
    scene.read(`ws/reports/${name}`)
  );
  assertEquals([reports.length, reports[0]?.split("\n")[0]], [1, `# ${TITLE}`]);
  assertEquals(reports[0]?.match(/^\[\d+\]/gm), ["[1]", "[3]", "[4]", "[5]"]);
});

/** What the agents without searches do, by their names. */
const WORK: Readonly<Record<string, (path: string) => readonly Act[]>> = {
  manus: (path) => [["str_replace_editor", { command: "create", path, file_text: "one\n" }]],
  swe: (path) => [["bash", { command: `echo one > ${path}` }]],
};

for (const [name, begin] of Object.entries(WORK)) {
  Deno.test(`the agent ${name} does its work, is killed, and ends it`, async () => {
    using scene = makeScene();
    const path = scene.at("ws/a.txt");
    const turns = repliesOf("tools", [
      ...begin(path),
      ["str_replace_editor", { command: "str_replace", path, old_str: "one", new_str: "two" }],
      ["terminate", { status: "success" }],
    ]);
    for (const at of [1, 2]) {
      const asked = Promise.withResolvers<void>();
      await using stalling = byHistory(turns, { at, stall: asked.resolve });
      const words = at === 1
        ? ["Do it", `--agent=${name}`, "--session=w", "--allow-run=bash"]
        : ["--resume=w"];
      const running = await startAgent(scene, stalling, words);
      const ended = running.ended();
      await Promise.race([asked.promise, ended]);
      running.kill("SIGKILL");
      const { code, stderr } = await ended;
      assertEquals(code, 137, stderr);
    }
    await using model = byHistory(turns, { at: turns.length, stall() {} });
    const { code, run, stderr } = await tell(scene, model, ["--resume=w"]);
    assertEquals(
      [code, run.state, run.usage.failed, scene.read("ws/a.txt")],
      [0, "completed", 0, "two\n"],
      stderr,
    );
  });
}
