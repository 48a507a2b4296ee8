/** One call that the model makes. */
export interface ServedCall {
  name: string;
  arguments: unknown;
}

/** What the model says: calls, a text, or `null` for the text that ends the run. */
export type ServedReply = readonly ServedCall[] | string | null;

/** Gives the nth reply, from 0. */
export type ServedTurn = (n: number) => Promise<ServedReply> | ServedReply;

/** Bytes of a request that count as one token. */
const TOKEN_BYTES = 4;

/** An OpenAI-compatible server on 127.0.0.1 that takes the time between its replies and the requests after them. */
export class ModelServer implements AsyncDisposable {
  /** Milliseconds from the end of the nth reply until the next request is there as a whole. */
  readonly gaps: number[] = [];
  /** Size of the last request. */
  lastBytes = 0;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #replies = 0;
  #left: number | null = null;

  constructor(turn: ServedTurn) {
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
      this.lastBytes = (await request.arrayBuffer()).byteLength;
      if (this.#left !== null) this.gaps.push(performance.now() - this.#left);
      const n = this.#replies++;
      const events = eventsOf(n, await turn(n), { prompt_tokens: Math.ceil(this.lastBytes / TOKEN_BYTES) });
      return new Response(this.#stream(events), { headers: { "content-type": "text/event-stream" } });
    });
  }

  /** The base URL, with `/v1`. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/v1`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  #stream(events: readonly string[]): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    let sent = 0;
    return new ReadableStream({
      pull: (controller) => {
        controller.enqueue(encoder.encode(`data: ${events[sent++]}\n\n`));
        if (sent < events.length) return;
        controller.close();
        this.#left = performance.now();
      },
    }, { highWaterMark: 0 });
  }
}

function eventsOf(
  n: number,
  reply: ServedReply,
  { prompt_tokens }: { prompt_tokens: number },
): string[] {
  const isText = reply === null || typeof reply === "string";
  const delta = isText ? { content: reply ?? "done" } : {
    tool_calls: reply.map(({ name, arguments: input }, index) => ({
      index,
      id: `call_${n}_${index}`,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    })),
  };
  const finish_reason = isText ? "stop" : "tool_calls";
  const chunks = [
    { choices: [{ index: 0, delta: { role: "assistant", content: null }, finish_reason: null }] },
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason }] },
    { choices: [], usage: { prompt_tokens, completion_tokens: 20 } },
  ];
  const common = { id: `reply_${n}`, object: "chat.completion.chunk", created: 0, model: "bench" };
  return [...chunks.map((chunk) => JSON.stringify({ ...common, ...chunk })), "[DONE]"];
}
