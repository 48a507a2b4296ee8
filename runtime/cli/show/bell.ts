import { type Io, printError } from "../io/io.ts";

/** Shortest work at whose end a person is called, in milliseconds: they may be elsewhere by then. */
export const LONG_MS = 30_000;

/** Calls the person at the terminal, unless `BULKHEAD_BELL` is `off`. */
export async function ringBell(io: Io): Promise<void> {
  if (io.stderrWidth() !== null && !io.env("CI") && io.env("BULKHEAD_BELL") !== "off") {
    await printError(io, "\x07");
  }
}
