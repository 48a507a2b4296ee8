import { assertEquals } from "@std/assert";

import { renderSession } from "../../../../../runtime/cli/show/render_session.ts";
import type { ModelReply, Purpose } from "../../../../../schemas/agent/model.ts";

Deno.test("renderSession() tells whom the model answered", { permissions: "none" }, () => {
  const purposes: Purpose[] = ["turn", "tool", "server", "compact"];
  const lines = purposes.map((purpose) => ({
    t: "reply" as const,
    purpose,
    reply: replyOf(`for ${purpose}`),
  }));
  assertEquals(renderSession("s1", lines).split("\n"), [
    "session s1",
    "for turn",
    "[the model answered a tool]",
    "  for tool",
    "[the model answered an MCP server]",
    "  for server",
    "",
  ]);
});

function replyOf(content: string): ModelReply {
  return { content, tool_calls: [], finish: "stop", usage: null };
}
