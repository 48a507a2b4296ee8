import { assert, assertEquals } from "@std/assert";

import type { ToolContext } from "../../../../schemas/context.ts";
import type { SessionOutput, SessionRead } from "../../../../schemas/program.ts";
import { readTerminal } from "../../../../tools/harness/shared/read_terminal.ts";

/** A terminal whose shell only tells it something, and then a word. */
function scriptedTerminal(pieces: readonly string[]) {
  const waits: number[] = [];
  const left = [...pieces];
  const read = async (_id: string, { waitMs }: SessionRead): Promise<SessionOutput> => {
    waits.push(waitMs);
    const text = left.shift() ?? "";
    if (text === "") await new Promise((resolve) => setTimeout(resolve, waitMs));
    const stream = { head: "", text, droppedBytes: 0, remainingChars: 0 };
    const info = { id: "term_1", pid: 1, cwd: "/", alive: true, exitCode: null, reason: null };
    return { ...info, stdout: stream, stderr: stream, found: false };
  };
  const context = {
    deadline: Date.now() + 60_000,
    signal: new AbortController().signal,
    session: { get: () => Promise.resolve(undefined), set: () => Promise.resolve() },
    warn: () => {},
    programs: { read },
  } as unknown as ToolContext;
  return { context, waits };
}

const READING = { purpose: "read", maxChars: 100, view: "text" } as const;

Deno.test("readTerminal() waits no longer than asked", async () => {
  const { context, waits } = scriptedTerminal([]);
  await readTerminal(context, "term_1", { ...READING, waitMs: 40 });
  assertEquals(waits[0], 40);
  assert(waits.reduce((sum, wait) => sum + wait, 0) < 80, `${waits}`);
});

Deno.test("readTerminal() waits on after what shows nothing", async () => {
  const { context, waits } = scriptedTerminal(["\x1b[?2004l\r", "late\r\n"]);
  const { output } = await readTerminal(context, "term_1", { ...READING, waitMs: 10_000 });
  assertEquals([output, waits.length], ["late\n", 2]);
});

/** A terminal that has said everything before it is read. */
function finishedTerminal(whole: string) {
  let left = whole;
  const kept = new Map<string, unknown>();
  const read = (_id: string, { maxChars = Infinity, tellRest }: SessionRead): Promise<SessionOutput> => {
    const text = left.slice(0, maxChars);
    left = left.slice(text.length);
    const rest = tellRest ? { rest: left } : {};
    const stream = { head: "", text, droppedBytes: 0, remainingChars: left.length, ...rest };
    const info = { id: "term_1", pid: 1, cwd: "/", alive: true, exitCode: null, reason: null };
    return Promise.resolve({ ...info, stdout: stream, stderr: stream, found: false });
  };
  return {
    deadline: Date.now() + 60_000,
    signal: new AbortController().signal,
    session: {
      get: (key: string) => Promise.resolve(kept.get(key)),
      set: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
    },
    warn: () => {},
    programs: { read },
  } as unknown as ToolContext;
}

Deno.test("readTerminal() counts what remains as the next read shows it", async () => {
  const lines = "one\r\n\x1b[1mtwo\x1b[0m\r\n10%\r20%\r\nthree\r\n";
  for (let maxChars = 1; maxChars < lines.length; maxChars++) {
    const context = finishedTerminal(lines);
    const first = await readTerminal(context, "term_1", { ...READING, maxChars, waitMs: 0 });
    const second = await readTerminal(context, "term_1", { ...READING, maxChars: 1000, waitMs: 0 });
    assertEquals(
      [first.remaining_output_chars, first.truncated],
      [second.output.length, second.output.length > 0],
      `after ${maxChars}`,
    );
    assertEquals([second.remaining_output_chars, second.truncated], [0, false]);
  }
  const raw = await readTerminal(finishedTerminal(lines), "term_1", {
    ...READING,
    view: "raw",
    maxChars: 4,
    waitMs: 0,
  });
  assertEquals(raw.remaining_output_chars, lines.length - 4);
});
