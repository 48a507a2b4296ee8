// The agents that are there without any configuration, killed on the way: research is in the file beside this one.
import { assert, assertEquals } from "@std/assert";

import { researchWeb } from "../../support/servers/research_web.ts";
import { scriptedModel } from "../../support/scripted_model.ts";
import { type Act, FINDS, FINISH, repliesOf, reportOf, TITLE } from "../../support/web/research_scene.ts";
import { byHistory, killBehind, tell } from "../../support/cli/agent_scene.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";

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
  await using model = scriptedModel(byHistory(turns));
  const first = await tell(scene, model, ["Which?", "--agent=dialog", "--session=d", net], { env });
  assertEquals([first.code, first.run.state, first.run.answer], [
    0,
    "waiting_for_clarification",
    "Three makers were found.",
  ], first.stderr);
  await killBehind(scene, { turns, replies: 10, words: ["--resume=d", "And the tests?"], env });
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
    const words = ["Do it", `--agent=${name}`, "--session=w", "--allow-run=bash"];
    await killBehind(scene, { turns, replies: 1, words });
    await using model = scriptedModel(byHistory(turns));
    const { code, run, stderr } = await tell(scene, model, ["--resume=w"]);
    assertEquals(
      [code, run.state, run.usage.failed, scene.read("ws/a.txt")],
      [0, "completed", 0, "two\n"],
      stderr,
    );
  });
}

// Kills around the writing of a report: between its file and the line of the trace.
const TOOLS = ["web_search_tool", "create_report_tool", "final_answer_tool"].map((name) =>
  `--tool=sgr/${name}`
);
const TURNS = repliesOf("tools", [
  ["web_search_tool", { reasoning: "to begin", query: "makers" }],
  reportOf(),
  FINISH,
]);

Deno.test("a run that is killed around its report leaves one file of it, the same", async () => {
  await using web = researchWeb(FINDS);
  await using model = scriptedModel(byHistory(TURNS));
  using scene = makeScene();
  const { env } = web;
  const words = ["Compare kettles", "--session=k", `--allow-private-net=127.0.0.1:${web.port}`, ...TOOLS];
  const { code, stderr } = await tell(scene, model, words, { env });
  assertEquals(code, 0, stderr);
  const written = reportsOf(scene);
  const [path = "", ...others] = Object.keys(written);
  assertEquals(others, []);
  const trace = "state/bulkhead/sessions/k/trace.jsonl";
  const lines = scene.read(trace).split("\n");
  const place = (isMeant: (line: string) => boolean) => lines.findIndex(isMeant) + 1;
  const reply = place((line) => line.includes('"t":"reply"') && line.includes("create_report_tool"));
  const call = place((line) => line.includes('"t":"call"') && line.includes("create_report_tool"));
  assert(reply > 1 && call > reply);
  for (const [kept, hasFile] of [[reply, true], [call, true], [call, false]] as const) {
    scene.write(trace, `${lines.slice(0, kept).join("\n")}\n`);
    if (!hasFile) Deno.removeSync(path);
    const { code, run, stderr } = await tell(scene, model, ["--resume=k"], { env });
    assertEquals([code, run.state, run.usage.failed], [0, "completed", 0], stderr);
    assertEquals(reportsOf(scene), written);
  }
});

/** Texts of the reports in the workspace, by their paths. */
function reportsOf(scene: Scene): Record<string, string> {
  const folder = scene.at("ws/reports");
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith(".md"));
  return Object.fromEntries(names.map((name) => [`${folder}/${name}`, scene.read(`ws/reports/${name}`)]));
}
