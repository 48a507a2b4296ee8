import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import type { Message } from "../../../../../schemas/agent/chat.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { type ModelProfile, type ModelRequest, UNKNOWN_MODEL } from "../../../../../schemas/agent/model.ts";
import { runAgent } from "../../../../../runtime/agent/loop/run_agent.ts";
import {
  ask,
  calls,
  makePlay,
  type Play,
  run,
  type SceneOptions,
  START,
  task,
  textsOf,
  type Turn,
} from "../../../../support/agent_scene.ts";

const SMALL: ModelProfile = { ...UNKNOWN_MODEL, context_tokens: 6_000, output_tokens: 1_000 };
const WORD = "word ";
const TOO_LONG = new ToolError("limit_exceeded", "Too long", { details: { reason: "context" } });

/** Rounds whose results are long, then the answer; summaries name what they were made of. */
function longRun(rounds: number, { words = 400, summary = summaryOf } = {}) {
  let n = 0;
  const turn: Turn = (request) => {
    if (request.purpose === "compact") return summary(request);
    n++;
    return n > rounds ? { content: "All done" } : calls(ask("Read", { n }, `c${n}`));
  };
  const scene: SceneOptions = {
    parts: { profile: SMALL },
    call: ({ id }) => ({ content: `<${id}> ${WORD.repeat(words)}</${id}>` }),
  };
  return run(Array(rounds * 4 + 20).fill(turn), scene);
}

/** Lists the marks that it was shown, as a good summary would keep the facts. */
function summaryOf(request: ModelRequest): Turn {
  const text = textsOf(request.messages[1]).join("");
  return { content: `Seen: ${[...new Set(text.match(/<\/?c\d+>/g) ?? [])].join(" ")}` };
}

Deno.test("compact() sums up all older turns, so that nothing of any result is lost", async () => {
  const { outcome, requests, events, lines } = await longRun(30);
  assertEquals([outcome.answer, outcome.termination_reason], ["All done", "completed"]);
  const last = requests.at(-1)!.messages.flatMap(textsOf).join("\n");
  for (let n = 1; n <= 30; n++) assert(last.includes(`<c${n}>`) && last.includes(`</c${n}>`), `${n}`);
  const compacted = events.flatMap((event) => event.type === "compact" ? event : []);
  assert(compacted.length > 1);
  for (const { before_tokens, after_tokens } of compacted) assert(after_tokens < before_tokens / 2);
  assertEquals(lines.filter(({ t }) => t === "compact").length, compacted.length);
  assertEquals(outcome.usage.rounds, 31);
  for (const { purpose, messages } of requests) {
    // Calls are kept or dropped together with their results.
    assertEquals(orphansOf(messages), []);
    if (purpose !== "turn") continue;
    assertEquals(messages.slice(0, 2).flatMap(textsOf), ["You are an agent.", "Do it"]);
  }
});

Deno.test("compact() keeps requests within the window, summaries included", async () => {
  const { requests, outcome } = await longRun(12, { words: 3_000 });
  assertEquals(outcome.termination_reason, "completed");
  for (const { messages } of requests) {
    const words = messages.flatMap(textsOf).join("").split(" ").length;
    assert(words < SMALL.context_tokens, `${words} words`);
  }
});

Deno.test("compact() sums up in pieces what is too long for one request", async () => {
  const { requests, outcome } = await longRun(1, { words: 20_000 });
  const pieces = requests.filter(({ purpose }) => purpose === "compact");
  assert(pieces.length >= 4, `${pieces.length} pieces`);
  const words = pieces.map(({ messages }) => textsOf(messages[1]).join("").split(WORD.trim()).length - 1);
  assert(words.reduce((sum, count) => sum + count, 0) >= 20_000, `${words}`);
  assertStringIncludes(textsOf(pieces[1]!.messages[1])[0]!, "The summary so far:\n\nSeen: <c1>");
  assertEquals(outcome.termination_reason, "completed");
});

Deno.test("compact() cuts a piece again that the provider finds too long", async () => {
  const seen: string[] = [];
  const { outcome } = await longRun(14, {
    summary(request) {
      const text = textsOf(request.messages[1]).join("");
      if (text.length > 6_000) return TOO_LONG;
      seen.push(text);
      return { content: "Shorter" };
    },
  });
  assertEquals(outcome.termination_reason, "completed");
  assert(seen.length > 2);
  for (const mark of ["<c1>", "</c1>", "<c3>", "</c3>"]) assertStringIncludes(seen.join(""), mark);
});

Deno.test("compact() keeps the history if the summary fails, warns, and does not try each round", async () => {
  for (const failure of [new ToolError("external_failure", "No", { retryable: false }), { content: " " }]) {
    const { outcome, events, requests } = await longRun(16, { words: 300, summary: () => failure });
    assertEquals(outcome.termination_reason, "completed");
    const warnings = events.flatMap((event) => event.type === "warning" ? event.message : []);
    assertStringIncludes(warnings[0]!, "Older turns could not be summed up, they stay: ");
    assert(warnings.length < 4, `${warnings.length} warnings`);
    assertEquals(requests.at(-1)!.messages.length, 2 + 16 * 2);
  }
});

Deno.test("runAgent() sums up once and asks again if the provider finds the conversation too long", async () => {
  const { outcome, requests, events } = await run([
    { ...calls(ask("Read")), content: "I read" },
    TOO_LONG,
    { content: "What was" },
    { content: "All done" },
  ]);
  assertEquals([outcome.answer, outcome.termination_reason], ["All done", "completed"]);
  assertEquals(requests.map(({ purpose }) => purpose), ["turn", "turn", "compact", "turn"]);
  const [, , summary] = requests[3]!.messages;
  assertStringIncludes(textsOf(summary)[0]!, "themselves, the files are right.\n\nWhat was");
  assertEquals(events.filter(({ type }) => type === "compact" || type === "turn.start").length, 3);
});

Deno.test("compact() finds something to sum up however long the system message is", async () => {
  const play = makePlay([calls(ask("Read")), TOO_LONG, { content: "What was" }, { content: "All done" }]);
  const system = { role: "system", content: WORD.repeat(3_000) } as const;
  const outcome = await runAgent([system, task("Do it")], play.parts);
  assertEquals(outcome.answer, "All done");
  assertEquals(play.requests[3]?.messages.map(({ role }) => role).join(" "), "system user user");
});

const OVERFLOWS: Record<string, Turn[]> = {
  "there is nothing to sum up": [TOO_LONG],
  "it is too long after the summary as well": [
    calls(ask("Read")),
    TOO_LONG,
    { content: "What was" },
    TOO_LONG,
  ],
  "the summary fails": [calls(ask("Read")), TOO_LONG, { content: "" }],
};

Deno.test("runAgent() ends as context_overflow if summing up does not help", async () => {
  for (const [why, turns] of Object.entries(OVERFLOWS)) {
    const { termination_reason, error } = (await run([...turns, { content: "Never" }])).outcome;
    assertEquals([termination_reason, error?.code], ["context_overflow", "limit_exceeded"], why);
  }
});

Deno.test("runAgent() ends as context_overflow before a request that cannot fit", async () => {
  const play = makePlay([{ content: "Never" }], { parts: { profile: SMALL } });
  const outcome = await runAgent([START[0]!, task(WORD.repeat(7_000))], play.parts);
  assertEquals([outcome.termination_reason, play.requests.length], ["context_overflow", 0]);
});

Deno.test("runAgent() trusts the provider's count of tokens more than its estimate", async () => {
  const heavy = { input_tokens: 4_500, cached_tokens: 0, output_tokens: 10 };
  const last: Turn = ({ purpose }) => ({ content: purpose === "compact" ? "What was" : "All done" });
  const { requests } = await run([
    { ...calls(ask("Read", { n: 1 })), usage: { ...heavy, input_tokens: 100 } },
    { ...calls(ask("Read", { n: 2 })), usage: heavy },
    ...Array(9).fill(last),
  ], { parts: { profile: SMALL }, call: () => ({ content: WORD.repeat(1_000) }) });
  assertEquals([...new Set(requests.map(({ purpose }) => purpose))], ["turn", "compact"]);
});

Deno.test("runAgent() is cancelled while it sums up", async () => {
  const { outcome } = await longRun(20, {
    summary: () => (_request, { stop }: Play) => {
      stop.abort(new ToolError("cancelled", "SIGINT"));
      return { content: "Never" };
    },
  });
  assertEquals(outcome.termination_reason, "interrupted");
});

/** Ids of calls without results, and of results without calls. */
function orphansOf(messages: readonly Message[]): string[] {
  const open = new Set<string>();
  const orphans: string[] = [];
  for (const message of messages) {
    if (message.role === "assistant") { for (const { id } of message.tool_calls) open.add(id); }
    if (message.role === "tool" && !open.delete(message.tool_call_id)) orphans.push(message.tool_call_id);
  }
  return [...orphans, ...open];
}
