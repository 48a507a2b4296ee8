import type { DesktopAction, DesktopAnswer } from "../../schemas/desktop/desktop.ts";
import { type DrivenPipe, DrivenProgram, type DriverKind } from "../programs/narrow/driven_program.ts";
import type { Greeting } from "./protocol.ts";

/** A connection to a display and the worker that drives it. */
export type DisplayLink = DrivenProgram<DesktopAction, DesktopAnswer>;

const KIND: DriverKind = {
  what: "desktop",
  entry: "desktop",
  highWater: 16 * 1024 * 1024,
  openMs: 30_000,
  async *cut(stdout) {
    // Always a copy: it goes to another thread, with its memory.
    for await (const chunk of stdout) yield new Uint8Array(chunk);
  },
};

/**
 * Takes a connection to a display that was just made.
 *
 * @throws {ToolError} `unavailable` if the display ends, or does not answer
 */
export function openDisplay(pipe: DrivenPipe, greeting: Greeting): Promise<DisplayLink> {
  return DrivenProgram.open(KIND, () => Promise.resolve({ pipe, begin: greeting }));
}
