import { assertEquals, assertRejects } from "@std/assert";

import { answerAsk, type AnswerSources } from "../../../runtime/calls/answer_ask.ts";
import type { PersonAsk } from "../../../runtime/rooms/asks/person.ts";

const ASK: PersonAsk = { kind: "user.ask", question: "Which?" };

/** The part of the sources that questions to a person need. */
function sources(changes: Partial<AnswerSources>): AnswerSources {
  const call = { toolset: "test" };
  return { call, mayAsk: true, askPerson: null, explains: false, ...changes } as unknown as AnswerSources;
}

Deno.test("answerAsk() takes a question to whoever is there", { permissions: "none" }, async () => {
  const askPerson = ({ question }: PersonAsk) => Promise.resolve(`${question} This`);
  assertEquals(await answerAsk(ASK, sources({ askPerson })), "Which? This");
  assertEquals(await answerAsk(ASK, sources({ askPerson: null })), null);
});

Deno.test("answerAsk() lets nobody be asked by a tool that has not said so, nor for an explanation", {
  permissions: "none",
}, async () => {
  let asked = 0;
  const askPerson = () => Promise.resolve(`${++asked}`);
  await assertRejects(
    () => answerAsk(ASK, sources({ askPerson, mayAsk: false })),
    Error,
    "a tool of test asked a person without having declared that it does",
  );
  await assertRejects(() => answerAsk(ASK, sources({ askPerson, explains: true })), Error, "only explained");
  assertEquals(asked, 0);
});
