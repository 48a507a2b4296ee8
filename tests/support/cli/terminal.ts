import { assert, assertEquals } from "@std/assert";

import { boxWorks } from "../box.ts";
import { type Conversation, converse } from "./conversation.ts";
import type { Answer, Scene } from "./scene.ts";

/** Flags to run programs: with the box where there is one, and without. */
export const PLACES: Readonly<Record<string, readonly string[]>> = {
  ...(boxWorks ? { "in a box": [] } : {}),
  "without a box": ["--sandbox=off", "--allow-run"],
};
/** Flags to run programs in the better place of this machine. */
export const ANYWHERE: readonly string[] = Object.values(PLACES)[0]!;
/** Longest wait for output, in milliseconds: a machine may be busy, and output that pauses comes back sooner. */
export const PATIENT = 20_000;
const BATCH_MS = 300_000;

export class Terminal {
  readonly batch: Conversation;
  readonly id: string;

  private constructor(batch: Conversation, id: string) {
    this.batch = batch;
    this.id = id;
  }

  static async open(batch: Conversation, input: Record<string, unknown> = {}): Promise<Terminal> {
    const { ok, text, result } = await batch.call("TerminalStart", input);
    assertEquals(ok, true, text);
    return new Terminal(batch, (result as { session_id: string }).session_id);
  }

  call(tool: string, input: Record<string, unknown> = {}): Promise<Answer> {
    return this.batch.call(tool, { session_id: this.id, ...input });
  }

  /** Types without a line end, and reads nothing. */
  async press(keys: string): Promise<void> {
    await this.call("TerminalWrite", {
      input: keys,
      append_newline: false,
      yield_time_ms: 0,
      view: "raw",
      max_output_chars: 1,
    });
  }

  /** Types without a line end, and reads until a text stands in the output or on the screen; returns what was seen. */
  async type(keys: string, expected: string, view: "text" | "screen" = "text"): Promise<string> {
    const typing = { input: keys, append_newline: false, yield_time_ms: PATIENT, view };
    let seen = outputOf(await this.call("TerminalWrite", typing));
    for (let turn = 0; turn < 40 && !seen.includes(expected); turn++) {
      const more = outputOf(await this.call("TerminalRead", { yield_time_ms: 500, view }));
      seen = view === "screen" ? more : seen + more;
    }
    assert(seen.includes(expected), `${JSON.stringify(expected)} is not in ${JSON.stringify(seen)}`);
    return seen;
  }
}

export function outputOf({ ok, text, result }: Answer): string {
  assertEquals(ok, true, text);
  return (result as { output: string }).output;
}

/** Runs a test's steps in a batch, which is ended after them. */
export async function inBatch(
  scene: Scene,
  flags: readonly string[],
  steps: (batch: Conversation) => Promise<void>,
): Promise<void> {
  const batch = converse(scene, flags, { timeoutMs: BATCH_MS });
  try {
    await steps(batch);
  } finally {
    await batch.end();
  }
}
