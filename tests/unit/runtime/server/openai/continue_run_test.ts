import { assertEquals, assertRejects } from "@std/assert";

import { continueRun } from "../../../../../runtime/server/openai/continue_run.ts";
import type { Detail } from "../../../../../runtime/server/openai/run_ending.ts";
import type { Runs } from "../../../../../runtime/server/runs/runs.ts";
import { ToolError } from "../../../../../schemas/error.ts";

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
