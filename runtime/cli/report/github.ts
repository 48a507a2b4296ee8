import { onOneLine } from "../../text/strip_controls.ts";
import { clip, showCall, showResult, showTime } from "../show/show_call.ts";
import { type BatchAnswer, failureLine, verdictOf } from "./batch_call.ts";

/** Most rows of a summary, which GitHub bounds to a megabyte. */
const MAX_ROWS = 1_000;
/** Longest cell of the table, in characters. */
const MAX_CELL = 200;

/** Returns the line by which GitHub marks a line of the batch's file, or the step if the batch is no file. */
export function renderAnnotation(call: BatchAnswer, file: string | null): string {
  const properties = {
    ...(file === null ? {} : { file, line: String(call.line) }),
    title: `bulkhead: ${call.kind ?? "call"} ${call.id} ${verdictOf(call)}`,
  };
  const named = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`).join(
    ",",
  );
  return `::error ${named}::${escapeData(failureLine(call))}`;
}

/** Returns the Markdown of a step's summary. */
export function renderStepSummary(calls: readonly BatchAnswer[], summary: string): string {
  const failed = calls.filter(({ met }) => !met);
  const met = calls.filter(({ met }) => met);
  // The failed ones must not be cut off.
  const shown = [...failed, ...met].slice(0, MAX_ROWS).toSorted((a, b) => a.line - b.line);
  const rows = shown.map((call) => {
    const { id, toolName, input, result } = call;
    const cells = [String(id), verdictOf(call), showCall(toolName, input), showResult(result)];
    return `| ${[...cells.map(cell), showTime(result.metadata.duration_ms)].join(" | ")} |`;
  });
  const kind = calls[0]?.kind ?? "call";
  const more = calls.length > shown.length
    ? [``, `${calls.length - shown.length} more ${kind}s are ok.`]
    : [];
  return [
    kind === "task" ? "### bulkhead run" : "### bulkhead batch",
    "",
    cell(summary),
    "",
    `| ${kind} | | what | result | time |`,
    "| --- | --- | --- | --- | --- |",
    ...rows,
    ...more,
    "",
  ].join("\n");
}

/** The text of a call must not become markup. */
function cell(text: string): string {
  return clip(onOneLine(text), MAX_CELL).replace(/[\\`*_[\]<>|~#@!&]/g, (char) => `&#${char.charCodeAt(0)};`);
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
