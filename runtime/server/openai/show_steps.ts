import type { ServedEvent } from "../runs/runs.ts";
import type { Delta } from "./chunk.ts";

/** How a stream shows what the agent does besides its answer. */
export type StreamStyle = "reasoning" | "openai" | "open_webui";

/** A call that begins. */
type Start = Extract<ServedEvent, { type: "tool.start" }>;
/** A call that has ended. */
type End = Extract<ServedEvent, { type: "tool.end" }>;

/** Letters of arguments in a line of reasoning, and of a block. */
const MAX_LINE = 300;
const MAX_BLOCK = 4_000;

/** Makes the deltas that show what the agent does. */
export interface StepView {
  start(event: Start): Delta[];
  end(event: End): Delta[];
}

/** Returns the view of a style. */
export function stepView(style: StreamStyle): StepView {
  if (style === "openai") return callView();
  return style === "open_webui" ? detailsView() : LINES;
}

/** Returns a line that clients show as thinking, or leave out. */
export function remark(text: string): Delta {
  return { reasoning_content: text };
}

/** Lines that clients show as thinking, or leave out. */
const LINES: StepView = {
  start: (
    { tool, arguments: input },
  ) => [remark(`${nameOf(tool)} ${cut(JSON.stringify(input) ?? "", MAX_LINE)}\n`)],
  end: ({ result }) => [remark(`${nameOf(result.tool_name)}: ${cut(outcome(result), MAX_LINE)}\n`)],
};

/** Calls and results as SGR Agent Core passes them on; each call has an index of its own, as clients need it. */
function callView(): StepView {
  let index = 0;
  return {
    start({ id, tool, arguments: input }) {
      const at = index++;
      const call = {
        index: at,
        id: callId(id),
        type: "function",
        function: { name: nameOf(tool), arguments: "" },
      };
      return [
        { role: "assistant", tool_calls: [call] },
        { tool_calls: [{ index: at, function: { arguments: JSON.stringify(input ?? {}) } }] },
      ];
    },
    end: ({ id, result }) => [
      { role: "tool", content: textOf(result), tool_call_id: callId(id) },
      { role: "assistant", content: "" },
    ],
  };
}

/** Blocks that Open WebUI folds, in the text of the answer. */
function detailsView(): StepView {
  let n = 0;
  return {
    start: ({ tool, arguments: input }) => [
      details(
        `Phase: ${++n}-action Tool Call: ${nameOf(tool)}`,
        JSON.stringify(input ?? {}, null, 2),
        "json",
      ),
    ],
    end: (
      { result },
    ) => [details(`Phase: ${n}-action Tool Result: ${nameOf(result.tool_name)}`, textOf(result), "")],
  };
}

function details(summary: string, body: string, language: string): Delta {
  const shown = escape(cut(body, MAX_BLOCK));
  return {
    content: `\n<details>\n<summary>${
      escape(summary)
    }</summary>\n\n\`\`\`${language}\n${shown}\n\`\`\`\n\n</details>\n\n`,
  };
}

/** Neither ends the block, nor the fence in it. */
function escape(text: string): string {
  const names: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "`": "&#96;",
  };
  return text.replace(/[&<>"`]/g, (letter) => names[letter]!);
}

function textOf({ ok, text, error }: End["result"]): string {
  return ok || error === null ? text : `${error.code}: ${error.message}`;
}

function outcome({ ok, metadata, error }: End["result"]): string {
  if (!ok && error !== null) return `${error.code}: ${error.message}`;
  return metadata.summary ?? `done in ${Math.round(metadata.duration_ms)} ms`;
}

function callId(id: Start["id"]): string {
  return `call_${id}`;
}

function nameOf(tool: string): string {
  return tool.slice(tool.lastIndexOf("/") + 1);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
