import type { ToolCall } from "../../../schemas/agent/chat.ts";
import { type ErrorInfo, ToolError } from "../../../schemas/error.ts";
import { parseJson } from "../../../schemas/json/json_text.ts";
import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { Schedulable } from "../../calls/schedule.ts";
import type { AgentCall, AgentCallResult, AgentTool } from "./parts.ts";
import { type RunState, stepOf } from "./run_state.ts";
import type { OpenReply } from "../conversation/conversation.ts";
import { unwrapJson } from "../conversation/unwrap_json.ts";

/** Longest name of an unknown tool that is shown. */
const SHOWN_NAME = 64;
/** How many offered names the answer to an unknown name shows. */
const SHOWN_TOOLS = 60;

/** A call on its way through the scheduler: one that can be run, or one that has failed already. */
export interface TurnCall extends Schedulable {
  call: AgentCall | null;
  failure: AgentCallResult | null;
  /** The arguments as they are shown: as the model wrote them, if they could not be read. */
  shown: unknown;
  /** Whether it is one of the calls that the run may make. */
  counts: boolean;
}

/**
 * Understands a call of the model as far as that goes without its tool.
 *
 * @param known The calls of its reply that began before, and what was repaired to understand it
 */
export function readCall(
  asked: ToolCall,
  run: RunState,
  { started, notes }: { started: OpenReply["started"]; notes: readonly string[] },
): TurnCall {
  const tool = run.tools.get(asked.name);
  if (!tool) return failed(asked, asked.name, unknownTool(asked.name, run));
  const refused = run.parts.thinking?.refuses(tool) ?? null;
  if (refused !== null) return failed(asked, tool.full_name, new ToolError("limit_exceeded", refused));
  try {
    const { value, mended } = readJsonArguments(asked);
    const warnings = [...notes, ...mended];
    const call = { id: asked.id, tool, arguments: value, ...(warnings.length > 0 && { warnings }) };
    if (started.has(asked.id) && !tool.read_only && !tool.idempotent) {
      return { ...failed(asked, tool.full_name, lost(tool)), call, shown: call.arguments };
    }
    const { parallel } = tool;
    return { call, failure: null, shown: call.arguments, counts: true, parallel };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return failed(asked, tool.full_name, error);
  }
}

/**
 * Reads the arguments of a call. No arguments become an empty object, strings of JSON are unwrapped, and what has one
 * meaning only is mended.
 *
 * @throws {ToolError} `invalid_input` that says where the JSON breaks, or what it is instead of an object
 */
export function readArguments(call: ToolCall): Record<string, unknown> {
  return readJsonArguments(call).value;
}

/** The arguments, and a sentence for each repair. */
function readJsonArguments(
  { name, arguments: text }: ToolCall,
): { value: Record<string, unknown>; mended: string[] } {
  if (text.trim() === "") return { value: {}, mended: [] };
  const what = `the arguments of ${name}`;
  try {
    const unwrapped = unwrapJson(text);
    const value = parseJson(unwrapped?.text ?? text, what);
    if (value === null) return { value: {}, mended: [] };
    const mended = (unwrapped?.mended ?? []).map((how) =>
      `The arguments were given ${how} and were read as JSON`
    );
    if (isObject(value)) return { value, mended };
    throw new ToolError(
      "invalid_input",
      `Cannot use ${what}: they must be one JSON object, such as {"key": "value"}`,
    );
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { code, message, details } = error;
    throw new ToolError(code, `${message}\nThe call was not run: send it again with valid JSON`, { details });
  }
}

function unknownTool(name: string, run: RunState): ToolError {
  const names = stepOf(run).tools.map((tool) => tool.name);
  const candidates = nearest(name, [...run.tools.keys()]);
  const shown = name.length > SHOWN_NAME ? `${name.slice(0, SHOWN_NAME)}…` : name;
  const there = names.length === 0
    ? "there are no tools"
    : `the tools are ${names.slice(0, SHOWN_TOOLS).join(", ")}${names.length > SHOWN_TOOLS ? ", …" : ""}`;
  const hint = didYouMean(candidates) || ":";
  return new ToolError(
    "invalid_input",
    `Unknown tool ${JSON.stringify(shown)}${hint} ${sentence(there, hint)}`,
    {
      details: { candidates },
    },
  );
}

function sentence(text: string, before: string): string {
  return before === ":" ? text : `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

function lost(tool: AgentTool): ToolError {
  return new ToolError(
    "unavailable",
    `The run broke off while ${tool.name} ran, and its effect is not known: look at what is there before you call it again`,
  );
}

/** A call that fails before its tool runs does not end the block of its neighbours. */
export function failed({ id, arguments: shown }: ToolCall, tool: string, error: ToolError): TurnCall {
  const failure = failedCallResult(id, tool, error.toInfo());
  return { call: null, failure, shown, counts: true, parallel: true };
}

/** Makes the result of a call that its tool did not answer. */
export function failedCallResult(id: string, tool: string, error: ErrorInfo): AgentCallResult {
  return { id, tool, ok: false, content: error.message, pictures: [], error, duration_ms: 0 };
}
