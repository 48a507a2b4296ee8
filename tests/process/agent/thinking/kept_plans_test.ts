import { assertEquals } from "@std/assert";

import type { Plan } from "../../../../schemas/step/plan.ts";
import { readTrace } from "../../../../runtime/state/sessions/trace_file.ts";
import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../../support/scripted_model.ts";
import { type Event, readEvents, runAgent, startAgent } from "../../../support/cli/agent_scene.ts";
import { makeScene } from "../../../support/cli/scene.ts";

const call = (name: string, input: unknown): ScriptedTurn => ({ tool_calls: [{ name, arguments: input }] });

/** Replies by what was said before, so that a run that goes on gets the same. */
function byHistory(turns: readonly ScriptedTurn[]) {
  return ({ body }: ScriptedRequest): ScriptedTurn =>
    turns[body.messages.filter(({ role }: { role: string }) => role === "assistant").length] ??
      { status: 500, body: {} };
}

/** Two replies that plan, and the plan behind each of them. */
interface Planning {
  tools: readonly string[];
  turns: readonly ScriptedTurn[];
  plans: readonly string[];
}

const PLANNINGS: Readonly<Record<string, Planning>> = {
  "sgr/generate_plan_tool": {
    tools: ["--tool=sgr/generate_plan_tool", "--tool=sgr/adapt_plan_tool"],
    turns: [
      call("generate_plan_tool", {
        reasoning: "makers first",
        research_goal: "compare kettles",
        planned_steps: ["find makers", "read tests", "compare"],
        search_strategies: ["by maker", "by test"],
      }),
      call("adapt_plan_tool", {
        reasoning: "no tests",
        original_goal: "compare kettles",
        new_goal: "compare kettles by price",
        plan_changes: ["prices instead of tests"],
        next_steps: ["find prices", "compare"],
      }),
    ],
    plans: [
      "compare kettles: not_started find makers, not_started read tests, not_started compare",
      "compare kettles by price: not_started find prices, not_started compare",
    ],
  },
  "manus/planning": {
    tools: ["--tool=manus/planning"],
    turns: [
      call("planning", { command: "create", plan_id: "p", title: "Ship it", steps: ["build", "test"] }),
      call("planning", { command: "mark_step", step_index: 0, step_status: "completed" }),
    ],
    plans: ["Ship it: not_started build, not_started test", "Ship it: completed build, not_started test"],
  },
};

const shown = ({ title, steps }: Plan) =>
  `${title}: ${steps.map(({ status, text }) => `${status} ${text}`).join(", ")}`;
const plansIn = (events: readonly Event[]) =>
  events.flatMap((event) => event.type === "plan" ? [shown(event.plan)] : []);

for (const [name, { tools, turns, plans }] of Object.entries(PLANNINGS)) {
  Deno.test(`a plan of ${name} is shown as it changes, stands in the trace, and outlives a kill`, async () => {
    using scene = makeScene({ "ws/x": "" });
    const all = [...turns, { text: "It is done." }];
    const path = scene.at("state/bulkhead/sessions/s1/trace.jsonl");
    const traced = async () =>
      (await readTrace(path)).flatMap((line) => line.t === "plan" ? [shown(line.plan)] : []);
    {
      const asked = Promise.withResolvers<void>();
      await using model = scriptedModel((request, n) => {
        if (n < 1) return byHistory(all)(request);
        asked.resolve();
        return { events: [], stallAfter: 0 };
      });
      const running = await startAgent(scene, model, ["Plan it", ...tools, "--session=s1", "--events"]);
      await asked.promise;
      running.kill("SIGKILL");
      await running.ended();
      assertEquals(await traced(), plans.slice(0, 1));
    }
    await using model = scriptedModel(byHistory(all));
    const { code, stdout, stderr } = await runAgent(scene, model, ["--resume=s1", "--events"]);
    const { events, end } = readEvents(stdout);
    assertEquals([code, end.answer], [0, "It is done."], stderr);
    // What was there is shown first, then what became of it.
    assertEquals(plansIn(events), plans);
    assertEquals(await traced(), plans);
    const ends = events.findIndex(({ type }) => type === "tool.end");
    assertEquals(events.slice(ends - 1, ends).map(({ type }) => type), ["plan"]);
  });
}

Deno.test("a person sees the plan of a tool while the run goes on", async () => {
  using scene = makeScene({ "ws/x": "" });
  const { tools, turns } = PLANNINGS["manus/planning"]!;
  await using model = scriptedModel([...turns, { text: "It is done." }]);
  const { code, stderr } = await runAgent(scene, model, ["Plan it", ...tools]);
  assertEquals(code, 0, stderr);
  assertEquals(stderr.split("\n").filter((line) => /build$/.test(line)).length >= 1, true, stderr);
});
