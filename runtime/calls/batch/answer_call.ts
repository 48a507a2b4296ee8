import type { ToolResult } from "../../../schemas/result.ts";
import { jsonLine } from "../../text/json_line.ts";
import { type BatchCall, findLate } from "./batch_calls.ts";
import { callTool, type CallToolOptions } from "../call_tool.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { failedResult } from "../failed_result.ts";
import type { Machine } from "../machine.ts";
import type { Judged } from "./expect.ts";

/** What a batch runs on. */
export interface BatchMachine extends Machine {
  catalog: Catalog;
  /** Adds the tools that sources have added since. */
  ready(options: { signal: AbortSignal }): Promise<unknown>;
}

/** Options of {@linkcode answerBatchCall}. */
export interface BatchCallOptions extends Omit<CallToolOptions, "machine" | "signal" | "onStart"> {
  signal: AbortSignal;
  /** Called when the call's turn has come, with its tool. */
  onStart?: (call: BatchCall) => void;
}

/** Runs one call of a batch, or says why its line is none. Never rejects but for a source that fails. */
export async function answerBatchCall(
  parsed: BatchCall,
  machine: BatchMachine,
  { signal, onStart: tellStart, ...heard }: BatchCallOptions,
): Promise<{ call: BatchCall; result: ToolResult }> {
  let call = parsed;
  let isTold = false;
  const onStart = () => {
    if (!isTold) tellStart?.(call);
    isTold = true;
  };
  if (!call.entry) {
    // It starts after the calls before it, as the others do. One of them may have added its tool.
    using _place = await machine.line.enter({ ...call, concurrency: null }, signal);
    await machine.ready({ signal });
    call = findLate(call, machine.catalog);
    if (!call.entry) {
      onStart();
      return { call, result: brokenCall(call) };
    }
  }
  const result = await callTool(call.entry, call.input, { ...heard, machine, signal, onStart });
  if (call.note !== null) result.warnings.unshift(call.note);
  // One that was cancelled while it waited.
  onStart();
  return { call, result };
}

function brokenCall({ toolName, error }: BatchCall): ToolResult {
  return failedResult({ full_name: toolName, error_lead: "" }, error!);
}

/** Returns the line of JSON that answers a call of a batch. */
export function answerLine(
  { id, expect }: Pick<BatchCall, "id" | "expect">,
  { result, met }: Judged,
): string {
  const answer: { id: BatchCall["id"]; expected?: boolean } & ToolResult = { id, ...result };
  return jsonLine(expect === null ? answer : { ...answer, expected: met });
}
