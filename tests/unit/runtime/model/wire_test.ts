import { assertEquals } from "@std/assert";

import { toWireMessage } from "../../../../runtime/model/wire.ts";
import type { Message, Part } from "../../../../schemas/agent/chat.ts";

const picture: Part = { type: "image", path: "/w/a.png", mime_type: "image/png", bytes: 3 };
const user = (...content: Part[]): Message => ({ role: "user", kind: "task", content });
const calls = (name: string, text: string): Message => ({
  role: "assistant",
  content: "",
  tool_calls: [{ id: "a", name, arguments: text }],
});

Deno.test("toWireMessage() makes the provider's form of every message", () => {
  const cases: [Message, unknown][] = [
    [{ role: "system", content: "Be brief" }, { role: "system", content: "Be brief" }],
    [user({ type: "text", text: "A" }, { type: "text", text: "B" }), { role: "user", content: "A\n\nB" }],
    [user({ type: "text", text: "A\ud800" }), { role: "user", content: "A\ufffd" }],
    [user({ type: "text", text: "See" }, { ...picture, data: "QUJD" }), {
      role: "user",
      content: [
        { type: "text", text: "See" },
        { type: "image_url", image_url: { url: "data:image/png;base64,QUJD" } },
      ],
    }],
    [user(picture), { role: "user", content: "[Picture /w/a.png]" }],
    [{ role: "tool", tool_call_id: "a", content: "ok" }, { role: "tool", tool_call_id: "a", content: "ok" }],
    [{ role: "assistant", content: "Yes", tool_calls: [] }, { role: "assistant", content: "Yes" }],
  ];
  for (const [message, wire] of cases) assertEquals<unknown>(toWireMessage(message, { extra: "send" }), wire);
});

Deno.test("toWireMessage() mends calls that a provider would refuse", () => {
  const cases: [string, string, string, string][] = [
    ["Read", '{"p":1}', "Read", '{"p":1}'],
    ["Read", "", "Read", "{}"],
    ["Read", '{"p":', "Read", '{"invalid_arguments":"{\\"p\\":"}'],
    ["Read", "[1]", "Read", '{"invalid_arguments":"[1]"}'],
    ["my tool.x", "{}", "my_tool_x", "{}"],
    ["", "{}", "unknown", "{}"],
  ];
  for (const [name, text, wireName, wireText] of cases) {
    assertEquals<unknown>(toWireMessage(calls(name, text), { extra: "send" }), {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "a", type: "function", function: { name: wireName, arguments: wireText } }],
    });
  }
});

Deno.test("toWireMessage() gives back what the provider said besides, unless it does not want it", () => {
  const extra = { reasoning_content: "Hm", tool_calls: [{ extra_content: { signature: "s" } }] };
  const message = { ...calls("Read", "{}"), extra } as Message;
  const wired = { id: "a", type: "function", function: { name: "Read", arguments: "{}" } };
  assertEquals<unknown>(toWireMessage(message, { extra: "send" }), {
    reasoning_content: "Hm",
    role: "assistant",
    content: null,
    tool_calls: [{ extra_content: { signature: "s" }, ...wired }],
  });
  assertEquals<unknown>(toWireMessage(message, { extra: "drop" }), {
    role: "assistant",
    content: null,
    tool_calls: [wired],
  });
});
