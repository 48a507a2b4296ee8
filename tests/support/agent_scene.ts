import { AGENT_LIMITS, type AgentLimits } from "../../schemas/agent/agent.ts";
import type { Message } from "../../schemas/agent/chat.ts";
import { ToolError } from "../../schemas/error.ts";
import type { RunEvent } from "../../schemas/agent/events.ts";
import { type Model, type ModelReply, type ModelRequest, UNKNOWN_MODEL } from "../../schemas/agent/model.ts";
import { isObject } from "../../schemas/json/shape.ts";
import type { CallResult, TraceLine } from "../../schemas/agent/trace.ts";
import { Conversation } from "../../runtime/agent/conversation/conversation.ts";
import { CallLine } from "../../runtime/calls/call_line.ts";
import type { AgentCall, AgentParts, AgentTool } from "../../runtime/agent/loop/parts.ts";
import { failedCallResult } from "../../runtime/agent/loop/read_call.ts";
import { runAgent } from "../../runtime/agent/loop/run_agent.ts";

/** A reply of the scripted model, or what it does instead. */
export type Turn =
  | Partial<ModelReply>
  | ToolError
  | ((request: ModelRequest, play: Play) => Turn | Promise<Turn>);

/** What a scripted run left behind, and what a turn may do to it. */
export interface Play {
  requests: ModelRequest[];
  events: RunEvent[];
  lines: TraceLine[];
  calls: AgentCall[];
  stop: AbortController;
  pass(ms: number): void;
  parts: AgentParts;
}

/** What a test may say about its run. */
export interface SceneOptions {
  limits?: Partial<AgentLimits>;
  parts?: Partial<AgentParts>;
  tools?: readonly AgentTool[];
  /** What a call gives, `ok` and `<name> done` if it says nothing. */
  call?: (
    call: AgentCall,
    play: Play,
    signal: AbortSignal,
  ) => Promise<Partial<CallResult>> | Partial<CallResult>;
}

/** A tool as the loop sees it, parallel and read-only if its name begins with R. */
export function tool(name: string, rest: Partial<AgentTool> = {}): AgentTool {
  const reads = name.startsWith("R");
  return {
    name,
    full_name: `set/${name}`,
    description: `Does ${name}`,
    parameters: { type: "object" },
    parallel: reads,
    read_only: reads,
    ends_run: null,
    ...rest,
  };
}

export const TOOLS: readonly AgentTool[] = [
  tool("Read"),
  tool("Write"),
  tool("terminate", { ends_run: { status: "status", failed: "failure", answer: null } }),
];

export function task(text: string): Message {
  return { role: "user", kind: "task", content: [{ type: "text", text }] };
}

export const START: readonly Message[] = [{ role: "system", content: "You are an agent." }, task("Do it")];

export function ask(
  name: string,
  input: unknown = {},
  id = "",
): { id: string; name: string; arguments: string } {
  return { id, name, arguments: typeof input === "string" ? input : JSON.stringify(input) };
}

export function calls(...asked: ReturnType<typeof ask>[]): Partial<ModelReply> {
  return { tool_calls: asked, finish: "tool_calls" };
}

/** Runs the agent on a scripted model, fake tools and a clock that moves only when told. */
export function makePlay(turns: readonly Turn[], options: SceneOptions = {}): Play {
  const clock = makeClock();
  const rest = [...turns];
  const stop = new AbortController();
  const play = { requests: [], events: [], lines: [], calls: [], stop, pass: clock.pass } as unknown as Play;
  const line = new CallLine(3);
  play.parts = {
    model: scripted(rest, play),
    profile: UNKNOWN_MODEL,
    tools: options.tools ?? TOOLS,
    line,
    limits: { ...AGENT_LIMITS, ...options.limits },
    async callTool(call, { signal, onStart }) {
      const { id, tool: { full_name, name, parallel } } = call;
      using place = await line.enter({ toolName: full_name, parallel, concurrency: null }, signal);
      if (place !== null) onStart?.();
      if (signal.aborted) return failedCallResult(id, full_name, new ToolError("cancelled", "").toInfo());
      play.calls.push(call);
      const given = await options.call?.(call, play, signal) ?? {};
      const usual = { id, tool: full_name, ok: true, content: `${name} done`, pictures: [], error: null };
      return { ...usual, duration_ms: 1, ...given };
    },
    trace: (line) => void play.lines.push(structuredClone(line)),
    emit: (event) => void play.events.push(event),
    readPicture: (path) => Promise.resolve(`bytes of ${path}`),
    signal: stop.signal,
    now: clock.now,
    sleep: clock.sleep,
    random: () => 0.5,
    ...options.parts,
  };
  return play;
}

export async function run(turns: readonly Turn[], options: SceneOptions = {}) {
  const play = makePlay(turns, options);
  const start: TraceLine[] = START.map((message) => ({ t: "message", message }));
  play.lines.push(...start);
  const outcome = await runAgent(new Conversation(START), play.parts);
  return { ...play, outcome };
}

/** The texts of a message, one a part. */
export function textsOf(message: Message | undefined): string[] {
  if (message?.role !== "user") return message ? [message.content] : [];
  return message.content.map((part) => part.type === "text" ? part.text : `<${part.path}>`);
}

/** Each event as a short line, without those that say how much. */
export function told(events: readonly RunEvent[]): string[] {
  return events.map((event) => {
    if (event.type === "tool.start") return `start ${event.id} ${event.tool}`;
    if (event.type === "tool.end") return `end ${event.id} ${event.result.ok}`;
    if (event.type === "turn.start") return `turn ${event.n}`;
    return event.type === "warning" ? `warning ${event.message}` : event.type;
  });
}

function scripted(rest: Turn[], play: Play): Model {
  return {
    name: "scripted",
    async complete(request, { signal, onText }) {
      signal.throwIfAborted();
      play.requests.push(request);
      let turn = rest.shift() ?? new ToolError("unavailable", "The script has ended");
      while (typeof turn === "function") turn = await turn(request, play);
      signal.throwIfAborted();
      if (turn instanceof ToolError) throw turn;
      const reply = { content: "", tool_calls: [], finish: "stop", usage: null, ...turn } as const;
      if (isObject(reply) && reply.content !== "") onText?.(reply.content);
      return reply;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Short waits end at once; a long one ends when that much time was made to pass. */
function makeClock() {
  let time = 0;
  const waiting: { until: number; wake: () => void }[] = [];
  const pass = (ms: number) => {
    time += ms;
    for (const { until, wake } of waiting) if (until <= time) wake();
  };
  const sleep = (ms: number, signal: AbortSignal): Promise<void> => {
    if (ms < 60_000) {
      pass(ms);
      return Promise.resolve();
    }
    return new Promise((wake, reject) => {
      waiting.push({ until: time + ms, wake });
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  };
  return { pass, sleep, now: () => time };
}
