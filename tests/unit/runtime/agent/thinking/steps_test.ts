import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";

import type { AgentTool } from "../../../../../runtime/agent/loop/parts.ts";
import { makeThinking } from "../../../../../runtime/agent/thinking/make_thinking.ts";
import { Steps } from "../../../../../runtime/agent/thinking/steps.ts";
import { AGENT_LIMITS, type AgentLimits } from "../../../../../schemas/agent/agent.ts";
import type { ModelRequest } from "../../../../../schemas/agent/model.ts";
import type { TraceLine } from "../../../../../schemas/agent/trace.ts";
import type { Plan, StepStatus } from "../../../../../schemas/step/plan.ts";
import type { ThinkingKind } from "../../../../../schemas/step/thinking.ts";
import { ask, calls, run, tool, type Turn } from "../../../../support/agent_scene.ts";
import { namesIn, offerOf } from "../../../../support/offers.ts";

/**
 * The tables, beside this file: what each request offers (! one is forced), the model, what followed. After a change that
 * is meant: `deno test -A FILE -- --write`.
 */
const GOLDEN = fromFileUrl(new URL("step_tables.txt", import.meta.url));

const FIELDS = {
  type: "object",
  properties: { situation: { type: "string" } },
  required: ["situation"],
} as const;
const TOOLS: readonly AgentTool[] = [
  tool("think", { step_part: "reason", parameters: FIELDS, read_only: true }),
  tool("Read"),
  tool("find", { step_part: "search" }),
  tool("inquire", { step_part: "clarify" }),
  tool("report", { step_part: "report" }),
  tool("finish", { step_part: "finish", ends_run: { status: "status", failed: "failed", answer: "answer" } }),
];
const DIALOG: readonly AgentTool[] = [
  ...TOOLS.filter(({ step_part }) => step_part !== "finish"),
  tool("answer", { step_part: "answer" }),
];

/** A model that calls the tools that it wishes, Read if nothing of that is offered, and says something without tools. */
interface Scene {
  name: string;
  wishes: readonly string[];
  /** Each wish has its step. @default the first wish that is offered */
  inOrder?: boolean;
  limits?: Partial<AgentLimits>;
  /** What the person answers, one a question. @default nobody is there */
  answers?: readonly string[];
  /** What the model says instead in its nth reply, from 0. */
  slips?: Readonly<Record<number, Turn>>;
  tools?: readonly AgentTool[];
}

const LIMITS = { iterations: 4, clarifications: 2, searches: 2 };
const SCENES: readonly Scene[] = [
  { name: "without limits", wishes: ["find", "Read", "report", "finish"], inOrder: true },
  { name: "max_iterations 4, the answer is the last call", wishes: ["Read", "finish"], limits: LIMITS },
  { name: "max_iterations 4, the report is the last call", wishes: ["Read", "report"], limits: LIMITS },
  { name: "max_iterations 4, the model goes on all the same", wishes: [], limits: { ...LIMITS, faults: 3 } },
  {
    name: "max_clarifications 2",
    wishes: ["inquire", "finish"],
    limits: { ...LIMITS, iterations: null },
    answers: ["red", "blue", "green"],
  },
  { name: "max_clarifications 2, nobody answers", wishes: ["inquire", "finish"], limits: LIMITS },
  { name: "max_clarifications 0", wishes: ["inquire", "finish"], limits: { clarifications: 0 } },
  { name: "max_searches 2", wishes: ["find", "finish"], limits: { ...LIMITS, iterations: null } },
  { name: "max_searches 0", wishes: ["find", "finish"], limits: { searches: 0 } },
  { name: "max_iterations 1", wishes: ["Read", "finish"], limits: { iterations: 1 } },
  {
    name: "turns of a dialog, max_iterations 3",
    wishes: ["answer"],
    limits: { iterations: 3 },
    answers: ["and then?", "go on"],
    tools: DIALOG,
  },
  {
    name: "slips: no call, two calls, an unknown tool, broken JSON",
    wishes: ["Read", "finish"],
    limits: { iterations: 5 },
    slips: {
      1: { content: "I think so." },
      2: calls(ask("Read", { n: 1 }, "a"), ask("find", { n: 2 }, "b")),
      3: calls(ask("rummage", {}, "c")),
      4: calls(ask("Read", '{"n": tru', "d")),
    },
  },
];

Deno.test("each way of thinking offers, forces and takes away as its table says", async () => {
  const tables: string[] = [];
  for (const kind of ["tools", "sgr", "sgr-tools", "plan"] as const) {
    for (const scene of SCENES) tables.push(await tableOf(kind, scene));
  }
  const text = `${tables.join("\n\n")}\n`;
  if (Deno.args.includes("--write")) Deno.writeTextFileSync(GOLDEN, text);
  assertEquals(text.split("\n"), Deno.readTextFileSync(GOLDEN).split("\n"));
});

async function tableOf(kind: ThinkingKind, scene: Scene): Promise<string> {
  const { name, limits = {}, answers = [], tools = TOOLS } = scene;
  const said: string[] = [];
  const requests: string[] = [];
  const next = (request: ModelRequest): Turn => {
    requests.push(offerOf(request));
    const made = said.filter((one) => /^\w+$/.test(one) && one !== "think").length;
    const turn = replyOf(kind, scene, { request, n: said.length, made });
    said.push(saidBy(turn));
    return turn;
  };
  const people = [...answers];
  const { outcome, lines } = await run(Array.from({ length: 30 }, () => next), {
    tools,
    limits,
    call: ({ tool: { name } }) => name === "inquire" ? { content: "Which?" } : {},
    parts: {
      thinking: makeThinking(
        { settings: { kind }, limits: { ...AGENT_LIMITS, ...limits }, tools, date: "2026-01-31" },
        [],
      ),
      askPerson: () => Promise.resolve(people.shift() ?? null),
    },
  });
  const followed = followedBy(lines);
  const rows = requests.map((offered, at) => [offered, said[at]!, followed[at] ?? ""]);
  const end = `${outcome.state}, ${outcome.termination_reason}, ${JSON.stringify(outcome.answer)}`;
  return [`## ${kind}: ${name}: ${end}`, ...counted(aligned(rows))].join("\n");
}

/** Rows that come several times, one after the other, are told once. */
function counted(rows: readonly string[]): string[] {
  const starts = [...rows.keys()].filter((at) => rows[at] !== rows[at - 1]);
  return starts.map((start, n) => {
    const end = starts[n + 1] ?? rows.length;
    return `${start + 1}${end - start > 1 ? `-${end}` : ""}`.padEnd(5) + rows[start];
  });
}

interface Asked {
  request: ModelRequest;
  n: number;
  /** Tools that it called so far, without those that think. */
  made: number;
}

function replyOf(kind: ThinkingKind, scene: Scene, { request: { form, tools }, n, made }: Asked): Turn {
  const { wishes, inOrder, slips = {} } = scene;
  const slip = slips[n];
  if (slip) return slip;
  if (form?.name === "plan") return { content: '{"title": "T", "steps": ["first", "second"]}' };
  const names = form ? namesIn(form.schema) : tools.map(({ name }) => name);
  if (kind !== "tools" && names.length === 1 && names[0] === "think") return think();
  const open = inOrder ? wishes.slice(made) : wishes;
  if (open.length === 0 && inOrder) return { content: "It is done." };
  const wish = open.find((name) => names.includes(name)) ?? (names.length > 0 ? "Read" : undefined);
  if (wish === undefined) return { content: "That is all." };
  const input = wish === "finish" ? { status: "completed", answer: "42" } : { n };
  if (!form) return calls(ask(wish, input, `call${n}`));
  const step = { situation: "s", function: { tool_name_discriminator: wish, ...input } };
  return { content: JSON.stringify(step) };
}

const think = (): Turn => calls(ask("think", { situation: "s" }));

function saidBy(turn: Turn): string {
  if (typeof turn === "function" || turn instanceof Error) return "?";
  const { content = "", tool_calls = [] } = turn;
  if (tool_calls.length > 0) {
    return tool_calls.map(({ name, arguments: input }) => input.endsWith("}") ? name : `${name} ${input}`)
      .join(" + ");
  }
  return /"tool_name_discriminator":"(\w+)"/.exec(content)?.[1] ?? JSON.stringify(content);
}

/** What came between one reply of the task and the next: results, what the model was told, how the plan stands. */
function followedBy(lines: readonly TraceLine[]): string[] {
  const followed: string[][] = [];
  for (const line of lines) {
    if (line.t === "reply") followed.push([]);
    const row = followed.at(-1);
    if (line.t === "result") row?.push(line.ok ? line.content : `refused: ${line.content.split("\n")[0]}`);
    if (line.t === "plan") row?.push(line.plan.steps.map(({ status }) => status).join(" "));
    if (line.t !== "message" || line.message.role !== "user") continue;
    const [part] = line.message.content;
    const { kind } = line.message;
    row?.push(`${kind}: ${part?.type === "text" ? part.text.replaceAll("\n", " ").slice(0, 100) : ""}`);
  }
  return followed.map((row) => row.join("; "));
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  return rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at]!)).join("  ").trimEnd());
}

const planOf = (id: string, title: string, steps: Readonly<Record<string, StepStatus>>): Plan => ({
  ...{ id, title },
  steps: Object.entries(steps).map(([text, status]) => ({ text, status, notes: "" })),
});

Deno.test("Steps keeps what is done of its plan when a tool changes what is left", () => {
  const steps = new Steps([], { iterations: null, clarifications: null, searches: null, faults: 5 });
  const note = (plan: Plan) => steps.note({ t: "plan", plan });
  const own = { read: "completed", ask: "blocked", find: "in_progress", tell: "not_started" } as const;
  note(planOf("plan", "Read it", own));
  assertEquals(steps.plan, planOf("plan", "Read it", own));
  note(planOf("research", "Find it", { find: "not_started", ask: "not_started", compare: "not_started" }));
  const changed = { read: "completed", find: "in_progress", ask: "blocked", compare: "not_started" } as const;
  assertEquals(steps.plan, planOf("plan", "Find it", changed));
  // What the way of thinking itself says takes its place.
  note(planOf("plan", "Find it", { ...changed, find: "completed" }));
  const statuses = steps.plan?.steps.map(({ status }) => status);
  assertEquals(statuses, ["completed", "completed", "blocked", "not_started"]);
});
