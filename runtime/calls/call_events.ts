import type { CallId, RunEvent } from "../../schemas/agent/events.ts";
import type { Progress } from "../../schemas/context.ts";
import type { ProgramEvent } from "../../schemas/program.ts";
import type { ToolResult } from "../../schemas/result.ts";
import { callTool, type CallToolOptions } from "./call_tool.ts";
import type { CatalogEntry } from "./catalog/catalog.ts";
import { refusalEvent } from "./results/refusal_event.ts";

/** What a call tells while it runs. */
export interface CallEvents {
  onProgress(progress: Progress): void;
  onProgram(event: ProgramEvent): void;
  onConfirm: NonNullable<CallToolOptions["onConfirm"]>;
}

/** Makes what turns all that happens in a call into events of its run; start and end are the caller's. */
export function callEvents(id: CallId, emit: (event: RunEvent) => void): CallEvents {
  return {
    onProgress: (progress) => emit({ type: "tool.progress", id, ...progress }),
    onProgram: (event) => emit({ id, ...event }),
    onConfirm(state) {
      if (state === "confirmed") emit({ type: "permission", id, decision: "confirmed" });
    },
  };
}

/** Options of {@linkcode tellCall}. */
export interface ToldCall extends CallToolOptions {
  id: CallId;
  emit(event: RunEvent): void;
}

/** Runs one call and tells all of it: its start, what happens in it, and its end. */
export async function tellCall(entry: CatalogEntry, input: unknown, call: ToldCall): Promise<ToolResult> {
  const { id, emit, onProgress, ...options } = call;
  const heard = callEvents(id, emit);
  let isTold = false;
  const onStart = () => {
    if (!isTold) emit({ type: "tool.start", id, tool: entry.tool.full_name, arguments: input });
    isTold = true;
  };
  const result = await callTool(entry, input, {
    ...options,
    ...heard,
    onStart,
    onProgress(progress) {
      onProgress?.(progress);
      heard.onProgress(progress);
    },
  });
  // One that was cancelled while it waited.
  onStart();
  const refused = refusalEvent(id, result.error);
  if (refused !== null) emit(refused);
  emit({ type: "tool.end", id, result });
  return result;
}

/** Makes what passes events on to a listener that may fail: a call goes on without it. */
export function listener(onEvent: ((event: RunEvent) => void) | undefined): (event: RunEvent) => void {
  return (event) => {
    try {
      onEvent?.(event);
    } catch {
      // The failure is the listener's own affair.
    }
  };
}
