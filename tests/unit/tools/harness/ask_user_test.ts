import { assertEquals } from "@std/assert";

import type { Question } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import AskUser from "../../../../tools/harness/ask_user.ts";
import { workspace } from "../../../support/run_tool.ts";

const UNAVAILABLE =
  "[AskUser] Cannot ask the user because no interactive terminal is available. Go on with what is known and say what " +
  "was assumed, or name in the final answer what is missing.";

for (
  const { answer, text } of [
    { answer: "blue", text: "[AskUser] User answer:\nblue" },
    { answer: "  two words \n", text: "[AskUser] User answer:\ntwo words" },
    { answer: " ", text: "[AskUser] User answer was empty." },
  ]
) {
  Deno.test(`AskUser() hands on the answer ${JSON.stringify(answer)}`, async () => {
    using ws = workspace();
    const asked: Question[] = [];
    const ran = await ws.run(AskUser, { question: "Which colour?", context: "Two are there." }, {
      answer(question) {
        asked.push(question);
        return answer;
      },
    });
    assertEquals([ran.ok, ran.text, ran.result], [true, text, { answer: answer.trim() }]);
    assertEquals(asked, [{ question: "Which colour?", context: "Two are there." }]);
  });
}

Deno.test("AskUser() says so where nobody can be asked", async () => {
  using ws = workspace();
  const { ok, text, error } = await ws.run(AskUser, { question: "Which colour?" });
  assertEquals([ok, text, error?.code], [false, UNAVAILABLE, "unavailable"]);
});

Deno.test("AskUser() refuses an empty question without asking", async () => {
  using ws = workspace();
  const { text, error } = await ws.run(AskUser, { question: " \n" }, { answer: () => "never asked" });
  assertEquals([text, error?.code], ["[AskUser] question must be a non-empty string.", "invalid_input"]);
});

for (
  const { code, text } of [
    { code: "cancelled", text: "[AskUser] Cancelled before user answer was received." },
    { code: "timeout", text: "[AskUser] The end" },
  ] as const
) {
  Deno.test(`AskUser() tells of the end of the call before an answer: ${code}`, async () => {
    using ws = workspace();
    const { text: shown, error } = await ws.run(AskUser, { question: "Which colour?" }, {
      answer: () => Promise.reject(new ToolError(code, "The end")),
    });
    assertEquals([shown, error?.code], [text, code]);
  });
}
