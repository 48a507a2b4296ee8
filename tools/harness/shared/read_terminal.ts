import * as z from "zod";

import type { ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { SessionOutput, SessionRead, UnreadOutput } from "../../../schemas/program.ts";
import { drawScreen } from "../../engine/program/draw_screen.ts";
import { plainTerminalText, splitUnfinished } from "../../engine/program/plain_terminal_text.ts";
import { withSessionWords } from "./session_words.ts";
import { factsOf, type TerminalOutput } from "./terminal_text.ts";

const DEFAULT_YIELD_MS = 200;
const DEFAULT_MAX_CHARS = 16_384;
/** Output that pauses for this part of the wait, within these bounds in milliseconds, is taken to be complete. */
const QUIET_PART = 0.25;
const QUIET_MS = { least: 100, most: 500 };
/** Part of the call's time that is kept for returning the output. */
const MARGIN_MS = 100;
const INTEGERS = "yield_time_ms and max_output_chars must be integers.";

/** Argument of all tools that read a terminal. */
export const maxOutputChars = z.int({ error: INTEGERS }).meta({ minimum: 1 }).default(DEFAULT_MAX_CHARS)
  .describe(
    "Maximum number of characters of output to take; the rest stays for the next read.",
  );
/** Argument of all tools that read a terminal. */
export const view = z.enum(["text", "screen", "raw"]).default("text").describe(
  "text: new output as plain lines, without control sequences. screen: what the terminal shows now, for full-screen " +
    "programs. raw: new output with all that was written over; its control sequences are in the structured result alone.",
);
/** Argument of the tools that wait for output. */
export const yieldTimeMs = z.int({ error: INTEGERS }).meta({ minimum: 0 }).default(DEFAULT_YIELD_MS).describe(
  "Longest time to wait for output, in milliseconds; output that pauses is returned earlier.",
);

/** How a terminal is to be read. */
export interface TerminalReading {
  /** What the reading is for, in the words of the document: "read", "write to", "interrupt". */
  purpose: string;
  waitMs: number;
  maxChars: number;
  view: z.output<typeof view>;
}

/** Refuses wrong limits before anything is done to the terminal. */
export function checkReading({ waitMs, maxChars }: { waitMs: number; maxChars: number }): void {
  if (waitMs < 0) throw new ToolError("invalid_input", "yield_time_ms must be >= 0.");
  if (maxChars <= 0) throw new ToolError("invalid_input", "max_output_chars must be > 0.");
}

/** Waits for output of a terminal and takes it, as plain lines, as the screen, or as it came. */
export async function readTerminal(
  context: ToolContext,
  id: string,
  { purpose, waitMs, maxChars, view }: TerminalReading,
): Promise<TerminalOutput> {
  const read = {
    waitMs: boundWait(waitMs, context),
    ...(view === "screen" ? {} : { maxChars }),
    ...(view === "text" && { tellRest: true }),
  };
  const { stdout, ...info } = await withSessionWords(
    { purpose, id },
    () => readVisible(context, id, read),
  );
  const { output, remaining } = view === "text"
    ? await readText(context, { id, stdout, isLast: !info.alive })
    : {
      output: view === "raw" ? stdout.text : await readScreen(context, id),
      remaining: stdout.remainingChars,
    };
  return {
    ...factsOf(info),
    truncated: remaining > 0,
    remaining_output_chars: remaining,
    dropped_output_chars: stdout.droppedBytes,
    output,
  };
}

function boundWait(asked: number, context: ToolContext): number {
  const left = Math.max(0, context.deadline - Date.now() - MARGIN_MS);
  if (asked <= left) return asked;
  context.warn(`yield_time_ms ${asked} was lowered to ${left}, the longest time of this call`);
  return left;
}

/**
 * Shells send the terminal codes for each line that they take: output that shows nothing does not end the
 * wait.
 */
async function readVisible(
  { programs, signal }: ToolContext,
  id: string,
  { waitMs, ...limits }: Pick<SessionRead, "waitMs" | "maxChars" | "tellRest">,
): Promise<SessionOutput> {
  const end = Date.now() + waitMs;
  const quietMs = quietness(waitMs);
  let taken = await programs.read(id, { ...limits, waitMs, quietMs });
  for (let left = end - Date.now(); left > 0; left = end - Date.now()) {
    const { stdout, alive } = taken;
    if (!alive || signal.aborted || stdout.remainingChars > 0 || plainTerminalText(stdout.text) !== "") break;
    const more = await programs.read(id, { ...limits, waitMs: left, quietMs });
    taken = { ...more, stdout: { ...more.stdout, text: stdout.text + more.stdout.text } };
  }
  return taken;
}

function quietness(waitMs: number): number {
  return Math.min(waitMs, QUIET_MS.most, Math.max(QUIET_MS.least, waitMs * QUIET_PART));
}

async function readScreen(context: ToolContext, id: string): Promise<string> {
  const source = await context.programs.screen(id);
  const { text, state } = await drawScreen(source);
  await context.programs.keepScreen(id, { state, mark: source.mark });
  if (source.incomplete) {
    context.warn("Some output was dropped before it was drawn: parts of the screen may be wrong");
  }
  return text;
}

/**
 * An escape sequence that is cut in the middle waits for the next read. What remains is counted as that read will show
 * it.
 */
async function readText(
  context: ToolContext,
  { id, stdout, isLast }: { id: string; stdout: UnreadOutput; isLast: boolean },
): Promise<{ output: string; remaining: number }> {
  const key = `terminal:${id}:unfinished`;
  const before = await context.session.get(key);
  const whole = (typeof before === "string" ? before : "") + stdout.text;
  const { text, rest } = isLast ? { text: whole, rest: "" } : splitUnfinished(whole);
  if (rest !== (before ?? "")) await context.session.set(key, rest);
  const remaining = stdout.remainingChars === 0 ? 0 : plainTerminalText(rest + (stdout.rest ?? "")).length;
  return { output: plainTerminalText(text), remaining };
}
