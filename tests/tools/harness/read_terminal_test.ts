import { assert, assertEquals } from "@std/assert";

import type { ToolContext } from "../../../schemas/context.ts";
import type { SessionOutput, SessionRead } from "../../../schemas/program.ts";
import { readTerminal } from "../../../tools/harness/shared/read_terminal.ts";

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
