import { assertEquals } from "@std/assert";

import { serverAnswers } from "../../../../../../runtime/sources/mcp/answers/answer_server.ts";
import type { SourceHost } from "../../../../../../runtime/sources/source.ts";
import type { Model } from "../../../../../../schemas/agent/model.ts";
import { openWith } from "../../../../../support/mcp/open_with.ts";

Deno.test("requests of a server to the model are bounded, also at once, withdrawn or failed", async () => {
  let requests = 0;
  const model: Model = {
    name: "test-model",
    complete() {
      requests++;
      return Promise.reject(new Error("it was paid for, and failed"));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  await using opened = await openWith({ servers: {}, model, confirm: () => Promise.resolve("run") });
  const server = { name: "notes" } as Parameters<typeof serverAnswers>[0];
  const answer = serverAnswers(server, { machine: opened.host } as unknown as SourceHost);
  const params = { messages: [{ role: "user", content: { type: "text", text: "What is 1 + 1?" } }] };
  const ask = () => answer({ kind: "sampling", params }, { signal: new AbortController().signal });
  await Promise.allSettled(Array.from({ length: 30 }, ask));
  await Promise.allSettled([ask()]);
  assertEquals(requests, 20);
});
