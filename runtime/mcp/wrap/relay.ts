import { isObject } from "../../../schemas/json/shape.ts";
import { cutLines } from "../../sources/mcp/wire/cut_lines.ts";
import { fieldNames } from "./field_names.ts";
import type { ListName } from "./pin_store.ts";
import type { ServerPins } from "./server_pins.ts";

/** A call of a tool that has ended, for the audit. */
export interface RelayedCall {
  tool: string;
  input: unknown;
  /** When it began. */
  time: Date;
  ok: boolean;
  /** Why it did not go on to the server; `null` if it did. */
  refused: string | null;
  /** Length of the answer, in bytes; 0 if there was none. */
  bytes: number;
}

/** Both sides of a relay. */
export interface RelayParts {
  client: { input: AsyncIterable<Uint8Array>; write(bytes: Uint8Array): Promise<void> };
  server: { output: AsyncIterable<Uint8Array>; write(bytes: Uint8Array): Promise<void> };
  pins: ServerPins;
  /** What the user calls the server. */
  name: string;
  onCall(call: RelayedCall): void;
  /** Hears why a call failed, and returns what would help. @default nothing is known */
  hintsFor?: ((text: string) => readonly string[]) | undefined;
  /** Tells the user, in one sentence. */
  warn(message: string): void;
}

type Message = Record<string, unknown>;

/** What a request of the client asked for. */
interface Pending {
  method: string;
  /** Of a call, or the prompt that is asked for. */
  tool: string;
  input: unknown;
  /** Of a list: it asks for its first page. */
  begins: boolean;
  time: Date;
}

/** Most requests that wait for their answers. */
const MOST_PENDING = 4_096;
const REFUSED = -32_000;
const UNREADABLE = -32_700;
const DESCRIBING = ["initialize", "server/discover"];
/** What asks for a list that is pinned, and what uses an entry of it. */
const ASKING = new Map<string, ListName>([["tools/list", "tools"], ["prompts/list", "prompts"]]);
const USING = new Map<string, ListName>([["tools/call", "tools"], ["prompts/get", "prompts"]]);
/** What an entry of a list is called. */
const ENTRIES: Readonly<Record<ListName, string>> = { tools: "tool", prompts: "prompt" };
/** The fields of a message. */
const FIELDS = new Set(["jsonrpc", "id", "method", "params", "result", "error"]);
/** How often the user is told the same. */
const MOST_TOLD = 20;

/**
 * Passes messages on between a client and a server, as they are. Lists of tools and prompts are held to what was accepted,
 * and others are refused. Each message is read once, and only a list is written anew.
 */
export class Relay {
  readonly #parts: RelayParts;
  readonly #pending = new Map<string, Pending>();
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly #encoder = new TextEncoder();
  #written: Promise<void> = Promise.resolve();
  #told = 0;
  #answered = 0;
  #calls = 0;

  constructor(parts: RelayParts) {
    this.#parts = parts;
  }

  /** How many requests the server has answered, and how many of them were calls of tools. */
  get answered(): { requests: number; calls: number } {
    return { requests: this.#answered, calls: this.#calls };
  }

  /** Passes on what the client says. Settles when it says no more, or the server takes no more. */
  async fromClient(): Promise<void> {
    const { client, server } = this.#parts;
    const onTooLong = () =>
      this.#warn("the client sent a message that is too long, and is not heard any more");
    for await (const line of cutLines(client.input, { onTooLong })) {
      const message = this.#read(line);
      const refusal = message === null
        ? errorOf(null, UNREADABLE, "Parse error: one message of JSON-RPC is expected, and no list of them")
        : this.#take(message);
      if (refusal === null) await server.write(withEnd(line));
      else await this.#toClient(this.#encode(refusal));
    }
  }

  /** Passes on what the server says. Settles when it says no more. */
  async fromServer(): Promise<void> {
    const { server } = this.#parts;
    const onTooLong = () => this.#warn("sent a message that is too long, and is not heard any more");
    try {
      for await (const line of cutLines(server.output, { onTooLong })) {
        const message = this.#read(line);
        if (message === null) {
          this.#warn("wrote a line to its stdout that is no message; it was left out");
          continue;
        }
        const answer = isPlain(line)
          ? this.#answer(message, line)
          : this.#rewritten(Object.fromEntries(Object.entries(message).filter(([name]) => FIELDS.has(name))));
        if (answer !== null) await this.#toClient(answer);
      }
    } finally {
      for (const pending of this.#pending.values()) this.#noteUnanswered(pending);
    }
    // Nobody will answer these.
    for (const id of [...this.#pending.keys()]) {
      await this.#toClient(this.#encode(errorOf(JSON.parse(id), REFUSED, `${this.#parts.name} has ended`)));
    }
    await this.#written;
  }

  #rewritten(message: Message): Uint8Array | null {
    return this.#answer(message, this.#encoder.encode(JSON.stringify(message)));
  }

  /** Returns the refusal of a message of the client, `null` if it goes on to the server. */
  #take(message: Message): Message | null {
    const { method, id, params } = message;
    if (typeof method !== "string") return null;
    if (id === undefined) {
      if (method === "notifications/cancelled" && isObject(params)) this.#forget(params.requestId);
      return null;
    }
    const key = JSON.stringify(id);
    // What the server answers must be held to what was asked.
    if (this.#pending.has(key)) return errorOf(id, REFUSED, "A request with this id waits for its answer");
    if (this.#pending.size >= MOST_PENDING) {
      return errorOf(id, REFUSED, "Too many requests wait for an answer");
    }
    const { name, arguments: input, cursor } = isObject(params) ? params : {} as Message;
    const pending = {
      method,
      tool: typeof name === "string" ? name : "",
      input,
      begins: cursor === undefined,
      time: new Date(),
    };
    const list = USING.get(method);
    const why = list === undefined ? null : this.#parts.pins.refusal(list, pending.tool);
    if (why !== null) return this.#refuse(id, pending, { list: list!, why });
    this.#pending.set(key, pending);
    return null;
  }

  /** A server need not answer what nobody waits for. */
  #forget(id: unknown): void {
    const key = JSON.stringify(id ?? null);
    const pending = this.#pending.get(key);
    if (pending === undefined) return;
    this.#pending.delete(key);
    this.#noteUnanswered(pending);
  }

  #noteUnanswered(pending: Pending): void {
    if (pending.method === "tools/call") {
      this.#parts.onCall({ ...pending, ok: false, refused: null, bytes: 0 });
    }
  }

  #refuse(id: unknown, pending: Pending, { list, why }: { list: ListName; why: string }): Message {
    const { name, onCall } = this.#parts;
    const refused =
      `The ${
        ENTRIES[list]
      } "${pending.tool}" of ${name} ${why}: the user can look at it, and accept it, with ` +
      `bulkhead mcp accept ${name}`;
    if (list === "tools") onCall({ ...pending, ok: false, refused, bytes: 0 });
    return errorOf(id, REFUSED, refused);
  }

  /** Returns what the client gets for a message of the server, `null` for nothing. */
  #answer(message: Message, line: Uint8Array): Uint8Array | null {
    const isAnswer = "result" in message || "error" in message;
    if (typeof message.method === "string" && !isAnswer) return withEnd(line);
    const key = JSON.stringify(message.id ?? null);
    const pending = this.#pending.get(key);
    if (pending === undefined || typeof message.method === "string") {
      this.#warn("answered what was not asked, or not waited for any more; it was left out");
      return null;
    }
    this.#pending.delete(key);
    this.#answered++;
    const list = ASKING.get(pending.method);
    if (list !== undefined) return this.#encode(this.#checkList(list, message, pending));
    if (DESCRIBING.includes(pending.method)) return this.#encode(this.#checkHello(message));
    if (pending.method === "tools/call") {
      const ok = isObject(message.result) && message.result.isError !== true;
      this.#calls++;
      this.#parts.onCall({ ...pending, ok, refused: null, bytes: line.length });
      return ok ? withEnd(line) : this.#withHints(message, line);
    }
    return withEnd(line);
  }

  /** The client hears as well what the user is told. */
  #withHints(message: Message, line: Uint8Array): Uint8Array {
    const hints = this.#parts.hintsFor?.(failureOf(message)) ?? [];
    for (const hint of hints) this.#warn(hint);
    const { result } = message;
    if (hints.length === 0 || !isObject(result)) return withEnd(line);
    const meta = isObject(result._meta) ? result._meta : {};
    return this.#encode({ ...message, result: { ...result, _meta: { ...meta, "bulkhead/hints": hints } } });
  }

  #checkList(list: ListName, message: Message, { begins }: Pending): Message {
    const { result } = message;
    if (!isObject(result) || !Array.isArray(result[list])) {
      return "error" in message
        ? message
        : errorOf(message.id, REFUSED, `The server sent no list of ${list}`);
    }
    const ends = typeof result.nextCursor !== "string";
    const { passed, refused } = this.#parts.pins.check(list, result[list], { begins, ends });
    for (const { name, why } of refused) {
      this.#warn(`its ${ENTRIES[list]} ${JSON.stringify(name)} ${why}, and is refused: ${this.#remedy()}`);
    }
    return { ...message, result: { ...without(result, list), [list]: passed } };
  }

  #checkHello(message: Message): Message {
    const { result } = message;
    if (!isObject(result)) return message;
    const { instructions } = result;
    const rest = without(result, "instructions");
    const text = typeof instructions === "string" ? instructions : null;
    if (this.#parts.pins.checkInstructions(text)) {
      return { ...message, result: { ...rest, ...text !== null && { instructions: text } } };
    }
    this.#warn(
      `its instructions are others than those that were accepted, and are left out: ${this.#remedy()}`,
    );
    return { ...message, result: rest };
  }

  #remedy(): string {
    return `bulkhead mcp accept ${this.#parts.name} shows what has changed`;
  }

  #read(line: Uint8Array): Message | null {
    try {
      const value: unknown = JSON.parse(this.#decoder.decode(line));
      return isObject(value) ? value : null;
    } catch {
      return null;
    }
  }

  #encode(message: Message): Uint8Array {
    return withEnd(this.#encoder.encode(JSON.stringify(message)));
  }

  /** Messages must not mix. */
  #toClient(bytes: Uint8Array): Promise<void> {
    return this.#written = this.#written.then(() => this.#parts.client.write(bytes));
  }

  #warn(what: string): void {
    if (++this.#told <= MOST_TOLD) this.#parts.warn(`${this.#parts.name}: ${what}`);
  }
}

/**
 * Some clients take a field in any letter case, or the first of two that have one name: that could be an id that was not
 * looked at.
 */
function isPlain(line: Uint8Array): boolean {
  const names = fieldNames(line);
  return names.every((name) => FIELDS.has(name)) && new Set(names).size === names.length;
}

/** What a server says of a call that failed. */
function failureOf({ result, error }: Message): string {
  if (isObject(error)) return String(error.message);
  const content = isObject(result) && Array.isArray(result.content) ? result.content : [];
  return content.map((part) => isObject(part) && typeof part.text === "string" ? part.text : "").join("\n");
}

/** Returns an object without a field, in whatever letter case. */
function without(fields: Message, field: string): Message {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name.toLowerCase() !== field));
}

function errorOf(id: unknown, code: number, message: string): Message {
  return { jsonrpc: "2.0", id: id ?? null, error: { code, message } };
}

function withEnd(line: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(line.length + 1);
  bytes.set(line);
  bytes[line.length] = 0x0a;
  return bytes;
}
