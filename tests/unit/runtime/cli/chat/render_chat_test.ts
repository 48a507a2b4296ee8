import { assertEquals } from "@std/assert";

import { renderChat } from "../../../../../runtime/cli/chat/render_chat.ts";
import type { TraceLine } from "../../../../../schemas/agent/trace.ts";

const reply = (content: string, purpose: "turn" | "compact" = "turn") =>
  ({ t: "reply", purpose, reply: { content } }) as unknown as TraceLine;
const task = (...texts: string[]): TraceLine => ({
  t: "message",
  message: { role: "user", kind: "task", content: texts.map((text) => ({ type: "text", text })) },
});
const result = (id: string, ok: boolean, content = ""): TraceLine => ({
  ...{ t: "result", id, tool: "a/Read", ok, content, pictures: [], duration_ms: 1 },
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

const called = (id: string, tool: string): TraceLine[] => [
  reply(""),
  { t: "call", id, tool, arguments: {} },
];
const answered = (text: string): TraceLine => ({
  t: "message",
  message: { role: "user", kind: "clarification", content: [{ type: "text", text }] },
});
const ended = (answer: string | null): TraceLine =>
  ({ t: "end", time: "", outcome: { termination_reason: "completed", answer, error: null } }) as never;

Deno.test(
  "renderChat() tells questions with what was answered, and an answer that was given by a call",
  { permissions: "none" },
  () => {
    const lines = [
      task("Look it up"),
      ...called("1", "a/ask"),
      result("1", true, "Which\x1b[2J one?"),
      answered("The red one"),
      ...called("2", "a/finish"),
      result("2", true),
      ended("It is \x1b[31mred."),
      task("And now?"),
      ...called("3", "a/ask"),
      result("3", true, "When?"),
      ended("When?"),
      answered("Today"),
      reply("Well."),
      ended("Well."),
      ended(null),
    ];
    const [, text] = renderChat("s1", lines).split(/session `s1`\n\n/);
    assertEquals(
      text,
      `## You

Look it up

## Answer

- \`ask\`: ok

Which one?

## You

The red one

## Answer

- \`finish\`: ok

It is red.

## You

And now?

## Answer

- \`ask\`: ok

When?

## You

Today

## Answer

Well.
`,
    );
  },
);
