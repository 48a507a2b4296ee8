import { assertEquals, assertStringIncludes } from "@std/assert";

import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../../support/scripted_model.ts";
import {
  byHistory,
  type Event,
  killBehind,
  readEvents,
  runAgent,
  tell,
} from "../../../support/cli/agent_scene.ts";
import { makeScene } from "../../../support/cli/scene.ts";
import type { Plan } from "../../../../schemas/step/plan.ts";
import { readTrace } from "../../../../runtime/state/sessions/trace_file.ts";

const TEAM = {
  team: {
    kind: "plan",
    tools: ["Read"],
    executors: {
      reader: { description: "reads files", tools: ["Read"] },
      // What it does not say itself is of the agent.
      writer: { agent: "scribe", max_iterations: 2 },
    },
  },
  scribe: {
    description: "writes files",
    tools: ["Write", "Glob"],
    prompts: { system: "You are a scribe. {available_tools}" },
  },
};

const call = (name: string, input: unknown): ScriptedTurn => ({ tool_calls: [{ name, arguments: input }] });
const TURNS: readonly ScriptedTurn[] = [
  { text: '{"title": "Copy", "steps": ["[READER] read a.txt", "[WRITER] write b.txt"]}' },
  call("Read", { path: "a.txt" }),
  { text: "It says hello." },
  call("Write", { path: "b.txt", content: "hello\n" }),
  { text: "It is written." },
  { text: "b.txt is a copy." },
];

const toolsOf = ({ body: { tools = [] } }: ScriptedRequest): string =>
  tools.map(({ function: { name } }: { function: { name: string } }) => name).join(" ");

Deno.test("the executors of a plan have tools and prompts of other agents, also after a kill", async () => {
  using scene = makeScene({
    "ws/a.txt": "hello\n",
    "home/.config/bulkhead/config.json": JSON.stringify({ agents: TEAM }),
  });
  const killed = await killBehind(scene, {
    ...{ turns: TURNS, replies: 3, words: ["Copy it", "--agent=team", "--session=s1"] },
  });
  assertEquals(killed.map(toolsOf), ["", "Read", "Read", "Write Glob"]);
  assertStringIncludes(JSON.stringify(killed[0]!.body.messages), "WRITER: writes files");
  await using model = scriptedModel(byHistory(TURNS));
  const { code, run, stderr } = await tell(scene, model, ["--resume=s1"]);
  assertEquals([code, run.answer, run.state], [0, "b.txt is a copy.", "completed"], stderr);
  assertEquals(model.requests.map(toolsOf), ["Write Glob", "Write Glob", ""]);
  assertStringIncludes(model.requests[0]!.body.messages[0].content, "You are a scribe. 1. Write: ");
  assertEquals(Deno.readTextFileSync(scene.at("ws/b.txt")), "hello\n");
});

/** Two replies that plan, and the plan behind each of them. */
const PLANNING: readonly ScriptedTurn[] = [
  call("planning", { command: "create", plan_id: "p", title: "Ship it", steps: ["build", "test"] }),
  call("planning", { command: "mark_step", step_index: 0, step_status: "completed" }),
  { text: "It is done." },
];
const PLANS = ["Ship it: not_started build, not_started test", "Ship it: completed build, not_started test"];

const shown = ({ title, steps }: Plan) =>
  `${title}: ${steps.map(({ status, text }) => `${status} ${text}`).join(", ")}`;
const plansIn = (events: readonly Event[]) =>
  events.flatMap((event) => event.type === "plan" ? [shown(event.plan)] : []);

Deno.test("a plan of a tool is shown as it changes, stands in the trace, and outlives a kill", async () => {
  using scene = makeScene({ "ws/x": "" });
  const path = scene.at("state/bulkhead/sessions/s1/trace.jsonl");
  const traced = async () =>
    (await readTrace(path)).flatMap((line) => line.t === "plan" ? [shown(line.plan)] : []);
  const words = ["Plan it", "--tool=manus/planning", "--session=s1", "--events"];
  await killBehind(scene, { turns: PLANNING, replies: 1, words });
  assertEquals(await traced(), PLANS.slice(0, 1));
  await using model = scriptedModel(byHistory(PLANNING));
  const { code, stdout, stderr } = await runAgent(scene, model, ["--resume=s1", "--events"]);
  const { events, end } = readEvents(stdout);
  assertEquals([code, end.answer], [0, "It is done."], stderr);
  // What was there is shown first, then what became of it.
  assertEquals(plansIn(events), PLANS);
  assertEquals(await traced(), PLANS);
  const ends = events.findIndex(({ type }) => type === "tool.end");
  assertEquals(events.slice(ends - 1, ends).map(({ type }) => type), ["plan"]);
});
