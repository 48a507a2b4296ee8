import type { NumberedEvent, ServedEvent } from "../../runs/runs.ts";
import type { ToolResult } from "../../../../schemas/result.ts";

/** A line of a recording, as far as it is shown. */
type Line =
  | { t: "task"; text: string }
  | { t: "reply"; reply: { content: string; tool_calls: readonly { id: string }[] } }
  | { t: "result"; call: { id: string; tool: string; arguments: unknown }; result: RecordedResult }
  | { t: "recording" };

interface RecordedResult extends Pick<ToolResult, "ok" | "error"> {
  content: string;
  duration_ms: number;
}

/** Reads a recording as the events of a run. */
export function demoEvents(recording: string): NumberedEvent[] {
  const lines = recording.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as Line);
  const events: ServedEvent[] = [];
  let turns = 0;
  let answer = "";
  for (const line of lines) {
    if (line.t === "task") events.push({ type: "prompt", text: line.text, images: 0 });
    if (line.t === "reply") {
      events.push({ type: "turn.start", n: ++turns, input_tokens: 0 });
      answer = line.reply.content;
      if (answer !== "") events.push({ type: "text.delta", text: answer });
    }
    if (line.t !== "result") continue;
    const { call: { id, tool, arguments: input }, result } = line;
    events.push({ type: "tool.start", id, tool, arguments: input } as unknown as ServedEvent);
    events.push({ type: "tool.end", id, result: resultOf(tool, result) } as unknown as ServedEvent);
  }
  events.push({ type: "run.end", termination_reason: "completed", answer } as unknown as ServedEvent);
  const time = new Date(0).toISOString();
  return events.map((event, at) => ({ n: at + 1, time, event }));
}

function resultOf(tool: string, { ok, content, error, duration_ms }: RecordedResult): ToolResult {
  return {
    ...{ tool_name: tool, ok, result: null, text: content, images: [], artifacts: [], warnings: [], error },
    metadata: { duration_ms, place: "none" },
  };
}
