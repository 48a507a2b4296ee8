import type { Message } from "../../../../schemas/agent/chat.ts";
import type { Model } from "../../../../schemas/agent/model.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { isObject } from "../../../../schemas/json/shape.ts";
import { NO_CONSENT, readConsent } from "../../../calls/consent.ts";
import type { CallControl } from "../../../calls/control.ts";
import { onOneLine } from "../../../text/strip_controls.ts";
import { orAborted } from "../../../wait/or_aborted.ts";

/** What a request of a server to the model is answered with. */
export interface SampleParts {
  /** The server's name. */
  name: string;
  model: Model;
  control: Pick<CallControl, "confirm" | "consents">;
  /** How many requests to the model the server has made before. */
  asked: number;
  signal: AbortSignal;
}

/** Most requests of one server within a run: they are paid for, and most runs have wide bounds. */
const MAX_REQUESTS = 20;
/** Longest reply, in tokens. */
const MAX_TOKENS = 4_096;
/** Most characters of a request. */
const MAX_CHARS = 100_000;

/**
 * Lets the model of the run answer a server, if the person agrees. The model gets what the server says, and nothing of the
 * run.
 *
 * @throws {ToolError} If nobody agrees, and as the model does
 */
export async function sample(
  params: unknown,
  { name, model, control, asked: before, signal }: SampleParts,
): Promise<Readonly<Record<string, unknown>>> {
  if (before >= MAX_REQUESTS) {
    throw new ToolError(
      "limit_exceeded",
      `a server may ask the model at most ${MAX_REQUESTS} times in a run`,
    );
  }
  const { maxTokens, tools } = isObject(params) ? params : {};
  if (Array.isArray(tools) && tools.length > 0) {
    throw new ToolError("invalid_input", "tools are not supported");
  }
  const messages = messagesOf(params);
  const maxOutputTokens = Math.min(typeof maxTokens === "number" ? maxTokens : MAX_TOKENS, MAX_TOKENS);
  const asked = { server: name, messages: messages.map(shown), max_tokens: maxOutputTokens };
  await requireConsent(asked, { name, control, signal });
  const reply = await model.complete({ purpose: "server", messages, tools: [], maxOutputTokens }, { signal });
  return {
    role: "assistant",
    model: model.name,
    content: { type: "text", text: reply.content },
    stopReason: reply.finish === "length" ? "maxTokens" : "endTurn",
  };
}

async function requireConsent(
  input: unknown,
  { name, control: { confirm, consents }, signal }: Pick<SampleParts, "name" | "control" | "signal">,
): Promise<void> {
  const scope = { tool: `mcp/${name}: requests to the model`, programs: null };
  if (consents.covers(scope)) return;
  if (confirm === null) {
    throw new ToolError("denied_by_policy", "no person can be asked whether the model may answer");
  }
  const preview = () => Promise.resolve({ targets: [], analyses: [], change: null, always: scope.tool });
  const question = `The server "${onOneLine(name)}" wants the model of this run to answer it, at your cost`;
  const asked = (async () => await confirm({ tool: scope.tool, input, question, preview }))();
  const { agreed, always } = await orAborted(asked.then(readConsent).catch(() => NO_CONSENT), signal) ??
    NO_CONSENT;
  if (!agreed) throw new ToolError("denied_by_policy", "the user does not want the model to answer");
  if (always) consents.add(scope);
}

function messagesOf(params: unknown): Message[] {
  const { messages, systemPrompt } = isObject(params) ? params : {};
  const read = (Array.isArray(messages) ? messages : []).map(readMessage);
  const all: Message[] = typeof systemPrompt === "string"
    ? [{ role: "system", content: systemPrompt }, ...read]
    : read;
  if (read.length === 0) throw new ToolError("invalid_input", "there is no message to answer");
  if (all.map(shown).join("").length <= MAX_CHARS) return all;
  throw new ToolError("limit_exceeded", `a request to the model has at most ${MAX_CHARS} characters`);
}

function readMessage(message: unknown): Message {
  const { role, content } = isObject(message) ? message : {};
  const text = (Array.isArray(content) ? content : [content]).map((part) => {
    if (isObject(part) && part.type === "text" && typeof part.text === "string") return part.text;
    throw new ToolError("invalid_input", "only texts are supported");
  }).join("\n");
  return role === "assistant"
    ? { role, content: text, tool_calls: [] }
    : { role: "user", kind: "task", content: [{ type: "text", text }] };
}

function shown(message: Message): string {
  const { role, content } = message;
  const text = typeof content === "string"
    ? content
    : content.map((part) => part.type === "text" ? part.text : "").join("\n");
  return `${role}: ${text}`;
}
