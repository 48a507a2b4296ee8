import { ToolError } from "../../../schemas/error.ts";
import type { RunEvent } from "../../../schemas/agent/events.ts";
import type { ToolResult } from "../../../schemas/result.ts";
import { callEvents } from "../../calls/call_events.ts";
import { callTool } from "../../calls/call_tool.ts";
import type { CatalogEntry } from "../../calls/catalog/catalog.ts";
import { findTool, noteOnName } from "../../calls/catalog/find_tool.ts";
import { failedResult, toToolError } from "../../calls/failed_result.ts";
import type { Host } from "../../host/open_host.ts";
import type { CallMachines } from "../../server/calls/call_machines.ts";
import type { Order } from "../orders/orders.ts";

/** The order of a call. */
export type CallOrder = Order & { work: { kind: "call" } };

/** What the worker does around a call. */
export interface CallSteps {
  /** Whose memory of tools it is. */
  owner: string;
  signal: AbortSignal;
  /**
   * Called before the tool begins.
   *
   * @param isSafe Beginning again does no harm
   * @throws {ToolError} If it must not begin
   */
  begin(isSafe: boolean): Promise<void>;
  tell(event: RunEvent): void;
}

/** How a call came out. */
export interface DoneCall {
  result: ToolResult;
  /** Nothing has begun, and others may do it. */
  isDeclined: boolean;
}

/**
 * Does a call with the worker's own permissions, or fewer if its order says so. Never rejects but for what `begin` throws
 * that is no `ToolError`.
 */
export async function doCall(order: CallOrder, machines: CallMachines, steps: CallSteps): Promise<DoneCall> {
  const { work: { tool }, terms: { workspace, grants, mayDecline } } = order;
  try {
    return await machines.use(
      { owner: steps.owner, ...(workspace !== undefined && { workspace }), ...(grants && { grants }) },
      steps.signal,
      async (host, catalog) => {
        const entry = findTool(catalog, tool);
        const refused = mayDecline ? await refusalOf(entry, order, host, steps.signal) : null;
        if (refused) return { result: failedResult(entry.tool, refused.toInfo()), isDeclined: true };
        const { read_only, idempotent } = entry.tool;
        await steps.begin(read_only || idempotent === true);
        const result = await callInside(entry, order, host, steps);
        const note = noteOnName(catalog, tool, entry);
        if (note !== null) result.warnings.unshift(note);
        return { result, isDeclined: false };
      },
    );
  } catch (error) {
    const failure = toToolError(error);
    return {
      result: failedResult({ full_name: tool, error_lead: "" }, failure.toInfo()),
      isDeclined: mayDecline && isRefusal(failure),
    };
  }
}

async function callInside(
  entry: CatalogEntry,
  { id, work, terms: { maxCallMs, traceparent, isWatched } }: CallOrder,
  host: Host,
  { signal, tell }: CallSteps,
): Promise<ToolResult> {
  const bounds = [maxCallMs, host.maxCallMs].filter((ms) => ms !== undefined);
  const machine = {
    ...host,
    ...bounds.length > 0 && { maxCallMs: Math.min(...bounds) },
    telemetry: host.telemetry?.under(traceparent),
  };
  const heard = isWatched ? callEvents(id, tell) : {};
  return await callTool(entry, work.arguments ?? {}, { machine, signal, callId: String(id), ...heard });
}

/** What would refuse a call before it begins, `null` if nothing would. */
async function refusalOf(
  { tool, carrier }: CatalogEntry,
  { work }: CallOrder,
  { control }: Host,
  signal: AbortSignal,
): Promise<ToolError | null> {
  const { error } = await carrier.explain(control.configure(tool), work.arguments ?? {}, { signal });
  const refused = error && new ToolError(error.code, error.message, error);
  return refused && isRefusal(refused) ? refused : null;
}

function isRefusal({ code, details }: ToolError): boolean {
  return code === "permission_denied" || code === "denied_by_policy" || details.unknown_tool !== undefined;
}
