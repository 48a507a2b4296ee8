import { assertEquals } from "@std/assert";

import type { RunEvent } from "../../../../../schemas/agent/events.ts";
import { EventStream } from "../../../../../runtime/cli/show/event_stream.ts";

Deno.test("EventStream shows no secret, also none that comes in pieces", async () => {
  const lines: RunEvent[] = [];
  const output = {
    write: (line: string) => Promise.resolve(void lines.push(JSON.parse(line))),
  };
  const stream = new EventStream(output, { secrets: ["hunter2secret"] });
  for (const text of ["it is hun", "ter2", "secret, or hunt"]) stream.emit({ type: "text.delta", text });
  stream.emit({ type: "tool.start", id: 1, tool: "X", arguments: { a: "hunter2secret" } });
  stream.emit({ type: "text.delta", text: "hunter2" });
  stream.emit({ type: "text.delta", text: "", restart: true });
  stream.emit({ type: "text.delta", text: "secret" });
  stream.emit({ type: "warning", message: "the end" });
  await stream.written;
  assertEquals(lines.map(({ type, ...event }) => [type, "text" in event ? event.text : ""]), [
    ["text.delta", "it is "],
    ["text.delta", "[redacted], or "],
    ["text.delta", "hunt"],
    ["tool.start", ""],
    // What was held back is gone with the text that begins again.
    ["text.delta", ""],
    ["text.delta", "secre"],
    ["text.delta", "t"],
    ["warning", ""],
  ]);
  assertEquals("arguments" in lines[3]! && lines[3].arguments, { a: "[redacted]" });
});
