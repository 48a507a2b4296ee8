import { assertEquals, assertRejects } from "@std/assert";

import { TaskEvents } from "../../../../../runtime/cli/report/task_events.ts";
import { answered, BAD } from "../../../../support/report/task_answers.ts";

function written(): { events: TaskEvents; lines: string[]; failed: unknown[]; full: { is: boolean } } {
  const lines: string[] = [];
  const failed: unknown[] = [];
  const full = { is: false };
  const write = (text: string) => {
    if (full.is) return Promise.reject(new Error("full"));
    lines.push(text);
    return Promise.resolve();
  };
  const mask = (line: string) => line.replaceAll("secret", "***");
  const events = new TaskEvents({ output: { write }, mask, onFail: (error) => failed.push(error) });
  return { events, lines, failed, full };
}

Deno.test(
  "TaskEvents tells the events of runs with their tasks, and one end of all",
  { permissions: "none" },
  async () => {
    const { events, lines } = written();
    events.emit("a", { type: "prompt" });
    events.emit("a", { type: "text.delta", text: "a secret" } as { type: string });
    events.end(answered("a", "x"), { isToldEnd: true });
    events.end(answered("b", "x", { usage: null }), { isToldEnd: true });
    events.end(BAD, { isToldEnd: false });
    await events.last(2, { interrupted: false });
    const all = lines.map((line) => JSON.parse(line));
    assertEquals(all.map(({ v, type, task }) => [v, type, task]), [
      [1, "text.delta", "a"],
      [1, "warning", 3],
      [1, "run.end", 3],
      [1, "run.end", undefined],
    ]);
    assertEquals([all[0].text, all[1].message, all[2].exit_code, all[2].termination_reason], [
      ...["a ***", "Cannot read line 3: x", 2, "not_started"],
    ]);
    const { exit_code, termination_reason, usage } = all[3];
    assertEquals([exit_code, termination_reason, usage.rounds, usage.cost], [2, "task_failed", 1, 0.0123]);
  },
);

Deno.test("TaskEvents says how it ended, and when its reader has gone", { permissions: "none" }, async () => {
  const { events, lines, failed, full } = written();
  await events.last(0, { interrupted: false });
  await events.last(130, { interrupted: true });
  assertEquals(lines.map((line) => JSON.parse(line).termination_reason), ["completed", "interrupted"]);
  full.is = true;
  events.emit("a", { type: "retry" });
  await assertRejects(() => events.written, Error, "full");
  assertEquals(failed.length, 1);
});
