import { ToolError } from "../../../schemas/error.ts";
import type { TraceLine } from "../../../schemas/agent/trace.ts";
import { sessionFolder } from "../tool_state.ts";
import { checkPictures, checkSession } from "./check_session.ts";
import { findSession, newSessionId, tracePath } from "./session_folder.ts";
import { openTrace, readTrace, type Trace } from "./trace_file.ts";

/** A session of an agent that belongs to this run until it is disposed of. */
export interface AgentSession extends Disposable {
  id: string;
  /** Its own folder: state of tools, artifacts, trace. */
  folder: string;
  trace: Trace;
  /** What earlier runs of it left; empty for a new one. */
  earlier: readonly TraceLine[];
  /** Leaves nothing behind of a new session when it is disposed of. */
  forget(): void;
}

/** Options of {@linkcode openSession}. */
export interface SessionOptions {
  /** `true` goes on with the workspace's newest session, a text with the one of that id. @default a new session */
  resume?: true | string | undefined;
  /** Id of a new session. @default one made of the time */
  id?: string | undefined;
  /** Absolute, real path. */
  workspace: string;
  /** Masks the secrets of a text. */
  redact(text: string): string;
  now: Date;
}

/**
 * Opens a session for one run of an agent. Needs `read` and `write`.
 *
 * @param state Where bulkhead keeps what outlives a run
 * @throws {ToolError} `not_found` if there is no session to resume, `conflict` if another run uses it or a
 * new one would have the id of an old one, `unavailable` for a damaged trace, `configuration` for what others could have
 * written
 */
export async function openSession(state: string, options: SessionOptions): Promise<AgentSession> {
  const { resume, workspace, redact, now } = options;
  const id = resume === undefined
    ? options.id ?? newSessionId(now)
    : await findSession(state, { id: resume === true ? null : resume, workspace });
  checkSession(state, id);
  const trace = await openTrace(tracePath(state, id), { redact });
  try {
    if (resume === undefined && !trace.isEmpty) {
      throw new ToolError(
        "conflict",
        `Session "${id}" is there already: go on with it by --resume ${id}, or choose another id`,
      );
    }
    const earlier = resume === undefined ? [] : await readTrace(trace.path);
    if (resume !== undefined && earlier.length === 0) {
      throw new ToolError("not_found", `Session "${id}" ended before it began: there is nothing to resume`);
    }
    const folder = sessionFolder(state, id);
    checkPictures(earlier, { id, folder });
    // Nobody else knows its id.
    const isOurs = resume === undefined && options.id === undefined;
    let isForgotten = false;
    return {
      ...{ id, folder, trace, earlier },
      forget: () => void (isForgotten = resume === undefined),
      [Symbol.dispose]: () => close(trace, { folder, isOurs, isForgotten }),
    };
  } catch (error) {
    trace[Symbol.dispose]();
    throw error;
  }
}

/** A run that ended before it began leaves nothing behind in a folder of its own. */
function close(
  trace: Trace,
  { folder, isOurs, isForgotten }: { folder: string; isOurs: boolean; isForgotten: boolean },
): void {
  const { isEmpty, path } = trace;
  trace[Symbol.dispose]();
  if (!isForgotten && !(isEmpty && isOurs)) return;
  try {
    Deno.removeSync(path);
    Deno.removeSync(folder, { recursive: isForgotten && isOurs });
  } catch {
    // Tools have kept something in it.
  }
}
