import { assertEquals, assertRejects } from "@std/assert";

import { askModel, type AskModelOptions } from "../../../../runtime/model/ask_model.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { Model, ModelReply, ModelRequest } from "../../../../schemas/agent/model.ts";

const REPLY: ModelReply = { content: "Yes", tool_calls: [], finish: "stop", usage: null };
const REQUEST: ModelRequest = { purpose: "turn", messages: [], tools: [], maxOutputTokens: 10 };

/** Asks a model that fails with each of the errors in turn; records what is waited for and reported. */
function scene(errors: readonly unknown[], more: Partial<AskModelOptions> = {}) {
  let asked = 0;
  let clock = 0;
  const waits: number[] = [];
  const retries: string[] = [];
  const model: Model = {
    name: "failing",
    complete: () => asked < errors.length ? Promise.reject(errors[asked++]) : Promise.resolve(REPLY),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const reply = askModel(REQUEST, {
    model,
    limits: { tries: 6 },
    signal: new AbortController().signal,
    deadline: 1_000_000,
    now: () => clock,
    sleep(ms) {
      waits.push(ms);
      clock += ms;
      return Promise.resolve();
    },
    random: () => 0.5,
    onRetry: ({ n, max, wait_ms, code, message }) =>
      retries.push(`${n}/${max} ${wait_ms} ${code} ${message}`),
    ...more,
  });
  return { reply, waits, retries, asked: () => asked };
}

const failure = (details = {}) => new ToolError("external_failure", "Broken", { details });

Deno.test("askModel() waits longer each time, and as long as the server asks", async () => {
  const slow = new ToolError("rate_limited", "Slow down", { details: { retry_after_ms: 120 } });
  const { reply, waits, retries } = scene([failure(), failure(), slow, failure(), failure()]);
  assertEquals(await reply, REPLY);
  assertEquals(waits, [1500, 2500, 120, 8500, 16500]);
  assertEquals(retries.slice(1, 3), [
    "2/6 2500 external_failure Broken",
    "3/6 120 rate_limited Slow down",
  ]);
});

Deno.test("askModel() gives up after its tries, with the last failure", async () => {
  const errors = Array.from({ length: 9 }, (_, n) => failure({ n }));
  const { reply, waits, asked } = scene(errors, { limits: { tries: 7 } });
  const error = await assertRejects(() => reply, ToolError);
  assertEquals([error.details.n, asked()], [6, 7]);
  assertEquals(waits, [1500, 2500, 4500, 8500, 16500, 30000]);
});

Deno.test("askModel() does not try again what cannot pass", async () => {
  const errors = [
    new ToolError("unauthenticated", "Wrong key"),
    new ToolError("external_failure", "Bad request", { retryable: false }),
    new ToolError("limit_exceeded", "Too long", { details: { reason: "context" } }),
    new ToolError("cancelled", "Enough"),
    new TypeError("A bug"),
  ];
  for (const error of errors) {
    const { reply, asked } = scene([error]);
    assertEquals(await assertRejects(() => reply, Error), error);
    assertEquals(asked(), 1);
  }
});

Deno.test("askModel() waits for nothing beyond the deadline", async () => {
  const { reply, waits } = scene([failure(), failure({ retry_after_ms: 60_000 })], { deadline: 61_000 });
  const error = await assertRejects(() => reply, ToolError);
  assertEquals([error.details.retry_after_ms, waits], [60_000, [1500]]);
});

Deno.test("askModel() stops waiting when it is cancelled", async () => {
  const cancel = new AbortController();
  const reason = new ToolError("cancelled", "Enough");
  const sleep = (_ms: number, signal: AbortSignal) => {
    cancel.abort(reason);
    return Promise.reject(signal.reason);
  };
  const { reply, asked } = scene([failure()], { signal: cancel.signal, sleep });
  assertEquals(await assertRejects(() => reply, ToolError), reason);
  assertEquals(asked(), 1);
});
