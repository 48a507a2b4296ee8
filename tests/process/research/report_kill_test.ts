// Kills around the writing of a report: between its file and the line of the trace.
import { assert, assertEquals } from "@std/assert";

import { researchWeb } from "../../support/servers/research_web.ts";
import { scriptedModel, type ScriptedRequest } from "../../support/scripted_model.ts";
import { FINDS, FINISH, repliesOf, reportOf } from "../../support/web/research_scene.ts";
import { startAgent, tell } from "../../support/cli/agent_scene.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";

const TOOLS = ["web_search_tool", "create_report_tool", "final_answer_tool"].map((name) =>
  `--tool=sgr/${name}`
);
const TURNS = repliesOf("tools", [
  ["web_search_tool", { reasoning: "to begin", query: "makers" }],
  reportOf(),
  FINISH,
]);

const byHistory = ({ body }: ScriptedRequest) =>
  TURNS[body.messages.filter(({ role }: { role: string }) => role === "assistant").length] ??
    { status: 500, body: {} };

Deno.test("a run that is killed around its report leaves one file of it, the same", async () => {
  await using web = researchWeb(FINDS);
  await using model = scriptedModel(byHistory);
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

Deno.test("a run that is killed the moment its report is there goes on with that file", async () => {
  await using web = researchWeb(FINDS);
  await using model = scriptedModel(byHistory);
  using scene = makeScene({ "ws/reports/.keep": "" });
  const { env } = web;
  using watcher = Deno.watchFs(scene.at("ws/reports"));
  const words = ["Compare kettles", "--session=k", `--allow-private-net=127.0.0.1:${web.port}`, ...TOOLS];
  const running = await startAgent(scene, model, words, { env });
  const ended = running.ended();
  void ended.finally(() => watcher.close());
  for await (const { paths } of watcher) {
    if (!paths.some((path) => path.endsWith(".md"))) continue;
    running.kill("SIGKILL");
    break;
  }
  await ended;
  const written = reportsOf(scene);
  assertEquals(Object.keys(written).length, 1);
  const { code, run, stderr } = await tell(scene, model, ["--resume=k"], { env });
  assertEquals([code, run.state], [0, "completed"], stderr);
  assertEquals(reportsOf(scene), written);
});

/** Texts of the reports in the workspace, by their paths. */
function reportsOf(scene: Scene): Record<string, string> {
  const folder = scene.at("ws/reports");
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith(".md"));
  return Object.fromEntries(names.map((name) => [`${folder}/${name}`, scene.read(`ws/reports/${name}`)]));
}
