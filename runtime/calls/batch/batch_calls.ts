import { type ErrorInfo, ToolError } from "../../../schemas/error.ts";
import type { CallId } from "../../../schemas/agent/events.ts";
import type { Catalog, CatalogEntry, DescribedTool } from "../catalog/catalog.ts";
import { parseJson } from "../../../schemas/json/json_text.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import { findTool, noteOnName } from "../catalog/find_tool.ts";
import { type Expectation, readExpectation } from "./expect.ts";
import type { Schedulable } from "../schedule.ts";

/** One line of a batch. An invalid line is a call too: one that has failed already. */
export interface BatchCall<Entry extends DescribedTool = CatalogEntry> extends Schedulable {
  id: CallId;
  /** The tool's full name, or what the line has for it. */
  toolName: string;
  entry: Entry | null;
  input: unknown;
  /** What the caller may not expect of the tool's name. */
  note: string | null;
  /** The number of its line. */
  line: number;
  /** What is expected of it, `null` for a success of any kind. */
  expect: Expectation | null;
  /** Why the line is not a call. */
  error: ErrorInfo | null;
}

/** Understands the lines of a batch, one call each; empty lines are passed over. */
export async function* parseBatch<Entry extends DescribedTool>(
  lines: AsyncIterable<string>,
  catalog: Catalog<Entry>,
): AsyncGenerator<BatchCall<Entry>> {
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() !== "") yield parseBatchLine(line, number, catalog);
  }
}

function parseBatchLine<Entry extends DescribedTool>(
  line: string,
  number: number,
  catalog: Catalog<Entry>,
): BatchCall<Entry> {
  const call: BatchCall<Entry> = {
    id: number,
    entry: null,
    input: {},
    note: null,
    line: number,
    expect: null,
    error: null,
    // A failed line does not end the block of its neighbours.
    parallel: true,
    toolName: "",
  };
  try {
    const fields = readObject(line, number);
    // First, so that the caller can match the error to its call.
    call.id = readId(fields.id, number);
    const { tool, arguments: input, expect } = readCall(fields, number);
    call.toolName = tool;
    call.input = input ?? {};
    if (expect !== undefined) call.expect = readExpectation(expect, (why) => bad(number, why));
    Object.assign(call, toolOf(tool, catalog));
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    call.error = error.toInfo();
  }
  return call;
}

/** What a name stands for. */
function toolOf<Entry extends DescribedTool>(
  name: string,
  catalog: Catalog<Entry>,
): Pick<BatchCall<Entry>, "entry" | "note" | "toolName" | "parallel"> {
  const entry = findTool(catalog, name);
  const { full_name, parallel } = entry.tool;
  return { entry, note: noteOnName(catalog, name, entry), toolName: full_name, parallel };
}

/** Understands once more a call whose tool was not known: an earlier call may have added it. */
export function findLate(call: BatchCall, catalog: Catalog): BatchCall {
  if (call.error?.details.unknown_tool === undefined) return call;
  try {
    return { ...call, ...toolOf(call.toolName, catalog), error: null };
  } catch {
    return call;
  }
}

function readObject(line: string, number: number): Record<string, unknown> {
  const value = parseJson(line, `line ${number}`);
  if (isObject(value)) return value;
  throw bad(number, 'a call is an object: {"tool":"NAME","arguments":{…}}');
}

function readId(id: unknown, number: number): CallId {
  if (id === undefined) return number;
  // JSON has no Infinity, and 1e999 is read as one.
  if (typeof id === "string" || (typeof id === "number" && Number.isFinite(id))) return id;
  throw bad(number, '"id" must be a text or a number');
}

function readCall(
  fields: Record<string, unknown>,
  number: number,
): { tool: string; arguments: unknown; expect: unknown } {
  const { id: _, tool, arguments: input, expect, ...rest } = fields;
  if (typeof tool !== "string" || tool === "") throw bad(number, '"tool" must name a tool');
  const [unknown] = Object.keys(rest);
  if (unknown === undefined) return { tool, arguments: input, expect };
  throw bad(number, `unknown field "${unknown}": a call has "id", "tool", "arguments" and "expect"`);
}

function bad(number: number, why: string): ToolError {
  return new ToolError("invalid_input", `Cannot read line ${number}: ${why}`, { details: { line: number } });
}
