import { assertEquals } from "@std/assert";

import type { AgentTermination } from "../../../../../schemas/agent/agent.ts";
import { type Detail, endingOf } from "../../../../../runtime/server/openai/run_ending.ts";

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
  const detail: Detail = {
    ...{
      id: "run",
      state: "completed",
      task: "",
      agent: null,
      model: null,
      workspace: "/",
      created: "",
      updated: "",
    },
    ...{
      termination_reason,
      events: 1,
      policy: null,
      grants: null,
      answer: null,
      error: null,
      usage: null,
      questions: [],
    },
    can: { resume: false, undo: false, cancel: false, answer: false },
    ...more,
  };
  const ending = endingOf(detail, mustBeJson);
  return ending.kind === "answer" ? [ending.content, ending.finish] : [ending.status, ending.body.error.code];
}
