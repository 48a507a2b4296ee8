import { assertEquals } from "@std/assert";

import { openQuestions } from "../../../../../runtime/cli/chat/open_questions.ts";
import type { TraceLine } from "../../../../../schemas/agent/trace.ts";

const end = (questions?: string[]) =>
  ({ t: "end", time: "", outcome: { questions } }) as unknown as TraceLine;
const run = { t: "run" } as TraceLine;
const answer: TraceLine = { t: "message", message: { role: "user", kind: "clarification", content: [] } };

Deno.test("openQuestions() returns what nobody has answered", { permissions: "none" }, () => {
  assertEquals(openQuestions([]), []);
  assertEquals(openQuestions([run, answer, end()]), []);
  assertEquals(openQuestions([run, end(["Which?", "When?"])]), ["Which?", "When?"]);
  // A run that could not begin has asked nothing.
  assertEquals(openQuestions([end(["Which?"]), run]), ["Which?"]);
  assertEquals(openQuestions([end(["Which?"]), run, answer]), []);
  assertEquals(openQuestions([end(["Which?"]), run, answer, end()]), []);
});
