import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import OpenAI from "openai";

import { ChatMessage } from "../../../../../runtime/server/api/chat_schemas.ts";
import { lastRunIn, plantedLine, toAgentId, toRunId } from "../../../../../runtime/server/openai/agent_id.ts";
import { AnswerText, type Said } from "../../../../../runtime/server/openai/answer_text.ts";
import { continueRun } from "../../../../../runtime/server/openai/continue_run.ts";
import { readMessages } from "../../../../../runtime/server/openai/read_messages.ts";
import { type Detail, endingOf } from "../../../../../runtime/server/openai/run_ending.ts";
import type { Runs } from "../../../../../runtime/server/runs/runs.ts";
import type { AgentTermination } from "../../../../../schemas/agent/agent.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { chatScene } from "../../../../support/server/chat_scene.ts";
import {
  ended,
  LONG_ANSWER,
  lookedUp,
  PlayedRuns,
  spoken,
  text,
  turn,
} from "../../../../support/server/played_runs.ts";

const RUNS = ["20261123-100000-0a1b2c3d", "a", "0123456789abcdef", "My.session_of-today-" + "x".repeat(44)];

Deno.test("an agent's id has the form that clients look for, and leads back to its run", () => {
  for (const run of RUNS) {
    assertMatch(toAgentId(run), /^\w+_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    assertEquals(toRunId(toAgentId(run)), run);
  }
});

Deno.test("other texts are no ids of agents", () => {
  const uuid = "123e4567-e89b-12d3-a456-426614174000";
  for (const text of ["", "default", RUNS[0]!, `sgr_agent_${uuid}`, `run_${uuid}`, `run_0_${uuid}`]) {
    assertEquals(toRunId(text), null, text);
  }
});

Deno.test("of several ids in a text the last one counts", () => {
  const [one, other] = RUNS as [string, string];
  assertEquals(lastRunIn(`${plantedLine(one)}yes\n${plantedLine(other)}and`), other);
  assertEquals(lastRunIn("Agent x started"), null);
});

const LONG = "The orders are counted by day. ".repeat(10).trim();

Deno.test("a long text is told while it comes, and not again at the end", () => {
  const text = new AnswerText(false);
  const pieces = [LONG.slice(0, 200), LONG.slice(200, 260), LONG.slice(260)].map((piece) =>
    contentOf(text.push(piece))
  );
  assertEquals(pieces.map(({ length }) => length), [0, 260, LONG.length - 260]);
  assertEquals([pieces.join(""), text.end(LONG)], [LONG, []]);
});

Deno.test("short words before a call are remarks, and a short answer is content", () => {
  const text = new AnswerText(false);
  const said = [text.push("I look."), text.pause(), text.push("Four."), text.end("Four.")].flat();
  assertEquals(said, [{ remark: "I look.\n" }, { content: "Four." }]);
});

Deno.test("a text is told once, though it comes again, breaks off, or another one takes its place", () => {
  const cases: [what: string, say: (text: AnswerText) => Said[][], told: string][] = [
    [
      "taken back",
      (text) => [text.push("{broken"), text.restart(), text.push("Four."), text.end("Four.")],
      "Four.",
    ],
    ...["", " And more."].map((rest): typeof cases[number] => ["again", (text) => [
      ...[text.push(LONG), text.restart(), ...[...LONG.slice(0, 40)].map((letter) => text.push(letter))],
      ...[text.push(LONG.slice(40)), text.push(rest), text.end(LONG + rest)],
    ], LONG + rest]),
    ["another", (text) => [
      ...[text.push(LONG), text.restart(), text.push("The orders "), text.push("are five.")],
      text.end("The orders are five."),
    ], `${LONG}\n\nThe orders are five.`],
    ["broken off", (text) => [text.push(LONG), text.restart(), text.end(`${LONG} Done.`)], `${LONG} Done.`],
    ["by a call", (text) => [text.push(LONG), text.pause(), text.end("Four.")], `${LONG}\n\nFour.`],
    ["by a call, the same", (text) => [text.push(LONG), text.pause(), text.end(LONG)], LONG],
  ];
  for (const [what, say, told] of cases) {
    assertEquals(contentOf(say(new AnswerText(false)).flat()), told, what);
  }
});

Deno.test("an answer that must be whole is told at the end alone", () => {
  const text = new AnswerText(true);
  assertEquals([text.push(LONG), text.restart(), text.push('{"a": 1}'), text.end('{"a":1}')].flat(), [
    { content: '{"a":1}' },
  ]);
});

function contentOf(said: readonly Said[]): string {
  return said.map((piece) => "content" in piece ? piece.content : "").join("");
}

const consent = { id: "c1", kind: "consent" };
const question = { id: "q1", kind: "question" };

/** What a message gives as the answer to a run that asks these. */
async function answerTo(prompt: string, questions: readonly { id: string; kind: string }[]) {
  const given: unknown[] = [];
  const runs = { answer: (_id: string, answer: unknown) => Promise.resolve(void given.push(answer)) };
  const detail = { id: "r1", events: 3, usage: null, state: "waiting", questions, can: { resume: false } };
  await continueRun(runs as unknown as Runs, detail as unknown as Detail, {
    ...{ prompt, images: [], client: "", traceparent: undefined },
  });
  return given[0];
}

Deno.test("a message is a consent only if it says nothing else", async () => {
  for (const [text, given] of [["yes", "once"], [" Once. ", "once"], ["ALWAYS!", "run"], ["run", "run"]]) {
    assertEquals(await answerTo(text!, [consent]), { question: "c1", consent: given }, text);
  }
  for (
    const text of [
      "Run the tests first instead",
      "Always ask me before you delete",
      "Yes? What does that do",
      "yes, but not in src",
      "",
    ]
  ) {
    assertEquals(await answerTo(text, [consent]), { question: "c1", consent: "no", reason: text }, text);
  }
  assertEquals(await answerTo("yes", [question]), { question: "q1", answer: "yes" });
});

Deno.test("a message answers no consent that waits beside something else", async () => {
  for (const questions of [[question, consent], [consent, question], [consent, { ...consent, id: "c2" }]]) {
    const error = await assertRejects(() => answerTo("yes", questions), ToolError);
    assertEquals(error.code, "conflict");
  }
});

const RUN = "20261123-100000-0a1b2c3d";
const PNG = "data:image/png;base64,AAAA";

Deno.test("the person's last words are the prompt, all else stands before it", () => {
  const { prompt, before } = read(
    ["developer", "Be short."],
    ["user", "Which orders?"],
    ["assistant", "Those of May."],
    ["user", "Count them."],
    ["system", "In words."],
    ["user", "By day."],
  );
  assertEquals(prompt, "Count them.\n\nBy day.");
  assertEquals(
    before,
    "DEVELOPER:\nBe short.\n\nUSER:\nWhich orders?\n\nASSISTANT:\nThose of May.\n\nSYSTEM:\nIn words.",
  );
});

Deno.test("what streams added to an answer is left out, and names its run", () => {
  const details =
    "\n<details>\n<summary>Phase: 1-action Tool Call: Read</summary>\n\n```json\n{}\n```\n\n</details>\n\n";
  const { before, run } = read(
    ["user", "Which?"],
    ["assistant", `${plantedLine(RUN)}${details}Those of May.`],
    ["user", "Count them."],
  );
  assertEquals([before, run], ["USER:\nWhich?\n\nASSISTANT:\nThose of May.", RUN]);
});

Deno.test("a text that begins a million blocks and ends none is read at once", () => {
  const text = "<details>\n<summary>Phase: ".repeat(1_000_000);
  assertEquals(read(["user", "Which?"], ["assistant", text], ["user", "Go on."]).prompt, "Go on.");
});

Deno.test("pictures are marked where they stood, and the last twelve go along", () => {
  const picture = (url: string) => ({ type: "image_url", image_url: { url } });
  const first = [{ type: "text", text: "See:" }, picture("data:image/jpg;base64,BBBB")];
  const { prompt, before, images } = read(
    ["user", first],
    ["assistant", "Yes."],
    ["user", Array.from({ length: 12 }, () => picture(PNG))],
  );
  assertEquals(before, "USER:\nSee:\n[picture image_000.jpg]\n\nASSISTANT:\nYes.");
  assertEquals(prompt.split("\n")[0], "[picture image_001.png]");
  assertEquals([images.length, images[0]], [12, { name: "image_001.png", data_url: PNG }]);
});

Deno.test("a conversation in which nobody asks for anything is refused", () => {
  for (
    const messages of [[["system", "Be short."]], [["user", "  "]], [["assistant", "Yes?"]]] as [
      string,
      string,
    ][][]
  ) {
    assertThrows(() => read(...messages), ToolError, "No message of the user has a text");
  }
});

function read(...messages: [role: string, content: unknown][]) {
  return readMessages(messages.map(([role, content]) => ChatMessage.parse({ role, content })));
}

Deno.test("an answer ends with stop, one that a limit ended with length", () => {
  assertEquals(told("completed", { answer: "Four." }), ["Four.", "stop"]);
  assertEquals(told("task_failed", { answer: "There are none." }), ["There are none.", "stop"]);
  assertEquals(told("cut_off", { answer: "Fo" }), ["Fo", "length"]);
  assertEquals(told("max_time"), ["[The run ended without an answer: max_time]", "length"]);
  assertEquals(told("waiting_for_clarification", { state: "waiting", answer: "Which?" }), ["Which?", "stop"]);
  const questions = [{ id: "1", kind: "question" as const, text: "When?", tool: null }];
  assertEquals(told(null, { state: "waiting", questions }), ["When?", "stop"]);
});

Deno.test("a failure has the status of its code, and a key of the model's is none of the client", () => {
  assertEquals(told("unauthenticated"), [502, "external_failure"]);
  assertEquals(told("model_unreachable"), [502, "external_failure"]);
  assertEquals(told("rate_limited"), [429, "rate_limit_exceeded"]);
  assertEquals(told("interrupted"), [503, "cancelled"]);
  assertEquals(told(null), [503, "cancelled"]);
  assertEquals(told("not_started"), [500, "internal"]);
  const error = { code: "invalid_input", message: "There is no such model" };
  assertEquals(told("not_started", { error }), [400, "invalid_input"]);
});

Deno.test("what must be JSON is JSON, or a failure", () => {
  assertEquals(told("completed", { answer: '```\n{"n": 4}', output: { n: 4 } }, true), ['{"n":4}', "stop"]);
  assertEquals(told("completed", { answer: '{"n": 4}' }, true), ['{"n": 4}', "stop"]);
  assertEquals(told("completed", { answer: "Four." }, true), [422, "output_invalid"]);
  assertEquals(told("cut_off", { answer: '{"n' }, true), [422, "limit_exceeded"]);
  assertEquals(told("max_rounds", {}, true), [422, "limit_exceeded"]);
});

function told(
  termination_reason: AgentTermination | "not_started" | null,
  more: Partial<Detail> = {},
  mustBeJson = false,
): [content: string | number, finish: string] {
  const nothing = { answer: null, error: null, usage: null, questions: [] };
  const detail = {
    id: "run",
    state: "completed",
    termination_reason,
    ...nothing,
    ...more,
  } as unknown as Detail;
  const ending = endingOf(detail, mustBeJson);
  return ending.kind === "answer" ? [ending.content, ending.finish] : [ending.status, ending.body.error.code];
}

const FIRST = "20261123-100000-00000001";

Deno.test("a response has the text, the usage, and an id with which its run goes on", async () => {
  const runs = new PlayedRuns({ events: spoken("Four.") }, { events: spoken("Five.") });
  await using scene = await chatScene(runs);
  const { responses } = scene.client;
  const first = await responses.create({ model: "researcher", instructions: "Be short.", input: "Count." });
  assertEquals([first.output_text, first.status, first.usage?.total_tokens], ["Four.", "completed", 107]);
  assertEquals([first.model, runs.requests[0]?.before], [toAgentId(FIRST), "DEVELOPER:\nBe short."]);
  runs.all.get(FIRST)!.detail.can.resume = true;
  const second = await responses.create({ input: "And June?", previous_response_id: first.id });
  assertEquals([second.output_text, runs.answers], ["Five.", [{ prompt: "And June?", client: "127.0.0.1" }]]);
  const asking = () => responses.create({ input: "And July?", previous_response_id: "resp_1" });
  await assertRejects(asking, OpenAI.NotFoundError, "There is no response");
});

Deno.test("the events of a response are what OpenAI's library expects", async () => {
  const events = lookedUp();
  await using scene = await chatScene(new PlayedRuns({ events }));
  const url = "data:image/png;base64,AAAA";
  const content = [{ type: "input_text", text: "What?" }, {
    type: "input_image",
    image_url: url,
    detail: "auto",
  }] as const;
  const stream = scene.client.responses.stream({
    model: "default",
    input: [{ role: "user", content: [...content] }],
  });
  const types: string[] = [];
  const numbers: number[] = [];
  for await (const event of stream) {
    types.push(event.type);
    numbers.push(event.sequence_number);
  }
  assertEquals((await stream.finalResponse()).output_text, LONG_ANSWER);
  assertEquals(types.map((type) => type.replace("response.", "")), [
    ...["created", "in_progress", "output_item.added", "content_part.added"],
    ...["output_text.delta", "output_text.delta", "output_text.done"],
    ...["content_part.done", "output_item.done", "completed"],
  ]);
  assertEquals(numbers, numbers.map((_, at) => at));
});

Deno.test("a limit and a failure end a response as such", async () => {
  const error = { code: "external_failure", message: "The model is away" };
  const runs = new PlayedRuns(
    { events: [turn(1), text("Fo"), ended("Fo", "cut_off")] },
    { events: [turn(1), text(LONG_ANSWER), ended(null, "model_unreachable")], end: { error } },
  );
  await using scene = await chatScene(runs);
  const { responses } = scene.client;
  const cut = await responses.create({ input: "Count." });
  assertEquals([cut.status, cut.output_text], ["incomplete", "Fo"]);
  const types = [];
  for await (const event of await responses.create({ input: "Count.", stream: true })) types.push(event.type);
  assertEquals(types.at(-1), "response.failed");
});
