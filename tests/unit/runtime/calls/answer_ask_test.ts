import { assertEquals, assertRejects } from "@std/assert";

import { answerAsk, type AskingCall } from "../../../../runtime/calls/answer_ask.ts";
import { changeAnswers } from "../../../../runtime/calls/answers/changes.ts";
import { personAnswers } from "../../../../runtime/calls/answers/person.ts";
import type { AskPerson } from "../../../../runtime/calls/control.ts";
import type { Ask } from "../../../../runtime/rooms/asks/ask.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { entryOf } from "../../../support/manifest_entry.ts";

const ASK: Ask = { kind: "user.ask", question: "Which?" };

/** A call of a tool that asks; the part of it that questions to a person need. */
function asking(changes: Partial<AskingCall> = {}): AskingCall {
  const program = { signal: new AbortController().signal };
  const call = { tool: entryOf("test/ask", { asks: true }), explains: false, program, ...changes };
  return call as unknown as AskingCall;
}

const answers: AskPerson = ({ question }) => Promise.resolve(`${question} This`);

Deno.test("answerAsk() takes a question to whoever is there", { permissions: "none" }, async () => {
  assertEquals(await answerAsk(ASK, asking(), personAnswers(answers)), "Which? This");
  assertEquals(await answerAsk(ASK, asking(), personAnswers(null)), null);
});

Deno.test("answerAsk() lets nobody be asked by a tool that has not said so, nor for an explanation", {
  permissions: "none",
}, async () => {
  let asked = 0;
  const table = personAnswers(() => Promise.resolve(`${++asked}`));
  await assertRejects(
    () => answerAsk(ASK, asking({ tool: entryOf("test/ask") }), table),
    Error,
    "a tool of test asked a person without having declared that it does",
  );
  await assertRejects(() => answerAsk(ASK, asking({ explains: true }), table), Error, "only explained");
  assertEquals(asked, 0);
});

Deno.test("answerAsk() refuses a kind that no service answers, and passes it to none", {
  permissions: "none",
}, async () => {
  const table = personAnswers(answers);
  for (const kind of ["program.run", "net.fetch", "toString"]) {
    const ask = { kind, run: { argv: ["true"] }, vouched: true } as unknown as Ask;
    const error = await assertRejects(() => answerAsk(ask, asking(), table), ToolError);
    assertEquals([error.code, error.message], [
      "internal",
      `test/ask asked for ${kind}, which nothing here answers`,
    ]);
  }
});

Deno.test("answerAsk() keeps for a room only what its calls may write", { permissions: "none" }, async () => {
  const kept: string[] = [];
  const keep = (path: string) => Promise.resolve(void kept.push(path));
  const ask = (path: string, table = changeAnswers(keep, ["/ws"])) =>
    answerAsk({ kind: "change.keep", path }, asking(), table);
  await ask("/ws/a");
  for (const path of ["/etc/passwd", "ws/a", "/ws2/a"]) {
    await assertRejects(() => ask(path), Error, "a room would change what it must not write");
  }
  await ask("/etc/passwd", changeAnswers(null, ["/ws"]));
  assertEquals(kept, ["/ws/a"]);
});
