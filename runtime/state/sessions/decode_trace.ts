import {
  AGENT_TERMINATIONS,
  type AgentOutcome,
  type AgentTermination,
  type AgentUsage,
} from "../../../schemas/agent/agent.ts";
import type { Message, Part, ToolCall } from "../../../schemas/agent/chat.ts";
import { type ErrorCode, type ErrorInfo, EXIT_CODES } from "../../../schemas/error.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { ModelReply, Purpose, Usage } from "../../../schemas/agent/model.ts";
import { type Plan, type PlanStep, STEP_STATUSES } from "../../../schemas/step/plan.ts";
import { AGENT_STATES } from "../../../schemas/step/thinking.ts";
import type { AddedTool, CallResult, TraceLine } from "../../../schemas/agent/trace.ts";
import {
  amount,
  anyJson,
  anyObject,
  byTag,
  type Decode,
  exactly,
  type Fields,
  flag,
  listOf,
  nullable,
  objectOf,
  oneOf,
  text,
} from "./decode.ts";
import { decodeSettings } from "./decode_settings.ts";

/** Fields of a message that belong to bulkhead, even if a provider uses the same names. */
const OWN_FIELDS = ["role", "content", "tool_calls", "tool_call_id", "name"];

/** What a request was for. */
export const decodePurpose: Decode<Purpose> = oneOf(["turn", "compact", "repair", "server", "tool"]);

/** The plain form of an error. */
export const decodeError: Decode<ErrorInfo> = objectOf<ErrorInfo>({
  code: oneOf(Object.keys(EXIT_CODES) as ErrorCode[]),
  message: text,
  retryable: flag,
  details: anyObject,
});

const decodeExtra: Decode<Record<string, unknown>> = (value, at) =>
  Object.fromEntries(Object.entries(anyObject(value, at)).filter(([name]) => !OWN_FIELDS.includes(name)));

const decodeToolCall: Decode<ToolCall> = objectOf<ToolCall>({ id: text, name: text, arguments: text });

const USAGE: Fields<Omit<Usage, "cost">> = {
  input_tokens: amount,
  cached_tokens: amount,
  output_tokens: amount,
};

const yes: Decode<true> = (value, at) => {
  if (flag(value, at)) return true;
  throw new ToolError("invalid_input", `${at} must be true or left out`);
};

/** One whole reply of a model. */
export const decodeReply: Decode<ModelReply> = objectOf<ModelReply>({
  content: text,
  tool_calls: listOf(decodeToolCall),
  from_text: { optional: yes },
  told_tools: { optional: yes },
  learned: { optional: anyObject },
  finish: oneOf(["stop", "tool_calls", "length", "content_filter", "other"]),
  usage: nullable(objectOf<Usage>({ ...USAGE, cost: { optional: amount } })),
  extra: { optional: decodeExtra },
  reasoning: { optional: anyObject },
});

type Picture = Part & { type: "image" };

/** Its bytes are only for requests. */
const decodePicture: Decode<Picture> = objectOf<Omit<Picture, "data">>({
  type: exactly("image"),
  path: text,
  mime_type: text,
  bytes: amount,
});

const decodePart: Decode<Part> = byTag<Part>("type", {
  text: objectOf<Part & { type: "text" }>({ type: exactly("text"), text }),
  image: decodePicture,
});

type MessageOf<Role extends Message["role"]> = Extract<Message, { role: Role }>;

const decodeMessage: Decode<Message> = byTag<Message>("role", {
  system: objectOf<MessageOf<"system">>({ role: exactly("system"), content: text }),
  user: objectOf<MessageOf<"user">>({
    role: exactly("user"),
    kind: oneOf(["task", "clarification", "project", "remark", "pictures", "summary"]),
    content: listOf(decodePart),
  }),
  assistant: objectOf<MessageOf<"assistant">>({
    role: exactly("assistant"),
    content: text,
    tool_calls: listOf(decodeToolCall),
    extra: { optional: decodeExtra },
  }),
  tool: objectOf<MessageOf<"tool">>({ role: exactly("tool"), tool_call_id: text, content: text }),
});

const decodeOutcome: Decode<AgentOutcome> = objectOf<AgentOutcome>({
  answer: nullable(text),
  output: { optional: anyJson },
  termination_reason: oneOf(Object.keys(AGENT_TERMINATIONS) as AgentTermination[]),
  state: { optional: oneOf(AGENT_STATES) },
  questions: { optional: listOf(text) },
  error: nullable(decodeError),
  usage: objectOf<AgentUsage>({
    ...USAGE,
    rounds: amount,
    calls: amount,
    failed: amount,
    cost: nullable(amount),
    estimated: flag,
  }),
});

const decodePlan: Decode<Plan> = objectOf<Plan>({
  id: text,
  title: text,
  steps: listOf(objectOf<PlanStep>({ text, status: oneOf(STEP_STATUSES), notes: text })),
});

/** A tool that was added while a run went on. */
export const decodeAddedTool: Decode<AddedTool> = objectOf<AddedTool>({
  name: text,
  description: text,
  parameters: anyObject,
  full_name: text,
  parallel: flag,
  read_only: flag,
});

type LineOf<T extends TraceLine["t"]> = Extract<TraceLine, { t: T }>;

/** One line of a trace. */
export const decodeTraceLine: Decode<TraceLine> = byTag<TraceLine>("t", {
  run: objectOf<LineOf<"run">>({
    t: exactly("run"),
    v: exactly(1),
    run_id: text,
    session_id: text,
    time: text,
    version: text,
    agent: { optional: text },
    model: text,
    workspace: text,
    policy: text,
    tools: listOf(text),
    resumed: flag,
    state: { optional: oneOf(AGENT_STATES) },
    settings: { optional: decodeSettings },
    widened: { optional: listOf(text) },
  }),
  message: objectOf<LineOf<"message">>({ t: exactly("message"), message: decodeMessage }),
  tools: objectOf<LineOf<"tools">>({ t: exactly("tools"), added: listOf(decodeAddedTool) }),
  reply: objectOf<LineOf<"reply">>({ t: exactly("reply"), purpose: decodePurpose, reply: decodeReply }),
  call: objectOf<LineOf<"call">>({ t: exactly("call"), id: text, tool: text, arguments: anyJson }),
  result: objectOf<CallResult & { t: "result" }>({
    t: exactly("result"),
    id: text,
    tool: text,
    ok: flag,
    content: text,
    pictures: listOf(decodePicture),
    error: nullable(decodeError),
    duration_ms: amount,
    recorded: { optional: yes },
  }),
  compact: objectOf<LineOf<"compact">>({ t: exactly("compact"), keep: amount, summary: text }),
  plan: objectOf<LineOf<"plan">>({
    t: exactly("plan"),
    plan: decodePlan,
    message: { optional: decodeMessage },
  }),
  end: objectOf<LineOf<"end">>({ t: exactly("end"), time: text, outcome: decodeOutcome }),
});
