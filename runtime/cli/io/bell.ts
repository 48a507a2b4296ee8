import { type Io, printError } from "./io.ts";

/** Shortest work at whose end a person is called, in milliseconds: they may be elsewhere by then. */
export const LONG_MS = 30_000;

/** Calls the person at the terminal. */
export type Bell = () => Promise<void>;

/** Makes the bell of a terminal; silent without one, in CI, and if `BULKHEAD_BELL` is `off`. Needs `env`, only now. */
export function makeBell(io: Io): Bell {
  const rings = io.stderrWidth() !== null && !io.env("CI") && io.env("BULKHEAD_BELL") !== "off";
  return async () => {
    if (rings) await printError(io, "\x07");
  };
}
