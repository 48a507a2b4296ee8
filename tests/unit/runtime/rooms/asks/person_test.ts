import { assertEquals } from "@std/assert";

import type { AskPerson } from "../../../../../runtime/calls/control.ts";
import { createRunner } from "../../../../../runtime/mod.ts";
import { workspace } from "../../../../support/run_tool.ts";

const INPUT = { question: "Which?", context: "Two are there." };

/** A runner whose person does something, without the box, so that it works everywhere. */
function runner(ws: ReturnType<typeof workspace>, ask?: AskPerson, options: { maxCallMs?: number } = {}) {
  return createRunner({ ...options, workspace: ws.path, sandbox: "off", ...(ask && { ask }) });
}

Deno.test("a room's question reaches the person, and the answer the room", async () => {
  using ws = workspace();
  const asked: unknown[] = [];
  await using run = runner(
    ws,
    (question) => Promise.resolve(asked.push(question) > 0 ? "\x1b[1mblue" : null),
  );
  const { ok, text, result } = await run.call("AskUser", INPUT);
  assertEquals([ok, text], [true, "[AskUser] User answer:\nblue"]);
  assertEquals(result, { answer: "\x1b[1mblue" });
  assertEquals(asked, [{ tool: "harness/AskUser", ...INPUT }]);
});

Deno.test("a question fails where nobody can be asked, and where whoever asks fails", async () => {
  using ws = workspace();
  await using alone = runner(ws);
  assertEquals((await alone.call("AskUser", INPUT)).error?.code, "unavailable");
  await using gone = runner(ws, () => Promise.resolve(null));
  assertEquals((await gone.call("ask_human", { inquire: "Which?" })).error?.code, "unavailable");
  await using broken = runner(ws, () => Promise.reject(new Error("no channel")));
  assertEquals((await broken.call("AskUser", INPUT)).error?.code, "internal");
});

Deno.test("a question waits until the call is cancelled", async () => {
  using ws = workspace();
  const waiting = Promise.withResolvers<void>();
  let heard: AbortSignal | undefined;
  await using run = runner(ws, (_question, { signal }) => {
    heard = signal;
    waiting.resolve();
    return new Promise(() => {});
  });
  const cancel = new AbortController();
  const call = run.call("AskUser", INPUT, { signal: cancel.signal });
  await waiting.promise;
  assertEquals(heard?.aborted, false);
  cancel.abort();
  const { error, text } = await call;
  assertEquals([error?.code, text], ["cancelled", "[AskUser] Cancelled before user answer was received."]);
  assertEquals(heard?.aborted, true);
});

Deno.test("a question has no limit of its own, but one that the user sets", async () => {
  using ws = workspace();
  await using run = runner(ws, () => new Promise(() => {}), { maxCallMs: 300 });
  assertEquals(run.tools().find(({ name }) => name === "AskUser")?.limits.timeout_ms, null);
  assertEquals((await run.call("AskUser", INPUT)).error?.code, "timeout");
});
