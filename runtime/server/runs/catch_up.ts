import { ToolError } from "../../../schemas/error.ts";
import { openTrace, readTrace } from "../../state/sessions/trace_file.ts";
import { tracePath } from "../../state/sessions/session_folder.ts";
import { lstat } from "../../walls/files/file_facts.ts";
import { lastEvent, readLog, RunLog } from "./run_log.ts";
import type { NumberedEvent } from "./runs.ts";
import { killedEnd, type TracedEvent, tracedRuns } from "./trace_events.ts";

/** How long it is waited for whoever holds a trace, in milliseconds. */
const HELD_MS = 50;

/** Where the events of a session are, and what must not be seen in them. */
export interface LogPlace {
  state: string;
  id: string;
  /** Path of its log. */
  path: string;
  secrets: readonly string[];
}

/**
 * Brings the log of a session that is not at work here up to date with its trace: what the command line did with it, and
 * the end of a run whose process was killed. Needs `read` and `write`.
 *
 * @returns Events behind those of the log that were not written, because another process is at work on the session
 * @throws {ToolError} What the system says, and `unavailable` for a damaged trace
 */
export async function catchUp(place: LogPlace): Promise<readonly NumberedEvent[]> {
  const { state, id, path, secrets } = place;
  const trace = tracePath(state, id);
  if (isUpToDate(path, trace)) return [];
  const held = await hold(trace);
  const missing = await missingEvents(place, { isOver: held !== null });
  if (held === null) {
    const last = lastEvent(path)?.n ?? 0;
    return missing.map(({ time, event }, at) => ({ n: last + at + 1, time, event }));
  }
  using _held = held;
  using log = new RunLog(path, secrets);
  for (const { time, event } of missing) log.write(event, time);
  return [];
}

/** The end of a run stands in its log later than in its trace. */
function isUpToDate(path: string, trace: string): boolean {
  const [log, kept] = [lstat(path), lstat(trace)];
  if (log === null || lastEvent(path)?.event.type !== "run.end") return false;
  return kept === null || (kept.mtime?.getTime() ?? 0) <= (log.mtime?.getTime() ?? 0);
}

/** `null` if another process is at work. */
async function hold(trace: string): Promise<Disposable | null> {
  // Nothing is made for a run that never began.
  if (lstat(trace) === null) return { [Symbol.dispose]() {} };
  try {
    return await openTrace(trace, { redact: (text) => text, waitMs: HELD_MS });
  } catch (error) {
    if (error instanceof ToolError && error.code === "conflict") return null;
    throw error;
  }
}

async function missingEvents(
  { state, id, path }: LogPlace,
  { isOver }: { isOver: boolean },
): Promise<TracedEvent[]> {
  const trace = tracePath(state, id);
  const runs = lstat(trace) === null ? [] : tracedRuns(await readTrace(trace));
  const told = await toldRuns(path);
  const missing: TracedEvent[] = [];
  const end = (time: string) => ({ time, event: killedEnd() });
  if (told.open !== null) {
    const known = runs.find(({ runId }) => runId === told.open!.runId);
    const isLast = known === undefined || known === runs.at(-1);
    if (known?.end) missing.push(known.end);
    else if (isOver || !isLast) missing.push(end(told.open.time));
  }
  for (const run of runs.filter(({ runId }) => !told.runs.has(runId))) {
    missing.push(...run.events);
    if (run.end) missing.push(run.end);
    else if (isOver || run !== runs.at(-1)) missing.push(end(run.events.at(-1)!.time));
  }
  return missing;
}

/** What a log tells: its runs, and the one that has not ended. */
interface ToldRuns {
  runs: Set<string>;
  open: { runId: string | null; time: string } | null;
}

async function toldRuns(path: string): Promise<ToldRuns> {
  const told: ToldRuns = { runs: new Set(), open: null };
  if (lstat(path) === null) return told;
  for await (const events of readLog(path, { after: 0, live: null })) {
    for (const { time, event } of events) {
      if (event.type === "run.end") told.open = null;
      else if (event.type === "run.start") {
        told.runs.add(event.run_id);
        told.open = { runId: event.run_id, time };
      } else told.open = { runId: told.open?.runId ?? null, time };
    }
  }
  return told;
}
