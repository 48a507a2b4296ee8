import { assertEquals } from "@std/assert";

import { ReplyAssembler } from "../../../../../runtime/model/assemble_reply.ts";
import { ResponseEvents } from "../../../../../runtime/model/responses/response_events.ts";

const message = (text: string) => ({ type: "message", id: "m1", content: [{ type: "output_text", text }] });
const CALL = { type: "function_call", id: "f1", call_id: "c1", name: "Read", arguments: "{}" };

/** What the events say, as a reply. */
function read(events: readonly unknown[]) {
  const [reader, reply] = [new ResponseEvents(), new ReplyAssembler()];
  const texts = events.map((event) => reply.add(reader.toChunk(event))).filter((text) => text !== "");
  return { reply: reply.reply(), texts, finished: reply.finished, failure: reply.failure };
}

Deno.test("ResponseEvents tell a text once, whether it comes in pieces, as a part, or at the end", () => {
  const end = { type: "response.completed", response: { status: "completed", output: [message("Hello")] } };
  const pieces = [
    { type: "response.output_text.delta", output_index: 0, delta: "Hel" },
    { type: "response.output_text.delta", output_index: 0, delta: "lo" },
  ];
  const done = { type: "response.output_item.done", output_index: 0, item: message("Hello") };
  for (const events of [[...pieces, done, end], [...pieces, end], [done, end], [end], [end.response]]) {
    const whole = events[0] === end.response ? [{ object: "response", ...end.response }] : events;
    const { reply, texts, finished } = read(whole);
    assertEquals([reply.content, texts.join(""), finished], ["Hello", "Hello", true]);
  }
});

Deno.test("ResponseEvents give calls, usage, and reasoning with the order of the parts", () => {
  const thought = { type: "reasoning", id: "rs1", summary: [], encrypted_content: "enc", status: null };
  const lost = { type: "reasoning", id: "rs2", summary: [] };
  const output = [thought, message("I look."), lost, CALL, { ...CALL, call_id: "c2" }];
  const usage = { input_tokens: 9, input_tokens_details: { cached_tokens: 3 }, output_tokens: 2 };
  const { reply } = read([{ type: "response.completed", response: { status: "completed", output, usage } }]);
  assertEquals(reply, {
    content: "I look.",
    tool_calls: [
      { id: "c1", name: "Read", arguments: "{}" },
      { id: "c2", name: "Read", arguments: "{}" },
    ],
    finish: "tool_calls",
    usage: { input_tokens: 9, cached_tokens: 3, output_tokens: 2 },
    extra: {
      response_items: [
        { type: "reasoning", id: "rs1", summary: [], encrypted_content: "enc" },
        { type: "message" },
        { type: "function_call" },
        { type: "function_call" },
      ],
    },
  });
});

Deno.test("ResponseEvents say how a response ended", () => {
  const ended = (response: Record<string, unknown>) =>
    read([{ type: "response.incomplete", response: { output: [message("Half")], ...response } }]);
  const cut = ended({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
  assertEquals([cut.reply.finish, cut.reply.content], ["length", "Half"]);
  const held = ended({ status: "incomplete", incomplete_details: { reason: "content_filter" } });
  assertEquals(held.reply.finish, "content_filter");
  const error = { code: "server_error", message: "Oops" };
  assertEquals(ended({ status: "failed", error }).failure, error);
  const refusal = { type: "message", content: [{ type: "refusal", refusal: "I will not" }] };
  assertEquals(ended({ status: "completed", output: [refusal] }).reply.content, "I will not");
  assertEquals(read([{ type: "response.created" }, null, { type: "x" }]).finished, false);
});
