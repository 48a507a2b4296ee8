import { startServer } from "./started_server.ts";

/** Pieces of text that the model says. */
const PIECES = 40_000;

/**
 * Measures how many events a second one client gets over HTTP while a run makes them: a model says a long text in very
 * small pieces, as fast as it is heard.
 *
 * @returns Events a second, from the first piece of text to the end of the run
 */
export async function benchEvents(argv: readonly string[], folder: string): Promise<number> {
  await using model = talkingModel();
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "none", OPENAI_MODEL: "bench" };
  await using server = await startServer(argv, folder, env);
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const body = JSON.stringify({ prompt: "Tell a long story" });
  const started = await fetch(`${server.address}/runs`, { method: "POST", headers, body });
  const { id } = await started.json() as { id: string };
  const events = await fetch(`${server.address}/runs/${id}/events`, { headers });
  let [count, since] = [0, 0];
  for await (const text of events.body!.pipeThrough(new TextDecoderStream())) {
    const pieces = text.split("\nevent: text.delta\n").length - 1;
    if (count === 0 && pieces > 0) since = performance.now();
    count += pieces;
  }
  // A word that two reads part is not counted.
  if (count < PIECES * 0.95) throw new Error(`only ${count} of ${PIECES} events came`);
  return count / (performance.now() - since) * 1_000;
}

function talkingModel(): { url: string } & AsyncDisposable {
  const said = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const pieces = Array.from({ length: PIECES }, (_, n) => said({ content: `word ${n} ` }));
  const text = [...pieces, said({}, "stop"), "data: [DONE]\n\n"].join("");
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    await request.body?.cancel();
    return new Response(text, { headers: { "content-type": "text/event-stream" } });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/v1`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
