import { assertEquals } from "@std/assert";

import { renderChat } from "../../../../runtime/cli/chat/render_chat.ts";
import type { TraceLine } from "../../../../schemas/agent/trace.ts";

const reply = (content: string, purpose: "turn" | "compact" = "turn") =>
  ({ t: "reply", purpose, reply: { content } }) as unknown as TraceLine;
const task = (...texts: string[]): TraceLine => ({
  t: "message",
  message: { role: "user", kind: "task", content: texts.map((text) => ({ type: "text", text })) },
});
const result = (id: string, ok: boolean): TraceLine => ({
  ...{ t: "result", id, tool: "a/Read", ok, content: "", pictures: [], duration_ms: 1 },
  error: ok ? null : { code: "not_found", message: "no", retryable: false, details: {} },
});

Deno.test(
  "renderChat() tells what was said and done, and steers no terminal",
  { permissions: "none" },
  () => {
    const lines: TraceLine[] = [
      { t: "run", v: 1, time: "2026-01-02T03:04:05Z", model: "m", workspace: "/ws" } as unknown as TraceLine,
      { t: "message", message: { role: "system", content: "system" } },
      {
        t: "message",
        message: { role: "user", kind: "project", content: [{ type: "text", text: "project" }] },
      },
      task("What is `it`?\x1b[2J", "<file>\n```\ncode\n```\n</file>"),
      reply("\x1b[31mI look.\x1b[0m"),
      { t: "call", id: "1", tool: "a/Read", arguments: { path: "a`b" } },
      result("1", true),
      { t: "call", id: "2", tool: "a/Read", arguments: { path: "c" } },
      result("2", false),
      { t: "call", id: "3", tool: "a/Read", arguments: {} },
      reply("It is x.\n"),
      reply("summary", "compact"),
      task("And now?"),
      {
        t: "end",
        time: "",
        outcome: { termination_reason: "interrupted", error: { message: "stopped" } },
      } as never,
    ];
    const expected = `# Chat

session \`s1\`, model \`m\`, workspace \`/ws\`, 2026-01-02T03:04:05Z

## You

What is \`it\`?

\`\`\`\`
<file>
\`\`\`
code
\`\`\`
</file>
\`\`\`\`

## Answer

I look.

- \`\`Read path=a\`b\`\`: ok
- \`Read path=c\`: not_found
- \`Read\`: no result

It is x.

## You

And now?

*The turn ended: interrupted: stopped*
`;
    assertEquals(renderChat("s1", lines), expected);
  },
);
