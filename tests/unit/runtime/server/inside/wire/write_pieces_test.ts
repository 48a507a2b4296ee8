import { assertEquals } from "@std/assert";

import { ClientSink } from "../../../../../../runtime/server/inside/wire/client_sink.ts";
import { Deadline } from "../../../../../../runtime/server/inside/wire/deadline.ts";
import { writePieces } from "../../../../../../runtime/server/inside/wire/write_pieces.ts";

const PING = ": ping\n\n";

/** Writes a stream whose second piece takes two spans of silence, on a clock that jumps over them. */
async function written(type: string): Promise<string[]> {
  const texts: string[] = [];
  const silence = Promise.withResolvers<void>();
  using deadline = new Deadline(() => {});
  const write = (bytes: Uint8Array) => {
    texts.push(new TextDecoder().decode(bytes));
    if (texts.filter((text) => text === PING).length === 2) silence.resolve();
    return Promise.resolve(bytes.length);
  };
  const pieces = ["one", "two", null];
  const source = {
    next: async () => {
      if (pieces.length === 2 && type === "text/event-stream") await silence.promise;
      return pieces.shift() ?? null;
    },
    cancel() {},
  };
  const { setTimeout } = globalThis;
  const jump = (run: () => void, ms = 0) => setTimeout(run, ms === 15_000 ? 1 : ms);
  globalThis.setTimeout = jump as typeof setTimeout;
  try {
    const { signal } = new AbortController();
    const options = { sink: new ClientSink({ write }, deadline, 1_000), keeps: false };
    await writePieces({ headers: { "content-type": type } }, source, {
      ...options,
      closing: signal,
      gone: signal,
    });
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  return texts;
}

Deno.test("writePieces() says that a silent stream of events is alive, and nothing into other streams", async () => {
  assertEquals(await written("text/event-stream"), ["one", PING, PING, "two"]);
  assertEquals(await written("application/jsonl"), ["one", "two"]);
});
