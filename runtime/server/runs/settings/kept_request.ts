import { join } from "@std/path";
import type { z } from "zod";

import type { AgentUsage } from "../../../../schemas/agent/agent.ts";
import { type ErrorInfo, ToolError } from "../../../../schemas/error.ts";
import { isObject } from "../../../../schemas/json/shape.ts";
import { sessionFolder } from "../../../state/tool_state.ts";
import { systemError } from "../../../walls/files/system_error.ts";
import { readNamedText } from "../../../walls/files/open_plain.ts";
import type { StartRun } from "../../api/run_schemas.ts";

/** What a request chose for its run, and for all runs that go on with it. */
export interface RunChoice
  extends Pick<z.infer<typeof StartRun>, "agent" | "model" | "grants" | "limits" | "output_schema" | "ask"> {
  extraBody?: Readonly<Record<string, unknown>> | undefined;
  /** With `ask: false`: how long consents wait nevertheless, in seconds. @default they are refused at once */
  consentSeconds?: number | undefined;
}

/** What is to be said to the model. */
export interface SaidPrompt {
  /** `null` goes on where the run stopped. */
  prompt: string | null;
  before: string | null;
  /** Paths in the session's own folder. */
  images: readonly string[];
}

/** A request as its session keeps it, so that a run that waits is not lost with the server. */
export interface KeptRequest {
  v: 1;
  /** ISO 8601. */
  time: string;
  /** Real path. */
  workspace: string;
  /** The first thing that was asked for, cut. */
  task: string;
  client: string;
  choice: RunChoice;
  /** `null` once the model has been asked: then it stands in the trace. */
  said: SaidPrompt | null;
  /** Why the run could not begin. */
  failure: ErrorInfo | null;
  /** What it used before it was gone on with. @default nothing is known */
  used?: AgentUsage | null;
  /** What it has used since, as long as no trace says so: a process that is killed tells nothing more. */
  going?: AgentUsage | null;
}

const NAME = "served.json";
/** Folder of the pictures of a run that has not begun. */
const INBOX = "inbox";
/** Longest task that is told, in characters. */
const MAX_TASK = 200;

/** Returns the folder for pictures of a request. */
export function inboxOf(state: string, id: string): string {
  return join(sessionFolder(state, id), INBOX);
}

/** Cuts a task for a list. */
export function shortTask(prompt: string): string {
  const text = prompt.trim();
  return text.length > MAX_TASK ? `${[...text.slice(0, MAX_TASK)].slice(0, -1).join("")}…` : text;
}

/**
 * Keeps a request with its session, whole or not at all. Needs `write`.
 *
 * @throws {ToolError} What the system says
 */
export function keepRequest(state: string, id: string, request: KeptRequest): void {
  const path = join(sessionFolder(state, id), NAME);
  const temporary = `${path}.${crypto.randomUUID()}`;
  try {
    Deno.writeTextFileSync(temporary, JSON.stringify(request), { createNew: true, mode: 0o600 });
    Deno.renameSync(temporary, path);
  } catch (error) {
    discard(temporary);
    throw systemError(error, "write", path);
  }
}

/** A full disk must not be filled further. */
function discard(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It was never there.
  }
}

/** Returns the request of a session; `null` if it was not begun here. Needs `read`. */
export function readKeptRequest(state: string, id: string): KeptRequest | null {
  const path = join(sessionFolder(state, id), NAME);
  try {
    const value: unknown = JSON.parse(readNamedText(path));
    return isObject(value) && value.v === 1 ? value as unknown as KeptRequest : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return null;
    throw systemError(error, "read", path);
  }
}

/** The model has been asked: what was said stands in the trace now. Needs `write`. */
export function markBegun(state: string, id: string, request: KeptRequest): KeptRequest {
  const begun = { ...request, said: null, failure: null };
  keepRequest(state, id, begun);
  try {
    Deno.removeSync(inboxOf(state, id), { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw systemError(error, "remove", inboxOf(state, id));
  }
  return begun;
}

/** Returns the folder of a session; `null` for what cannot be the id of one. */
export function folderOrNull(state: string, id: string): string | null {
  try {
    return sessionFolder(state, id);
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}
