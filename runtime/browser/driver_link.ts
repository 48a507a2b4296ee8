import type { BrowserAnswer } from "../../schemas/browser/browser.ts";
import { ToolError } from "../../schemas/error.ts";
import { type DrivenPipe, DrivenProgram, type DriverKind } from "../programs/narrow/driven_program.ts";
import { cutBytes } from "../text/cut_bytes.ts";
import type { BrowserWork } from "./protocol.ts";

/** A running browser and the worker that drives it. */
export type DriverLink = DrivenProgram<BrowserWork, BrowserAnswer, DrivenPipe>;

/** Ends a message of the browser. */
const MESSAGE_END = 0;
/** Longest message of the browser, in bytes: a picture, or a page. */
const MAX_MESSAGE = 64 * 1024 * 1024;
/** Where downloads go in a sandbox, where it has the disk for itself. */
const DOWNLOADS = "/tmp/bulkhead-downloads";

const KIND: DriverKind = {
  what: "browser",
  entry: "browser",
  highWater: 4 * 1024 * 1024,
  openMs: 60_000,
  cut: (stdout, fail) => {
    const onTooLong = () => fail(new ToolError("limit_exceeded", "The browser sent too long a message"));
    return cutBytes(stdout, { at: MESSAGE_END, maxBytes: MAX_MESSAGE, onTooLong });
  },
};

/**
 * Starts a browser, and takes it.
 *
 * @param options `downloads` is the folder for its downloads, as it sees the disk; `null` for a browser of the user's, whose tabs
 * and downloads stay its own
 * @throws {ToolError} `unavailable` if it ends, or does not answer; what `start` throws
 */
export function openDriver(
  start: () => Promise<DrivenPipe>,
  { downloads = DOWNLOADS }: { downloads?: string | null } = {},
): Promise<DriverLink> {
  return DrivenProgram.open(KIND, async () => ({ pipe: await start(), begin: { downloads } }));
}
