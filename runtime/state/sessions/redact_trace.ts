import type { AgentOutcome } from "../../../schemas/agent/agent.ts";
import type { Message, Part, ToolCall } from "../../../schemas/agent/chat.ts";
import { type ErrorInfo, ToolError } from "../../../schemas/error.ts";
import { isTooDeep, parseJson } from "../../../schemas/json/json_text.ts";
import type { ModelReply } from "../../../schemas/agent/model.ts";
import type { AddedTool, TraceLine } from "../../../schemas/agent/trace.ts";
import type { Plan } from "../../../schemas/step/plan.ts";
import { mapTexts } from "../../text/map_texts.ts";
import { redactValue } from "../../text/secrets/redact.ts";
import { REDACTED } from "../../text/secrets/secret_shapes.ts";

/** How secrets are masked, and which names are not secrets. */
export interface Masking {
  redact(text: string): string;
  /** Names of tools as offered: a secret may be a part of one by chance. */
  names: ReadonlySet<string>;
}

/**
 * Masks the secrets in all texts of a line. What holds lines together stays as it is: ids, names of tools, and the
 * paths of workspace and pictures. Bytes of pictures are left out. Takes time linear in the line.
 */
export function redactTraceLine(line: TraceLine, masking: Masking): TraceLine {
  const { redact } = masking;
  switch (line.t) {
    case "run":
      return redactRun(line, redact);
    case "message":
      return { ...line, message: redactMessage(line.message, masking) };
    case "tools":
      return { ...line, added: line.added.map((tool) => redactTool(tool, redact)) };
    case "reply":
      return { ...line, reply: redactReply(line.reply, masking) };
    case "call":
      return { ...line, tool: maskName(line.tool, masking), arguments: maskValue(line.arguments, redact) };
    case "result":
      return {
        ...line,
        tool: maskName(line.tool, masking),
        content: redact(line.content),
        pictures: line.pictures.map(withoutData),
        error: redactError(line.error, redact),
      };
    case "compact":
      return { ...line, summary: redact(line.summary) };
    case "plan":
      return {
        ...line,
        plan: redactPlan(line.plan, redact),
        ...(line.message && { message: redactMessage(line.message, masking) }),
      };
    case "end":
      return { ...line, outcome: redactOutcome(line.outcome, redact) };
  }
}

function redactRun(
  line: Extract<TraceLine, { t: "run" }>,
  redact: (text: string) => string,
): TraceLine {
  const { settings, widened } = line;
  const model = settings?.model ?? null;
  return {
    ...line,
    model: redact(line.model),
    ...(settings && {
      settings: {
        ...settings,
        flags: settings.flags.map(redact),
        model: model && { name: redact(model.name), base_url: model.base_url && redact(model.base_url) },
      },
    }),
    ...(widened && { widened: widened.map(redact) }),
  };
}

function redactPlan({ id, title, steps }: Plan, redact: (text: string) => string): Plan {
  const masked = steps.map((step) => ({ ...step, text: redact(step.text), notes: redact(step.notes) }));
  return { id, title: redact(title), steps: masked };
}

/** Masks the secrets in all texts of a reply. */
export function redactReply(reply: ModelReply, masking: Masking): ModelReply {
  const { extra, reasoning } = reply;
  return {
    ...reply,
    content: masking.redact(reply.content),
    tool_calls: reply.tool_calls.map((call) => redactToolCall(call, masking)),
    ...(extra && { extra: maskFields(extra, masking.redact) }),
    ...(reasoning && { reasoning: maskFields(reasoning, masking.redact) }),
  };
}

/** Masks the secrets in what a source says of a tool. An argument may be called "token": its schema is no secret. */
export function redactTool(tool: AddedTool, redact: (text: string) => string): AddedTool {
  const parameters = isTooDeep(tool.parameters) ? {} : mapTexts(tool.parameters, redact);
  return { ...tool, description: redact(tool.description), parameters };
}

/** Masks the secrets in a value of JSON; a value that is nested too deep is left out as a whole. */
export function maskValue(value: unknown, redact: (text: string) => string): unknown {
  return isTooDeep(value) ? "[nested too deep]" : redactValue(value, redact);
}

/** Masks the secrets in an error's texts. */
export function redactError(error: ErrorInfo | null, redact: (text: string) => string): ErrorInfo | null {
  if (error === null) return null;
  return { ...error, message: redact(error.message), details: maskFields(error.details, redact) };
}

function maskFields(
  fields: Readonly<Record<string, unknown>>,
  redact: (text: string) => string,
): Record<string, unknown> {
  return isTooDeep(fields) ? {} : redactValue(fields, redact) as Record<string, unknown>;
}

function redactMessage(message: Message, masking: Masking): Message {
  const { redact } = masking;
  if (message.role === "user") {
    return { ...message, content: message.content.map((part) => redactPart(part, redact)) };
  }
  if (message.role !== "assistant") return { ...message, content: redact(message.content) };
  const { extra } = message;
  return {
    ...message,
    content: redact(message.content),
    tool_calls: message.tool_calls.map((call) => redactToolCall(call, masking)),
    ...(extra && { extra: maskFields(extra, redact) }),
  };
}

function redactPart(part: Part, redact: (text: string) => string): Part {
  return part.type === "text" ? { ...part, text: redact(part.text) } : withoutData(part);
}

function withoutData({ type, path, mime_type, bytes }: Part & { type: "image" }): Part & { type: "image" } {
  return { type, path, mime_type, bytes };
}

function redactToolCall(call: ToolCall, masking: Masking): ToolCall {
  return {
    id: call.id,
    name: maskName(call.name, masking),
    arguments: redactArguments(call.arguments, masking.redact),
  };
}

/** What is masked must stay a name that providers take. */
function maskName(name: string, { redact, names }: Masking): string {
  return names.has(name) ? name : redact(name).replaceAll(REDACTED, "redacted");
}

/** Secrets are looked for in the values, where quotes and line breaks are not escaped. */
function redactArguments(source: string, redact: (text: string) => string): string {
  let value: unknown;
  try {
    value = parseJson(source, "arguments");
  } catch (error) {
    if (error instanceof ToolError) return redact(source);
    throw error;
  }
  const before = JSON.stringify(value);
  const after = JSON.stringify(redactValue(value, redact));
  return before === after ? source : after;
}

function redactOutcome(outcome: AgentOutcome, redact: (text: string) => string): AgentOutcome {
  const { answer, error, questions } = outcome;
  return {
    ...outcome,
    answer: answer === null ? null : redact(answer),
    ...(questions && { questions: questions.map(redact) }),
    ...("output" in outcome && { output: maskValue(outcome.output, redact) }),
    error: redactError(error, redact),
  };
}
