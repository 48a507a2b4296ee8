import { ToolError } from "../../../schemas/error.ts";
import type { Message } from "../../../schemas/agent/chat.ts";
import type { Model, ModelReply, ModelRequest, Purpose, Usage } from "../../../schemas/agent/model.ts";
import { orAborted } from "../../wait/or_aborted.ts";
import { askModel } from "../../model/ask_model.ts";
import { estimateMessage, estimateText } from "../conversation/estimate_tokens.ts";
import { withOutputForm } from "./output_form.ts";
import { estimatePictures, requestMessages } from "../conversation/request_messages.ts";
import type { AgentTool, StepAsk } from "./parts.ts";
import { fixedTokens, type RunState, stepOf } from "./run_state.ts";
import { understandReply } from "./understand_reply.ts";

/** Part of the window that a reply may take at most. */
const REPLY_SHARE = 1 / 3;
/** Reply that is expected if the user bounds none, in tokens, and its part of a small window. */
const USUAL_REPLY = 16_384;
const USUAL_SHARE = 1 / 4;

/** Part of the estimate below which a server's count is not believed; no tokenizer makes so few tokens of a text. */
const BELIEVED = 1 / 2;

/** Asks the model to go on with the conversation, and adds its reply to conversation, trace and budget. */
export async function askToGoOn(run: RunState, purpose: "turn" | "repair"): Promise<ModelReply> {
  const { parts, conversation } = run;
  const { readPicture, profile, output } = parts;
  const step: StepAsk = purpose === "turn" ? stepOf(run) : { tools: [] };
  const { form, mustCall = false, inWords = false } = step;
  const tools = form ? [] : step.tools.map(toFunctionTool);
  const estimate = estimateTurn(run);
  const messages = await requestMessages(inStep(withOutputForm(conversation.messages, output), step), {
    images: seesPictures(run),
    readPicture,
  });
  const wants = { ...(mustCall && { mustCall }), ...(form && { form }), ...(inWords && { inWords }) };
  const request = { purpose, messages, tools, ...wants, ...asLimit(profile.output_tokens, replyTokens(run)) };
  const tell = (text: string) => parts.emit({ type: "text.delta", text });
  const takeBack = () => parts.emit({ type: "text.delta", text: "", restart: true });
  // An object that stands for a choice is no text for the person.
  const heard = form ? { restart() {}, onText() {} } : { restart: takeBack, onText: tell };
  const asked = await send(run, request, heard);
  if (asked.usage) run.meter.learn(estimate, asked.usage.input_tokens);
  const understood = purpose === "turn"
    ? await understandReply(run, tools.length > 0 || form ? asked : { ...asked, tool_calls: [] })
    : { reply: { ...asked, tool_calls: [] }, notes: [] };
  const isRead = asked.tool_calls.length === 0 && understood.reply.tool_calls.length > 0;
  const reply = conversation.withUniqueIds({
    ...understood.reply,
    ...(isRead && { from_text: true }),
  });
  // A call that was written as text was no text for the person.
  if (!form && asked.content !== "" && reply.content === "") takeBack();
  if (form && reply.content !== "" && reply.tool_calls.length > 0) tell(reply.content);
  const sent = fixedTokens(run) + conversation.tokens;
  count(run, { purpose, reply, estimate: run.meter.correct(estimate), sent });
  conversation.addReply(reply, understood.notes);
  return reply;
}

/**
 * Asks the model for a text about a text, apart from the conversation; the reply is traced and counted.
 *
 * @param request.most Longest reply, in tokens; sent only if the user bounds replies
 */
export async function askApart(
  run: RunState,
  { messages, most }: { messages: readonly Message[]; most: number },
): Promise<ModelReply> {
  const purpose = "compact";
  const limit = asLimit(run.parts.profile.output_tokens, most);
  const asked = await send(run, { purpose, messages, tools: [], ...limit }, {
    restart() {},
    onText() {},
  });
  const reply = { ...asked, tool_calls: [] };
  const sent = sizeOf(messages);
  count(run, { purpose, reply, estimate: sent, sent });
  return reply;
}

/**
 * Lets the model answer an MCP server or a tool, apart from the conversation; the reply is traced and counted.
 *
 * @throws {ToolError} `limit_exceeded` if a limit of the run is reached, and as the model does
 */
export async function askAside(
  run: RunState,
  { purpose, messages, maxOutputTokens }: ModelRequest,
  { model, signal }: { model: Model; signal: AbortSignal },
): Promise<ModelReply> {
  const excess = run.budget.excess(purpose);
  if (excess) throw new ToolError("limit_exceeded", `${excess.message}: the model answers no more requests`);
  const limit = maxOutputTokens === undefined ? {} : { maxOutputTokens };
  const request: ModelRequest = { purpose, messages, tools: [], ...limit };
  const asked = await send({ ...run, signal: AbortSignal.any([run.signal, signal]) }, request, {
    ...{ model, restart() {}, onText() {} },
  });
  const reply = { ...asked, tool_calls: [] };
  const sent = sizeOf(messages);
  try {
    count(run, { purpose, reply, estimate: sent, sent });
  } catch (error) {
    run.fail(error);
    throw error;
  }
  return reply;
}

function sizeOf(messages: readonly Message[]): number {
  const sizes = messages.map((message) => estimateMessage(message, { freshPictures: false }));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** A server may have refused pictures before. */
function seesPictures({ parts: { profile }, conversation }: RunState): boolean {
  return profile.images && conversation.learned.noImages !== true;
}

/** Estimates the next request of the conversation in tokens, without correction. */
export function estimateTurn(run: RunState): number {
  const { conversation } = run;
  const pictures = estimatePictures(conversation.messages, { images: seesPictures(run) });
  return fixedTokens(run) + conversation.tokens + pictures;
}

/** What is kept free of the window for a reply, in tokens. */
export function replyTokens({ parts: { profile: { context_tokens, output_tokens } } }: RunState): number {
  const wanted = output_tokens ?? Math.min(USUAL_REPLY, Math.floor(context_tokens * USUAL_SHARE));
  return Math.max(1, Math.min(wanted, Math.floor(context_tokens * REPLY_SHARE)));
}

/** Servers refuse limits that they do not like, so only a limit of the user is sent. */
function asLimit(configured: number | null, most: number): { maxOutputTokens?: number } {
  return configured === null ? {} : { maxOutputTokens: Math.min(configured, most) };
}

/** Says whether the provider refused a conversation for its length. */
export function isTooLong(error: unknown): boolean {
  return error instanceof ToolError && error.code === "limit_exceeded" && error.details.reason === "context";
}

interface Listener {
  /** @default the run's */
  model?: Model;
  onText(text: string): void;
  /** Takes back the text that came so far. */
  restart(): void;
}

async function send(
  run: RunState,
  request: ModelRequest,
  { model = run.parts.model, onText, restart }: Listener,
): Promise<ModelReply> {
  const { parts, signal, deadline, conversation } = run;
  const { limits, now, sleep, random } = parts;
  const isOwn = model === parts.model;
  const { learned } = conversation;
  const known = isOwn && Object.keys(learned).length > 0 ? { learned } : {};
  let spoke = false;
  const asked = askModel({ ...request, ...known }, {
    model,
    limits,
    signal,
    deadline,
    now,
    sleep,
    random,
    onText(text) {
      if (signal.aborted) return;
      spoke = true;
      onText(text);
    },
    onRestart: () => restart(),
    onWarning: (message) => parts.emit({ type: "warning", message }),
    onRetry(retry) {
      parts.emit({ type: "retry", ...retry });
      if (spoke) restart();
      spoke = false;
    },
  });
  // A model may ignore the signal. The run does not wait for it.
  const reply = await orAborted(asked, signal);
  if (reply === null) throw signal.reason;
  if (isOwn && reply.learned) conversation.learned = reply.learned;
  return reply;
}

/** System messages of steps, by the tools of the step: a message that is the same is sent to the model's worker once. */
const systems = new WeakMap<readonly AgentTool[], Message>();

function systemMessage(content: string, tools: readonly AgentTool[]): Message {
  const known = systems.get(tools);
  if (known?.role === "system" && known.content === content) return known;
  const made: Message = { role: "system", content };
  systems.set(tools, made);
  return made;
}

/** The messages of a request with what its step alone says. */
function inStep(messages: readonly Message[], { tools, system, note }: StepAsk): readonly Message[] {
  const rest = messages.filter(({ role }) => system === undefined || role !== "system");
  const said: Message[] = note === undefined
    ? []
    : [{ role: "user", kind: "remark", content: [{ type: "text", text: note }] }];
  if (system === undefined) return note === undefined ? messages : [...messages, ...said];
  return [systemMessage(system, tools), ...rest, ...said];
}

function toFunctionTool({ name, description, parameters }: AgentTool) {
  return { name, description, parameters };
}

interface Counted {
  purpose: Purpose;
  reply: ModelReply;
  /** Of the request, in tokens. */
  estimate: number;
  /** Of its texts alone, in tokens: providers count pictures too differently. */
  sent: number;
}

function count({ parts, budget }: RunState, { purpose, reply, estimate, sent }: Counted): void {
  parts.trace({ t: "reply", purpose, reply });
  const { usage } = reply;
  const least = estimateUsage(reply, sent);
  const counted = usage === null ? estimateUsage(reply, estimate) : atLeast(usage, {
    input_tokens: Math.floor(least.input_tokens * BELIEVED),
    output_tokens: Math.floor(least.output_tokens * BELIEVED),
  });
  budget.addReply(purpose, counted, { estimated: counted !== usage });
}

/** A server that counts next to nothing does not keep the limits of tokens and cost from being reached. */
function atLeast(usage: Usage, least: Pick<Usage, "input_tokens" | "output_tokens">): Usage {
  const { input_tokens, output_tokens, cost = 0, ...rest } = usage;
  if (input_tokens >= least.input_tokens && output_tokens >= least.output_tokens) return usage;
  return {
    ...rest,
    // That it cost nothing is believed as little.
    ...(cost > 0 && { cost }),
    input_tokens: Math.max(input_tokens, least.input_tokens),
    output_tokens: Math.max(output_tokens, least.output_tokens),
  };
}

function estimateUsage({ content, tool_calls }: ModelReply, input_tokens: number): Usage {
  const said = [content, ...tool_calls.flatMap((call) => [call.name, call.arguments])];
  const output_tokens = said.reduce((sum, text) => sum + estimateText(text), 0);
  return { input_tokens, cached_tokens: 0, output_tokens };
}
