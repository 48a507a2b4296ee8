import { type PlacedOutput, placeOutput } from "../../runtime/walls/files/place_output.ts";
import type { AgentOutcome } from "../../schemas/agent/agent.ts";
import type { AuditRecord } from "../../schemas/audit.ts";
import type { CallResult, TraceLine } from "../../schemas/agent/trace.ts";

export function runLine(changes: Partial<Extract<TraceLine, { t: "run" }>> = {}): TraceLine {
  return {
    t: "run",
    v: 1,
    run_id: "r1",
    session_id: "s1",
    time: "2025-01-01T00:00:00.000Z",
    version: "0.1.0",
    model: "gpt-x",
    workspace: "/ws",
    policy: "coder",
    tools: ["Read", "Write"],
    resumed: false,
    ...changes,
  };
}

export function taskLine(text: string): TraceLine {
  return { t: "message", message: { role: "user", kind: "task", content: [{ type: "text", text }] } };
}

/** A reply that says something and makes calls, by their ids. */
export function replyLine(content: string, ...ids: string[]): TraceLine {
  const tool_calls = ids.map((id) => ({ id, name: "Read", arguments: '{"path":"a"}' }));
  const usage = { input_tokens: 10, cached_tokens: 0, output_tokens: 2 };
  return { t: "reply", purpose: "turn", reply: { content, tool_calls, finish: "stop", usage } };
}

export function resultLine(id: string, changes: Partial<CallResult> = {}): TraceLine {
  const usual = { ok: true, content: "text", pictures: [], error: null, duration_ms: 1 };
  return { t: "result", id, tool: "harness/Read", ...usual, ...changes };
}

export function endLine(changes: Partial<AgentOutcome> = {}): TraceLine {
  const usage = { input_tokens: 10, cached_tokens: 0, output_tokens: 2, rounds: 2, calls: 1, failed: 0 };
  const outcome: AgentOutcome = {
    answer: "done",
    termination_reason: "completed",
    error: null,
    usage: { ...usage, cost: null, estimated: false },
    ...changes,
  };
  return { t: "end", time: "2025-01-01T00:01:00.000Z", outcome };
}

export const EVERY_LINE: readonly TraceLine[] = [
  runLine(),
  { t: "message", message: { role: "system", content: "You are an agent." } },
  {
    t: "message",
    message: {
      role: "user",
      kind: "task",
      content: [
        { type: "text", text: "Look at é\u2028😀" },
        { type: "image", path: "/ws/a.png", mime_type: "image/png", bytes: 3 },
      ],
    },
  },
  {
    t: "message",
    message: {
      role: "assistant",
      content: "earlier",
      tool_calls: [{ id: "c0", name: "Read", arguments: "{}" }],
      extra: { reasoning_content: "hm" },
    },
  },
  { t: "message", message: { role: "tool", tool_call_id: "c0", content: "text" } },
  {
    t: "tools",
    added: [{
      name: "mcp_a_b",
      full_name: "mcp/mcp_a_b",
      description: "Does b.",
      parameters: { type: "object", properties: { token: { type: "string" } } },
      parallel: true,
      read_only: false,
    }],
  },
  replyLine("I look", "c1"),
  { t: "call", id: "c1", tool: "harness/Read", arguments: { path: "a", deep: [{ x: null }] } },
  resultLine("c1", {
    pictures: [{ type: "image", path: "/ws/b.png", mime_type: "image/png", bytes: 4 }],
  }),
  resultLine("c2", {
    ok: false,
    error: { code: "not_found", message: "no", retryable: false, details: { path: "a" } },
  }),
  { t: "compact", keep: 3, summary: "what was" },
  endLine({ output: { n: 1 } }),
];

/** An output of the user, where calls can write nothing. */
export function placed(path: string): PlacedOutput {
  return placeOutput(path, { calls: [], workspace: null });
}

/** What the audit keeps of a call that was let. */
export const AUDIT_RECORD: AuditRecord = {
  ...{ v: 1, time: "2025-01-01T00:00:00.000Z", run_id: "r", tool: "h/Read", arguments: { path: "a" } },
  ...{ workspace: "/ws", policy: "coder", base: "coder", decision: "allowed", rule: null, risk: null },
  ...{ touched: [{ kind: "read", value: "/ws/a" }], programs: [], connections: [], argv: null, cwd: null },
  ...{ exit_code: null, ok: true, error: null, flag: null, place: "worker", duration_ms: 1, bytes: 2 },
};
