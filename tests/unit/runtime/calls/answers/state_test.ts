import { assertEquals, assertRejects } from "@std/assert";

import { answerAsk, type AskingCall } from "../../../../../runtime/calls/answer_ask.ts";
import { stateAnswers } from "../../../../../runtime/calls/answers/state.ts";
import { memorySession } from "../../../../../runtime/state/tool_state.ts";

/** A call of a toolset, and what ends it. */
function makeCall(toolset = "set") {
  const end = new AbortController();
  const call = {
    tool: { toolset },
    explains: false,
    program: { signal: end.signal },
  } as unknown as AskingCall;
  return { call, end: () => end.abort(new Error("over")) };
}

Deno.test("a name is held by one call at a time, until it is given back or the call ends", {
  permissions: "none",
}, async () => {
  const answers = stateAnswers(memorySession());
  const ask = (kind: "state.hold" | "state.giveBack", { call }: { call: AskingCall }) =>
    answerAsk({ kind, key: "k" }, call, answers);
  const [one, two, three, foreign] = [makeCall(), makeCall(), makeCall(), makeCall("other")];
  await ask("state.hold", one);
  await ask("state.hold", foreign);
  const order: string[] = [];
  const second = ask("state.hold", two).then(() => order.push("two"));
  const third = ask("state.hold", three).then(() => order.push("three"));
  await assertRejects(() => ask("state.hold", one), Error, "holds a name twice");
  // A room that dies gives nothing back: the end of its call does.
  one.end();
  await second;
  assertEquals(order, ["two"]);
  await ask("state.giveBack", two);
  await third;
  assertEquals(order, ["two", "three"]);
  const late = makeCall();
  const waiting = ask("state.hold", late);
  late.end();
  await assertRejects(() => waiting, Error, "over");
});
