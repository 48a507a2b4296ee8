import { join } from "@std/path";

import type { AgentOutcome, AgentTermination } from "../../../schemas/agent/agent.ts";
import { ToolError } from "../../../schemas/error.ts";
import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import type { TraceLine } from "../../../schemas/agent/trace.ts";
import { checkSession } from "./check_session.ts";
import { sessionFolder } from "../tool_state.ts";
import { decodeTraceLine } from "./decode_trace.ts";
import { type OpenPlain, openPlain } from "../../walls/files/open_plain.ts";

/** What is known of a session without reading all of it. */
export interface SessionInfo {
  id: string;
  workspace: string;
  model: string;
  /** The first thing that was asked for, cut after 200 characters. */
  task: string;
  /** ISO 8601. */
  started: string;
  /** When it last changed, ISO 8601. */
  updated: string;
  /** How its last run ended; `null` if it still runs, or died. */
  termination: AgentTermination | null;
  /** Rounds of its last run; `null` if it has not ended. */
  rounds: number | null;
  /** Size of its trace. */
  bytes: number;
}

/** What a session's trace says at its beginning and at its end. */
export interface SessionEnds {
  info: SessionInfo;
  /** How its first run began. */
  run: RunLine;
  /** How its last run ended; `null` if it still runs, or died. */
  outcome: AgentOutcome | null;
}

type RunLine = Extract<TraceLine, { t: "run" }>;

/** What is read first of a trace's beginning and end, in bytes: it mostly does. */
const SOME_BYTES = 16 * 1024;
/** How much is read of a trace's beginning, in bytes: its first run, and what was asked for. */
const HEAD_BYTES = 256 * 1024;
/** How much is read of its end: the last line. */
const TAIL_BYTES = 512 * 1024;
/** Longest task that is told, in characters. */
const MAX_TASK = 200;

/**
 * Returns where a session keeps its trace. Throws {@linkcode ToolError} `invalid_input` for an invalid id.
 */
export function tracePath(state: string, id: string): string {
  return join(sessionFolder(state, id), "trace.jsonl");
}

/** Makes the id of a new session: its time, so that ids sort by it, and something random. */
export function newSessionId(now: Date): string {
  const [date = "", time = ""] = now.toISOString().replace(/[-:]/g, "").split(/[T.]/);
  return `${date}-${time}-${crypto.randomUUID().slice(0, 8)}`;
}

/**
 * Finds the session to go on with: the one of the id, or the only one whose id begins so; without an id the one of the
 * workspace that changed last. Needs `read`.
 *
 * @param state Where bulkhead keeps what outlives a run
 * @throws {ToolError} `invalid_input` if there is none, `configuration` for one that others could have written
 */
export async function findSession(
  state: string,
  wanted: { id: string | null; workspace: string },
): Promise<string> {
  const id = await findId(state, wanted);
  checkSession(state, id);
  return id;
}

async function findId(
  state: string,
  wanted: { id: string | null; workspace: string },
): Promise<string> {
  const { id, workspace } = wanted;
  if (id !== null) {
    if (statOrNull(tracePath(state, id))) return id;
    const ids = (await listTraces(state)).map((trace) => trace.id);
    const begun = ids.filter((other) => other.startsWith(id));
    if (begun.length === 1) return begun[0]!;
    if (begun.length > 1) throw ambiguous(id, begun);
    const candidates = nearest(id, ids);
    const hint = candidates.length > 0 ? `${didYouMean(candidates)} See` : ", see";
    throw new ToolError("invalid_input", `There is no session "${id}"${hint}: bulkhead sessions`, {
      details: { candidates },
    });
  }
  for (const trace of await listTraces(state)) {
    if (describe(trace)?.info.workspace === workspace) return trace.id;
  }
  throw new ToolError("invalid_input", `No session of "${workspace}" to resume, see: bulkhead sessions`);
}

function ambiguous(start: string, ids: readonly string[]): ToolError {
  const shown = `${ids.slice(0, 3).join(", ")}${ids.length > 3 ? ` and ${ids.length - 3} more` : ""}`;
  return new ToolError(
    "invalid_input",
    `Several sessions begin with "${start}": ${shown}; write more of the id`,
    {
      details: { candidates: ids },
    },
  );
}

/** Lists the sessions of agents, the one that changed last first. Needs `read`. */
export async function listSessions(state: string): Promise<SessionInfo[]> {
  return (await listSessionEnds(state)).map(({ info }) => info);
}

/**
 * Lists the sessions with how they began and ended, the one that changed last first. Needs `read`.
 *
 * @param seen What an earlier list found, by id: what has not changed since is not read again. It is brought up to date
 */
export async function listSessionEnds(
  state: string,
  seen = new Map<string, SessionEnds>(),
): Promise<SessionEnds[]> {
  const traces = await listTraces(state);
  const there = new Set(traces.map(({ id }) => id));
  for (const id of seen.keys()) if (!there.has(id)) seen.delete(id);
  return traces.flatMap((trace) => {
    const { bytes, updated } = seen.get(trace.id)?.info ?? {};
    const isSame = bytes === trace.size && updated === trace.mtime.toISOString();
    const ends = isSame ? seen.get(trace.id)! : describe(trace);
    if (ends !== null) seen.set(trace.id, ends);
    return ends ?? [];
  });
}

/** Returns how a session began and ended; `null` if there is none, or if it ended before it began. Needs `read`. */
export function sessionEnds(state: string, id: string): SessionEnds | null {
  const path = pathOrNull(state, id);
  const info = path === null ? null : statOrNull(path);
  return path === null || info === null
    ? null
    : describe({ id, path, size: info.size, mtime: info.mtime ?? new Date(0) });
}

interface TraceStat {
  id: string;
  path: string;
  size: number;
  mtime: Date;
}

/** Skips entries in the folder that are not sessions of an agent. */
async function listTraces(state: string): Promise<TraceStat[]> {
  const found: TraceStat[] = [];
  try {
    for await (const { name, isDirectory } of Deno.readDir(join(state, "sessions"))) {
      const path = isDirectory ? pathOrNull(state, name) : null;
      const info = path === null ? null : statOrNull(path);
      if (path !== null && info) {
        found.push({ id: name, path, size: info.size, mtime: info.mtime ?? new Date(0) });
      }
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return found.sort((a, b) => b.mtime.getTime() - a.mtime.getTime() || (a.id < b.id ? 1 : -1));
}

function pathOrNull(state: string, name: string): string | null {
  try {
    return tracePath(state, name);
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}

function statOrNull(path: string): Deno.FileInfo | null {
  try {
    const info = Deno.lstatSync(path);
    return info.isFile ? info : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return null;
    throw error;
  }
}

/** `null` for a trace without a whole first line. */
function describe({ id, path, size, mtime }: TraceStat): SessionEnds | null {
  using file = openPlain(path, { follows: true });
  // It was removed just now.
  if (file === null) return null;
  const { run, task } = beginningOf(file, size);
  if (run === null) return null;
  const last = lastLine(file, size);
  const outcome = last?.t === "end" ? last.outcome : null;
  const info = {
    id,
    workspace: run.workspace,
    model: run.model,
    task: task ?? "",
    started: run.time,
    updated: mtime.toISOString(),
    termination: outcome?.termination_reason ?? null,
    rounds: outcome?.usage.rounds ?? null,
    bytes: size,
  };
  return { info, run, outcome };
}

/** Most tasks stand near the beginning. */
function beginningOf(file: OpenPlain, size: number): { run: RunLine | null; task: string | null } {
  let found: { run: RunLine | null; task: string | null } = { run: null, task: null };
  for (const most of [SOME_BYTES, HEAD_BYTES]) {
    found = { run: null, task: null };
    for (const text of readAt(file, 0, Math.min(size, most)).split("\n")) {
      const line = lineOrNull(text);
      if (line?.t === "run") found.run ??= line;
      found.task ??= line === null ? null : taskOf(line);
      if (found.run !== null && found.task !== null) return found;
    }
    if (size <= most) break;
  }
  return found;
}

/** Returns the last whole line of a trace's end. */
function lastLine(file: OpenPlain, size: number): TraceLine | null {
  for (const most of [SOME_BYTES, TAIL_BYTES]) {
    const length = Math.min(size, most);
    const last = readAt(file, size - length, length).split("\n").reverse().reduce<TraceLine | null>(
      (found, text) => found ?? lineOrNull(text),
      null,
    );
    if (last !== null || length === size) return last;
  }
  return null;
}

function readAt(file: OpenPlain, start: number, length: number): string {
  const bytes = new Uint8Array(length);
  let done = 0;
  for (let read = 1; read > 0; done += read) read = file.readAt(bytes.subarray(done), start + done);
  return new TextDecoder().decode(bytes.subarray(0, done));
}

/** `null` for a line that the piece of the file cuts in two. */
function lineOrNull(text: string): TraceLine | null {
  if (text === "") return null;
  try {
    return decodeTraceLine(JSON.parse(text), "it");
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ToolError) return null;
    throw error;
  }
}

/** `null` for a line that asks for nothing. */
function taskOf(line: TraceLine): string | null {
  if (line.t !== "message" || line.message.role !== "user" || line.message.kind !== "task") return null;
  const text = line.message.content.map((part) => part.type === "text" ? part.text : "").join("\n").trim();
  return text.length > MAX_TASK ? `${[...text.slice(0, MAX_TASK)].slice(0, -1).join("")}…` : text;
}
