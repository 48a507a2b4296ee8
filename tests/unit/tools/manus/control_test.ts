import { assertEquals } from "@std/assert";

import type { Question } from "../../../../schemas/context.ts";
import AskHuman from "../../../../tools/manus/ask_human.ts";
import CreateChatCompletion from "../../../../tools/manus/create_chat_completion.ts";
import Terminate from "../../../../tools/manus/terminate.ts";
import { workspace } from "../../../support/run_tool.ts";

for (const status of ["success", "failure"]) {
  Deno.test(`terminate() says that the interaction is over: ${status}`, async () => {
    using ws = workspace();
    const { ok, text, result } = await ws.run(Terminate, { status });
    const said = `The interaction has been completed with status: ${status}`;
    assertEquals([ok, text, result], [true, said, said]);
  });
}

Deno.test("create_chat_completion() gives the response back as it is", async () => {
  using ws = workspace();
  const response = "  a\n\tb → ✓\n";
  const { text, result } = await ws.run(CreateChatCompletion, { response });
  assertEquals([text, result], [response, response]);
});

Deno.test("ask_human() hands on the answer without blanks around it", async () => {
  using ws = workspace();
  const asked: Question[] = [];
  const { text, result } = await ws.run(AskHuman, { inquire: "Which?" }, {
    answer(question) {
      asked.push(question);
      return " this one \n";
    },
  });
  assertEquals([text, result, asked], ["this one", "this one", [{ question: "Which?" }]]);
});

for (
  const { title, inquire, code, text } of [
    {
      title: "says so where nobody can be asked",
      inquire: "Which?",
      code: "unavailable",
      text:
        "Error: Cannot ask the human: no interactive terminal is available. Go on with what is known and say what was " +
        "assumed, or name in the final answer what is missing.",
    },
    {
      title: "refuses an empty question",
      inquire: " ",
      code: "invalid_input",
      text: "Error: Parameter `inquire` must not be empty",
    },
  ]
) {
  Deno.test(`ask_human() ${title}`, async () => {
    using ws = workspace();
    const { ok, text: shown, error } = await ws.run(AskHuman, { inquire });
    assertEquals([ok, shown, error?.code], [false, text, code]);
  });
}
