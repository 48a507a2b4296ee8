export interface ScriptedTurn {
  text?: string;
  tool_calls?: readonly { id?: string; name: string; arguments: unknown }[];
  /** `null` sends none. @default `tool_calls` if there are some, else `stop` */
  finish?: string | null;
  /** @default 10 in, 5 out; `null` sends none */
  usage?: { prompt_tokens: number; completion_tokens: number; cost?: number } | null;
  status?: number;
  headers?: Record<string, string>;
  /** The body as it is, instead of a stream. An object is sent as JSON. */
  body?: unknown;
  /** Events of the stream as they are, instead of those made from the fields above. */
  events?: readonly unknown[];
  /** The connection breaks after so many events. */
  cutAfter?: number;
  /** Nothing more is sent after so many events, and the connection stays open. */
  stallAfter?: number;
  /** Before the first byte. */
  delayMs?: number;
}

export interface ScriptedRequest {
  path: string;
  headers: Headers;
  // deno-lint-ignore no-explicit-any
  body: any;
  /** Resolves when the client goes away before the answer is over. */
  gone: Promise<void>;
}

/** An OpenAI-compatible server on 127.0.0.1. */
export interface ScriptedModel extends AsyncDisposable {
  url: string;
  port: number;
  requests: ScriptedRequest[];
}

type Script = readonly ScriptedTurn[] | ((request: ScriptedRequest, n: number) => ScriptedTurn);

/** Starts a server that answers the nth request with the nth turn; beyond the last it answers with status 500. */
export function scriptedModel(turns: Script): ScriptedModel {
  const requests: ScriptedRequest[] = [];
  const closing = new AbortController();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (received) => {
    const gone = Promise.withResolvers<void>();
    const text = await received.text();
    const { pathname: path } = new URL(received.url);
    const request = { path, headers: received.headers, body: parse(text), gone: gone.promise };
    requests.push(request);
    const over: ScriptedTurn = { status: 500, body: { error: { message: "The script is over" } } };
    const n = requests.length - 1;
    const turn = typeof turns === "function" ? turns(request, n) : turns[n] ?? over;
    if (turn.delayMs !== undefined) await wait(turn.delayMs, closing.signal);
    return answer(turn, { gone: gone.resolve, closing: closing.signal });
  });
  const { port } = server.addr;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    requests,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await server.shutdown();
    },
  };
}

interface Connection {
  gone(): void;
  closing: AbortSignal;
}

function answer(turn: ScriptedTurn, connection: Connection): Response {
  const { status = 200, headers = {}, body } = turn;
  if (body !== undefined || status !== 200) {
    const text = typeof body === "string" ? body : JSON.stringify(body ?? {});
    const type = typeof body === "string" ? "text/plain" : "application/json";
    return new Response(text, { status, headers: { "content-type": type, ...headers } });
  }
  return new Response(stream(turn, connection), {
    headers: { "content-type": "text/event-stream", ...headers },
  });
}

function stream(turn: ScriptedTurn, { gone, closing }: Connection): ReadableStream<Uint8Array> {
  const events = turn.events ?? [...eventsOf(turn), "[DONE]"];
  const encoder = new TextEncoder();
  let sent = 0;
  let stalled = () => {};
  return new ReadableStream({
    async pull(controller) {
      if (sent === turn.cutAfter) {
        // The event before has left by then: what fails now is the connection, not the response.
        await wait(20, closing);
        return controller.error(new Error("cut"));
      }
      if (sent === turn.stallAfter) {
        await new Promise<void>((resolve) => {
          stalled = resolve;
          closing.addEventListener("abort", () => resolve(), { once: true });
        });
        return closing.aborted ? controller.close() : undefined;
      }
      if (sent === events.length) return controller.close();
      const event = events[sent++];
      const data = typeof event === "string" ? event : JSON.stringify(event);
      controller.enqueue(encoder.encode(`data: ${data}\n\n`));
    },
    cancel() {
      gone();
      stalled();
    },
  }, { highWaterMark: 0 });
}

export function eventsOf({ text = "", tool_calls = [], finish, usage }: ScriptedTurn): unknown[] {
  const deltas: Record<string, unknown>[] = [{ role: "assistant", content: "" }];
  for (let at = 0; at < text.length; at += 8) deltas.push({ content: text.slice(at, at + 8) });
  tool_calls.forEach(({ id, name, arguments: input }, at) => {
    const written = typeof input === "string" ? input : JSON.stringify(input);
    deltas.push({
      tool_calls: [{
        index: at,
        id: id ?? `call_${at + 1}`,
        type: "function",
        function: { name, arguments: "" },
      }],
    });
    for (let from = 0; from < written.length; from += 16) {
      deltas.push({ tool_calls: [{ index: at, function: { arguments: written.slice(from, from + 16) } }] });
    }
  });
  const reason = finish === undefined ? (tool_calls.length > 0 ? "tool_calls" : "stop") : finish;
  const chunks = deltas.map((delta) => chunk([{ index: 0, delta, finish_reason: null }]));
  if (reason !== null) chunks.push(chunk([{ index: 0, delta: {}, finish_reason: reason }]));
  if (usage !== null) {
    chunks.push({ ...chunk([]), usage: usage ?? { prompt_tokens: 10, completion_tokens: 5 } });
  }
  return chunks;
}

function chunk(choices: readonly unknown[]): Record<string, unknown> {
  return { id: "chatcmpl-1", object: "chat.completion.chunk", created: 0, model: "scripted", choices };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
