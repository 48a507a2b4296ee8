import type { CallResult, TraceLine } from "../../../schemas/agent/trace.ts";
import { type AgentOutcome, NO_USAGE } from "../../../schemas/agent/agent.ts";
import { endOfRun } from "../../agent/ending/end_event.ts";
import type { ServedEvent } from "./runs.ts";

/** An event that a trace tells of, with its time in ISO 8601. */
export interface TracedEvent {
  time: string;
  event: ServedEvent;
}

/** The events of one run of a session. */
export interface TracedRun {
  runId: string;
  events: readonly TracedEvent[];
  /** How it ended; `null` if the trace does not say so. */
  end: TracedEvent | null;
}

/** Tells a session's trace as events, as if somebody had watched: what only those told who watched is not there. */
export function tracedRuns(lines: readonly TraceLine[]): TracedRun[] {
  const runs: { runId: string; events: TracedEvent[]; end: TracedEvent | null }[] = [];
  let turns = 0;
  let begun: Extract<TraceLine, { t: "run" }> | null = null;
  for (const line of lines) {
    if (line.t === "run") {
      begun = line;
      turns = 0;
      runs.push({ runId: line.run_id, events: [{ time: line.time, event: startOf(line) }], end: null });
      continue;
    }
    const run = runs.at(-1);
    if (!run || begun === null) continue;
    if (line.t === "end") {
      run.end = { time: line.time, event: endOf(line.outcome, begun) };
      continue;
    }
    if (line.t === "reply" && line.purpose === "turn") turns++;
    for (const event of eventsOf(line, turns)) run.events.push({ time: begun.time, event });
  }
  return runs;
}

/** How a run ends whose process was killed. */
export function killedEnd(agent?: string): ServedEvent {
  return {
    type: "run.end",
    exit_code: 130,
    termination_reason: "interrupted",
    usage: NO_USAGE,
    ...(agent !== undefined && { agent }),
    ...{ answer: null, changed: [], refused: [], resume: null, state: "cancelled" },
  };
}

type RunLine = Extract<TraceLine, { t: "run" }>;

function startOf(
  { run_id, session_id, workspace, agent, model, state, widened, settings }: RunLine,
): ServedEvent {
  const nothing = { read: [], write: [], net: [], run: [] };
  return {
    type: "run.start",
    run_id,
    command: "run",
    workspace,
    // The flags say what was granted; what they came to is not in the trace.
    grants: { policy: settings?.policy.base ?? "read-only-no-net", allow: nothing, deny: nothing },
    ...(agent !== undefined && { agent }),
    model,
    session_id,
    ...(state && { state }),
    ...(widened && { widened }),
  };
}

function endOf(outcome: AgentOutcome, { session_id, agent }: RunLine): ServedEvent {
  const resume = `bulkhead run --resume ${session_id} '…'`;
  return endOfRun({ ...outcome, changed: [], refused: [], resume }, agent);
}

function eventsOf(line: TraceLine, turns: number): ServedEvent[] {
  switch (line.t) {
    case "message":
      return line.message.role === "user" && ["task", "clarification"].includes(line.message.kind)
        ? [promptOf(line.message.content)]
        : [];
    case "reply":
      return line.purpose === "turn"
        ? [
          { type: "turn.start", n: turns, input_tokens: line.reply.usage?.input_tokens ?? 0 },
          ...line.reply.content === "" ? [] : [{ type: "text.delta", text: line.reply.content } as const],
        ]
        : [];
    case "call":
      return [{ type: "tool.start", id: line.id, tool: line.tool, arguments: line.arguments }];
    case "result":
      return [{ type: "tool.end", id: line.id, result: resultOf(line) }];
    case "plan":
      return [{ type: "plan", plan: line.plan }];
    case "tools":
      return [{ type: "tools.added", tools: line.added.map(({ name }) => name) }];
    default:
      return [];
  }
}

type Content = Extract<Extract<TraceLine, { t: "message" }>["message"], { role: "user" }>["content"];

function promptOf(content: Content): ServedEvent {
  const [text] = content.flatMap((part) => part.type === "text" ? [part.text] : []);
  return { type: "prompt", text: text ?? "", images: content.filter(({ type }) => type === "image").length };
}

function resultOf({ tool, ok, content, pictures, error, duration_ms }: CallResult) {
  return {
    tool_name: tool,
    ok,
    result: null,
    text: content,
    images: [],
    artifacts: pictures.map(({ path, bytes }) => ({ name: path.split("/").at(-1)!, path, bytes })),
    warnings: [],
    error,
    metadata: { duration_ms, place: "none" as const },
  };
}
