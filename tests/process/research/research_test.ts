// Whole pieces of research, by each kind of agent, killed on the way and gone on with.
import { assert, assertEquals } from "@std/assert";

import type { ThinkingKind } from "../../../schemas/step/thinking.ts";
import { researchWeb } from "../../support/servers/research_web.ts";
import { type ScriptedModel, scriptedModel, type ScriptedTurn } from "../../support/scripted_model.ts";
import { startAgent, tell } from "../../support/cli/agent_scene.ts";
import {
  ANSWER,
  expectedReport,
  FINDS,
  FINISH,
  QUESTION,
  repliesOf,
  researchActs,
} from "../../support/web/research_scene.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";

const TOOLS = [
  "reasoning_tool",
  "generate_plan_tool",
  "adapt_plan_tool",
  "web_search_tool",
  "extract_page_content_tool",
  "clarification_tool",
  "create_report_tool",
  "final_answer_tool",
].map((name) => `--tool=sgr/${name}`);

/** An agent, and behind how many replies it is killed. */
interface Row {
  name: string;
  kind: ThinkingKind;
  words: readonly string[];
  kills: readonly number[];
  /** Class of the agent in a file of agents, which also tells the model and the keys. @default there is no such file */
  base?: string;
}

const ROWS: readonly Row[] = [
  { name: "tools", kind: "tools", words: ["--thinking=tools", ...TOOLS], kills: [2, 7] },
  { name: "sgr", kind: "sgr", words: ["--thinking=sgr", ...TOOLS], kills: [6] },
  { name: "the agent research", kind: "sgr-tools", words: ["--agent=research"], kills: [5, 16] },
  { name: "plan", kind: "plan", words: ["--thinking=plan", ...TOOLS], kills: [4, 10] },
  {
    ...{ name: "an agent of a file", kind: "sgr-tools", words: ["--agents=team.yaml", "--agent=team"] },
    ...{ base: "sgr_agent_core.agents.ResearchSGRToolCallingAgent", kills: [10] },
  },
];

/** A file of agents as other programs read it, with names of tools in all their forms. */
function team(base: string, { model, env }: { model: string; env: Record<string, string> }): string {
  return `llm: { api_key: "sk-1", base_url: "${model}", model: "of-the-file" }
search: { tavily_api_key: "${env.TAVILY_API_KEY}", tavily_api_base_url: "${env.TAVILY_BASE_URL}", max_searches: 2 }
execution: { max_clarifications: 3, max_iterations: 20, reports_dir: "./reports" }
agents:
  team:
    base_class: "${base}"
    tools: [GeneratePlanTool, adapt_plan_tool, clarificationtool, "WebSearchTool", extract_page_content_tool]
`;
}

/** A model that answers by what was said before, and gives no more replies from one of them on. */
class Stalling implements AsyncDisposable {
  readonly server: ScriptedModel;
  /** How many replies there are at most. */
  at = Infinity;
  #asked = Promise.withResolvers<void>();

  constructor(turns: readonly ScriptedTurn[]) {
    this.server = scriptedModel(({ body }) => {
      const said = body.messages.filter(({ role }: { role: string }) => role === "assistant").length;
      if (said < this.at) return turns[said] ?? { status: 500, body: {} };
      this.#asked.resolve();
      return { events: [], stallAfter: 0 };
    });
  }

  /** Resolves when a reply beyond so many is asked for. */
  stopAt(replies: number): Promise<void> {
    this.at = replies;
    this.#asked = Promise.withResolvers();
    return this.#asked.promise;
  }

  [Symbol.asyncDispose]() {
    return this.server[Symbol.asyncDispose]();
  }
}

/** Runs until a reply beyond so many is asked for, and kills. */
async function killAt(
  scene: Scene,
  model: Stalling,
  { words, replies, env, server }: {
    words: readonly string[];
    replies: number;
    env: Record<string, string>;
    server: ScriptedModel | null;
  },
): Promise<void> {
  const asked = model.stopAt(replies);
  const running = await startAgent(scene, server, words, { env });
  const ended = running.ended();
  await Promise.race([asked, ended]);
  running.kill("SIGKILL");
  const { code, stderr } = await ended;
  assertEquals(code, 137, `reply ${replies}: ${stderr}`);
}

for (const { name, kind, words, kills, base } of ROWS) {
  Deno.test(`${name}: a piece of research is killed behind replies, and comes to the same report`, async () => {
    await using web = researchWeb(FINDS);
    using scene = makeScene();
    const acts = [...researchActs(web), FINISH];
    const turns = repliesOf(kind, kind === "plan" ? acts.slice(0, -1) : acts);
    const asksAt = turns.findIndex((turn) => JSON.stringify(turn).includes("clarification_tool")) + 1;
    await using model = new Stalling(turns);
    if (base !== undefined) {
      scene.write("ws/team.yaml", team(base, { model: model.server.url, env: web.env }));
    }
    const env = base === undefined ? web.env : {};
    const server = base === undefined ? model.server : null;
    const begin = ["Compare kettles", "--session=k", `--allow-private-net=127.0.0.1:${web.port}`, ...words];
    const resume = ["--resume=k"];
    let next: readonly string[] = begin;
    const goOn = async (replies: number) => {
      await killAt(scene, model, { words: next, replies, env, server });
      next = resume;
    };
    for (const replies of kills.filter((replies) => replies < asksAt)) await goOn(replies);
    model.at = Infinity;
    const waiting = await tell(scene, server, next, { env });
    assertEquals([waiting.code, waiting.run.state, waiting.run.questions], [
      0,
      "waiting_for_clarification",
      [QUESTION],
    ], waiting.stderr);
    next = [...resume, "For tea"];
    for (const replies of kills.filter((replies) => replies >= asksAt)) await goOn(replies);
    model.at = Infinity;
    const { code, run, stderr } = await tell(scene, server, next, { env });
    assertEquals([code, run.answer, run.state], [0, ANSWER, "completed"], stderr);

    assertEquals(reportsOf(scene), [expectedReport(web)]);
    const { stdout } = await scene.run(["sources", "k", "--json"]);
    const { sources } = JSON.parse(stdout) as {
      sources: { number: number; url: string; chars: number; opened: string | null }[];
    };
    assertEquals(
      sources.map(({ number, url }) => [number, url]),
      [
        ["read-a", 1],
        ["b", 2],
        ["c", 3],
        ["d", 4],
        ["old-e", 5],
      ].map(([page, number]) => [number, web.page(String(page))]),
    );
    assertEquals(sources.map(({ opened }) => opened !== null), [true, false, true, true, true]);
    assert(sources.every(({ chars, opened }) => opened === null || chars > 3500));
  });
}

/** The reports of the workspace, without their dates. */
function reportsOf(scene: Scene): string[] {
  return [...Deno.readDirSync(scene.at("ws/reports"))].map(({ name }) => {
    assert(/^\d{8}_\d{6}_Tea kettles ab\.md$/.test(name), name);
    return scene.read(`ws/reports/${name}`).replace(/^\*Created: .*\*\n\n/m, "");
  });
}
