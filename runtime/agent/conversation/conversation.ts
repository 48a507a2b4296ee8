import type { Message, Part, ToolCall } from "../../../schemas/agent/chat.ts";
import { isAside, type ModelReply } from "../../../schemas/agent/model.ts";
import type { CallResult, TraceLine } from "../../../schemas/agent/trace.ts";
import { estimateMessage } from "./estimate_tokens.ts";
import { wellFormed } from "./unwrap_json.ts";

/** The model's last reply, and how far it was dealt with. */
export interface OpenReply {
  reply: ModelReply;
  /** Results by the ids of their calls. */
  results: Map<string, CallResult>;
  /** Ids of calls that began. Without a result, their effects are unknown. */
  started: Set<string>;
  /** What was repaired to understand each of its calls, in their order. */
  notes: readonly (readonly string[])[];
  /** Whether a message came after it before all results were there. */
  followed: boolean;
}

/** Longest id that a call is given; providers refuse longer ones. */
const MAX_ID = 40;
/** Longest text of no use that is sent again, in characters. */
const MAX_USELESS = 40_000;

/**
 * What was said in a run, kept as it is sent: each call is followed by its results in the order of the calls, and those
 * by their pictures. The same facts make the same conversation, whether they come one by one or from a trace.
 */
export class Conversation {
  readonly #messages: Message[] = [];
  /** Of the messages, with all pictures only named. */
  readonly #tokens: number[] = [];
  #sum = 0;
  readonly #ids = new Set<string>();
  /** Next number to try for an id that was there already. */
  readonly #numbers = new Map<string, number>();
  /** What summaries have replaced. */
  readonly #replaced: Message[] = [];
  #madeCalls = false;
  /** What replies taught of their server. */
  learned: Readonly<Record<string, unknown>> = {};
  #model: string | null = null;
  #open: OpenReply | null = null;
  /** Where the message of the open reply stands. */
  #openAt = -1;
  /** Places of the open reply's calls among each other, by their ids. */
  #orders = new Map<string, number>();
  /** The places of those that have a result, sorted. */
  #answered: number[] = [];

  /** @param start What was said before; a reply in it is over */
  constructor(start: readonly Message[] = []) {
    for (const message of start) {
      this.#insert(message, this.#messages.length);
      if (message.role !== "assistant") continue;
      for (const { id } of message.tool_calls) this.#ids.add(id);
      this.#madeCalls ||= message.tool_calls.length > 0;
    }
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Estimated tokens of the message at an index, with its pictures only named. */
  tokensAt(index: number): number {
    return this.#tokens[index] ?? 0;
  }

  /** Estimated tokens of all messages, with their pictures only named. */
  get tokens(): number {
    return this.#sum;
  }

  /** The last reply, as long as nothing was said after it but the results of its calls. */
  get last(): OpenReply | null {
    return this.#open;
  }

  /** Whether its model has made a call itself, and not by a text. */
  get madeCalls(): boolean {
    return this.#madeCalls;
  }

  /** All that the model was shown, also what a summary stands for by now. */
  get shown(): readonly Message[] {
    return [...this.#replaced, ...this.#messages];
  }

  /** A run begins: what is known of another model does not count. */
  beginRun(model: string): void {
    if (this.#model !== null && this.#model !== model) {
      this.#madeCalls = false;
      this.learned = {};
    }
    this.#model = model;
  }

  /** Whether the last reply has calls without a result. */
  get hasOpenCalls(): boolean {
    return this.#open !== null && this.#open.results.size < callsOf(this.#open.reply).length;
  }

  /** The last thing that the model said about the newest request, `null` if it said nothing. */
  get lastText(): string | null {
    for (let at = this.#messages.length - 1; at >= 0; at--) {
      const message = this.#messages[at]!;
      if (message.role === "user" && message.kind === "task") return null;
      if (message.role === "assistant" && message.content.trim() !== "") return message.content;
    }
    return null;
  }

  /** Makes the ids of a reply's calls unique among all calls; what has no id is given one. */
  withUniqueIds(reply: ModelReply): ModelReply {
    const taken = new Set<string>();
    const calls = reply.tool_calls.map((call) => {
      const id = this.#uniqueId(call.id, taken);
      taken.add(id);
      return id === call.id ? call : { ...call, id };
    });
    return calls.some((call, at) => call !== reply.tool_calls[at]) ? { ...reply, tool_calls: calls } : reply;
  }

  /**
   * Adds a message other than a reply or a result. Results that are still to come will go before it. A text that a remark
   * follows was of no use: of a long one, only its ends are sent again.
   */
  add(message: Message): void {
    if (message.role === "user" && message.kind === "remark") this.#shorten();
    this.#insert(message, this.#messages.length);
    if (this.#open && this.hasOpenCalls) this.#open.followed = true;
    else this.#open = null;
  }

  /**
   * Adds a reply whose ids are unique. Leaves out an empty one: providers refuse it.
   *
   * @param notes What was repaired to understand each of its calls. @default nothing
   */
  addReply(reply: ModelReply, notes: OpenReply["notes"] = []): void {
    const calls = callsOf(reply);
    this.#open = { reply, results: new Map(), started: new Set(), notes, followed: false };
    this.#openAt = this.#messages.length;
    this.#orders = new Map(calls.map(({ id }, at) => [id, at]));
    this.#answered = [];
    for (const { id } of reply.tool_calls) this.#ids.add(id);
    this.#madeCalls ||= reply.tool_calls.length > 0 && !reply.from_text;
    if (reply.content.trim() === "" && calls.length === 0) return;
    const tool_calls = calls.map((call) => ({ ...call, arguments: wellFormed(call.arguments) }));
    const extra = reply.extra === undefined ? {} : { extra: reply.extra };
    this.#insert({ role: "assistant", content: reply.content, tool_calls, ...extra }, this.#openAt);
  }

  /** Notes that a call of the last reply begins. */
  addStart(id: string): void {
    this.#open?.started.add(id);
  }

  /** Adds what a call of the last reply gave, in the place that its call has among the others. */
  addResult(result: CallResult): void {
    const open = this.#open;
    const order = this.#orders.get(result.id);
    if (!open || order === undefined || open.results.has(result.id)) return;
    open.results.set(result.id, result);
    const calls = callsOf(open.reply);
    const before = placeOf(order, this.#answered);
    this.#answered.splice(before, 0, order);
    const at = this.#openAt + 1 + before;
    this.#insert({ role: "tool", tool_call_id: result.id, content: result.content }, at);
    if (open.results.size < calls.length) return;
    this.#insertPictures(open, calls);
    if (open.followed) this.#open = null;
  }

  /** Replaces what is before an index by a summary; messages of {@linkcode pinnedBefore} stay, before the summary. */
  compact(keep: number, summary: string): void {
    const pinned = pinnedBefore(this.#messages, keep);
    this.#replaced.push(
      ...this.#messages.slice(0, keep).filter(({ role }) => role === "tool" || role === "user"),
    );
    const kept = this.#messages.slice(keep);
    this.#messages.length = this.#tokens.length = this.#sum = 0;
    const text: Part = { type: "text", text: summary };
    for (const message of [...pinned, { role: "user", kind: "summary", content: [text] } as const, ...kept]) {
      this.#insert(message, this.#messages.length);
    }
    this.#open = null;
  }

  #shorten(): void {
    const { reply } = this.#open ?? {};
    const message = this.#messages[this.#openAt];
    if (!reply || callsOf(reply).length > 0 || message?.role !== "assistant") return;
    const { content } = message;
    if (content.length <= MAX_USELESS) return;
    const half = MAX_USELESS / 2;
    const left = `\n[${content.length - MAX_USELESS} characters are left out]\n`;
    this.#messages.splice(this.#openAt, 1);
    const [tokens = 0] = this.#tokens.splice(this.#openAt, 1);
    this.#sum -= tokens;
    const ends = [content.slice(0, half), content.slice(-half)].map((end) => end.toWellFormed());
    this.#insert({ ...message, content: ends.join(left) }, this.#openAt);
  }

  #insert(message: Message, at: number): void {
    const tokens = estimateMessage(message, { freshPictures: false });
    this.#sum += tokens;
    if (at === this.#messages.length) {
      this.#messages.push(message);
      this.#tokens.push(tokens);
      return;
    }
    this.#messages.splice(at, 0, message);
    this.#tokens.splice(at, 0, tokens);
  }

  #insertPictures(open: OpenReply, calls: readonly ToolCall[]): void {
    const content = calls.flatMap(({ id, name }) => {
      const pictures = open.results.get(id)?.pictures ?? [];
      return pictures.flatMap((picture): Part[] => [
        { type: "text", text: `Picture that ${name} gave (call ${id}):` },
        picture,
      ]);
    });
    const message: Message = { role: "user", kind: "pictures", content };
    if (content.length > 0) this.#insert(message, this.#openAt + 1 + calls.length);
  }

  #uniqueId(wanted: string, taken: ReadonlySet<string>): string {
    const base = wanted.trim().slice(0, MAX_ID) || "call";
    const isFree = (id: string) => !this.#ids.has(id) && !taken.has(id);
    if (isFree(base)) return base;
    const stem = base.slice(0, MAX_ID - 8);
    for (let number = this.#numbers.get(base) ?? 2;; number++) {
      const id = `${stem}_${number}`;
      if (!isFree(id)) continue;
      this.#numbers.set(base, number + 1);
      return id;
    }
  }
}

/** Returns how many numbers of a sorted list are smaller. */
function placeOf(number: number, sorted: readonly number[]): number {
  let [from, to] = [0, sorted.length];
  // Results mostly come in the order of the calls.
  if (sorted.length === 0 || sorted[to - 1]! < number) return to;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! < number) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Makes a conversation from the lines of a trace, whole or cut anywhere. */
export function foldTrace(lines: Iterable<TraceLine>): Conversation {
  const conversation = new Conversation();
  for (const line of lines) addLine(conversation, line);
  return conversation;
}

/** The calls of a reply that count: those of a reply that was cut off are not run, because they may be cut off too. */
export function callsOf(reply: ModelReply): readonly ToolCall[] {
  return reply.finish === "length" ? [] : reply.tool_calls;
}

/** Returns the messages before an index that no summary replaces: system, project and the newest request. */
export function pinnedBefore(messages: readonly Message[], index: number): Message[] {
  const newestTask = messages.findLastIndex((message) => message.role === "user" && message.kind === "task");
  return messages.slice(0, index).filter((message, at) => isPinned(message) || at === newestTask);
}

/** Says whether a message is never summed up, wherever it stands. */
export function isPinned(message: Message): boolean {
  return message.role === "system" || (message.role === "user" && message.kind === "project");
}

function addLine(conversation: Conversation, line: TraceLine): void {
  switch (line.t) {
    case "run":
      return conversation.beginRun(line.model);
    case "message":
      return conversation.add(line.message);
    case "reply":
      if (!isAside(line.purpose)) conversation.learned = line.reply.learned ?? conversation.learned;
      return line.purpose === "compact" || isAside(line.purpose)
        ? undefined
        : conversation.addReply(line.reply);
    case "call":
      return conversation.addStart(line.id);
    case "result":
      return conversation.addResult(line);
    case "compact":
      return conversation.compact(line.keep, line.summary);
    case "plan":
      return line.message && conversation.add(line.message);
  }
}
