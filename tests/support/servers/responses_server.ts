export type OutputItem = Readonly<Record<string, unknown>> & { type: string };

export interface ResponsesTurn {
  output?: readonly OutputItem[];
  status?: "completed" | "incomplete" | "failed";
  reason?: string;
  error?: { code: string; message: string };
  usage?: Readonly<Record<string, unknown>>;
  /** The connection ends before the response does. */
  cut?: boolean;
  /** HTTP status of a refusal. @default 200 */
  refusal?: { status: number; message: string };
}

const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 15,
};
/** What the real one says for a model that it has only here. */
const ONLY_HERE = "This model is only supported in v1/responses and not in v1/chat/completions.";

/** Starts a server that answers the nth request to `/responses` with the nth turn. */
export function responsesServer(turns: readonly ResponsesTurn[]) {
  // deno-lint-ignore no-explicit-any
  const requests: { path: string; body: any }[] = [];
  let answered = 0;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (received) => {
    const { pathname: path } = new URL(received.url);
    const body = await received.json();
    requests.push({ path, body });
    if (path !== "/v1/responses") return refuse(404, ONLY_HERE);
    const wrong = problemOf(body);
    if (wrong !== null) return refuse(400, wrong);
    const turn = turns[answered++] ?? { refusal: { status: 500, message: "The script is over" } };
    if (turn.refusal) return refuse(turn.refusal.status, turn.refusal.message);
    return body.stream ? stream(turn) : Response.json(responseOf(turn));
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/v1`,
    requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function refuse(status: number, message: string): Response {
  return Response.json({ error: { message, type: "invalid_request_error" } }, { status });
}

// deno-lint-ignore no-explicit-any
function problemOf(body: any): string | null {
  if (!Array.isArray(body.input)) return "Missing required parameter: 'input'.";
  if (body.messages !== undefined) return "Unsupported parameter: 'messages'.";
  if (body.max_tokens !== undefined) return "Unsupported parameter: 'max_tokens'.";
  if (body.tools?.some((tool: { name?: string }) => !tool.name)) {
    return "Missing required parameter: 'tools[0].name'.";
  }
  const open = new Set<string>();
  for (const [at, item] of body.input.entries()) {
    if (item.type === "function_call") open.add(item.call_id);
    if (item.type === "function_call_output" && !open.delete(item.call_id)) {
      return `No tool call found for function call output with call_id ${item.call_id}.`;
    }
    const next = body.input[at + 1];
    const follows = next && (next.type === "function_call" || next.role === "assistant");
    if (item.type === "reasoning" && !follows && next?.type !== "reasoning") {
      return `Item '${item.id}' of type 'reasoning' was provided without its required following item.`;
    }
    if (item.type === "reasoning" && typeof item.encrypted_content !== "string") {
      return `Item with id '${item.id}' not found. Items are not persisted when store is set to false.`;
    }
  }
  return open.size > 0 ? `No tool output found for function call ${[...open][0]}.` : null;
}

function responseOf(turn: ResponsesTurn) {
  const { output = [], status = "completed", reason, error = null, usage = USAGE } = turn;
  return {
    id: "resp_1",
    object: "response",
    status,
    error,
    incomplete_details: reason === undefined ? null : { reason },
    output,
    usage,
  };
}

function stream(turn: ResponsesTurn): Response {
  const encoder = new TextEncoder();
  const response = responseOf(turn);
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  const events: Record<string, unknown>[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...(turn.output ?? []).flatMap(eventsOf),
  ];
  if (!turn.cut) events.push({ type: `response.${response.status}`, response });
  const chunks = events.map((event, sequence_number) =>
    `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`
  );
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** The events of one part, in the order of the real ones. */
function eventsOf(item: OutputItem, output_index: number): Record<string, unknown>[] {
  const at = { item_id: item.id, output_index };
  const events: Record<string, unknown>[] = [
    { type: "response.output_item.added", output_index, item: { ...item, status: "in_progress" } },
  ];
  if (item.type === "function_call") {
    const text = String(item.arguments);
    events.push(
      { type: "response.function_call_arguments.delta", ...at, delta: text.slice(0, 4) },
      { type: "response.function_call_arguments.delta", ...at, delta: text.slice(4) },
      { type: "response.function_call_arguments.done", ...at, arguments: text },
    );
  }
  const parts = item.type === "message"
    ? item.content as { type: string; text?: string; refusal?: string }[]
    : [];
  parts.forEach((part, content_index) => {
    const said = part.text ?? part.refusal ?? "";
    const kind = part.type === "refusal" ? "response.refusal" : "response.output_text";
    for (let from = 0; from < said.length; from += 4) {
      events.push({ type: `${kind}.delta`, ...at, content_index, delta: said.slice(from, from + 4) });
    }
    events.push({ type: `${kind}.done`, ...at, content_index });
  });
  return [...events, {
    type: "response.output_item.done",
    output_index,
    item: { ...item, status: "completed" },
  }];
}
