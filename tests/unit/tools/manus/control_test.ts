import { assertEquals } from "@std/assert";

import type { Question } from "../../../../schemas/context.ts";
import AskHuman from "../../../../tools/manus/ask_human.ts";
import CreateChatCompletion from "../../../../tools/manus/create_chat_completion.ts";
import Terminate from "../../../../tools/manus/terminate.ts";
import { assertRefuses, workspace } from "../../../support/run_tool.ts";

Deno.test("terminate() says that the interaction is over, and how", async () => {
  using ws = workspace();
  for (const status of ["success", "failure"]) {
    const { ok, text, result } = await ws.run(Terminate, { status });
    const said = `The interaction has been completed with status: ${status}`;
    assertEquals([ok, text, result], [true, said, said]);
  }
});

Deno.test("create_chat_completion() gives the response back as it is", async () => {
  using ws = workspace();
  const response = "  a\n\tb → ✓\n";
  const { text, result } = await ws.run(CreateChatCompletion, { response });
  assertEquals([text, result], [response, response]);
});

Deno.test("ask_human() hands on the answer without blanks around it", async () => {
  using ws = workspace();
  const asked: Question[] = [];
  const answer = (question: Question) => (asked.push(question), " this one \n");
  const { text, result } = await ws.run(AskHuman, { inquire: "Which?" }, { answer });
  assertEquals([text, result, asked], ["this one", "this one", [{ question: "Which?" }]]);
});

Deno.test("ask_human() says so where nobody can be asked, and refuses an empty question", async () => {
  using ws = workspace();
  const nobody =
    "Cannot ask the human: no interactive terminal is available. Go on with what is known and say what was " +
    "assumed, or name in the final answer what is missing.";
  await assertRefuses(ws, AskHuman, "Error: ", [
    [{ inquire: "Which?" }, "unavailable", nobody],
    [{ inquire: " " }, "invalid_input", "Parameter `inquire` must not be empty"],
  ]);
});
