import type { Running } from "../../program.ts";
import type { Scene } from "../scene.ts";

export interface Message {
  jsonrpc?: "2.0";
  id?: number | string | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

export interface CallAnswer {
  text: string;
  isError: boolean;
  structured: unknown;
  content: Record<string, unknown>[];
  meta: Record<string, unknown>;
}

/** A client of the older era over stdin and stdout, without any library. */
export interface PipeClient extends AsyncDisposable {
  running: Running;
  notes: Message[];
  send(message: Message): Promise<void>;
  /** Sends a request and waits for its answer. */
  ask(method: string, params?: Record<string, unknown>): Promise<Message>;
  call(name: string, input: unknown, meta?: Record<string, unknown>): Promise<CallAnswer>;
  /** The next message that answers this id. */
  answerTo(id: number | string | null): Promise<Message>;
}

export interface ConnectOptions {
  flags?: readonly string[];
  capabilities?: Record<string, unknown>;
  /** Answers requests of the server. @default none is answered */
  answer?: (message: Message) => Record<string, unknown> | undefined;
}

/** Starts `mcp serve` in the scene's workspace and initializes it. Closing stdin must end the program. */
export function connect(scene: Scene, options: ConnectOptions = {}): Promise<PipeClient> {
  return initialize(scene.start(["mcp", "serve", ...options.flags ?? []]), options);
}

export async function initialize(
  running: Running,
  { capabilities = {}, answer = () => undefined }: Omit<ConnectOptions, "flags"> = {},
): Promise<PipeClient> {
  const notes: Message[] = [];
  let asked = 0;
  const send = (message: Message) => running.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const client: PipeClient = {
    running,
    notes,
    send,
    async answerTo(id) {
      for (;;) {
        const line = await running.nextLine();
        if (line === null) throw new Error(`the server ended: ${(await running.ended()).stderr}`);
        const message = JSON.parse(line) as Message;
        if (message.method === undefined && message.id === id) return message;
        notes.push(message);
        const result = message.id === undefined ? undefined : answer(message);
        if (result) await send({ id: message.id!, result });
      }
    },
    async ask(method, params = {}) {
      const id = ++asked;
      await send({ id, method, params });
      return await client.answerTo(id);
    },
    async call(name, input, meta) {
      const params = { name, arguments: input, ...(meta && { _meta: meta }) };
      return callAnswer(await client.ask("tools/call", params));
    },
    async [Symbol.asyncDispose]() {
      await running.closeInput().catch(() => {});
      await running.ended();
    },
  };
  await client.ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities,
    clientInfo: { name: "test", version: "1" },
  });
  await send({ method: "notifications/initialized" });
  return client;
}

/** Understands the answer to a call; an error of the protocol is thrown. */
export function callAnswer({ result, error }: Message): CallAnswer {
  if (!result) throw new Error(`no result: ${JSON.stringify(error)}`);
  const content = (result.content ?? []) as Record<string, unknown>[];
  return {
    text: content.filter(({ type }) => type === "text").map(({ text }) => text).join("\n"),
    isError: result.isError === true,
    structured: result.structuredContent,
    content,
    meta: (result._meta ?? {}) as Record<string, unknown>,
  };
}
