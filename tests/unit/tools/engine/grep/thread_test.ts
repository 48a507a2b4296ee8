import { assert, assertEquals } from "@std/assert";

import { workspace } from "../../../../support/run_tool.ts";

const NONE = { write: false, net: false, run: false, env: false, sys: false, ffi: false, import: false };

/** A room in a worker that may read one folder, with as many threads. */
function openRoom(root: string, threadCount: number) {
  const start = (name: string) =>
    new Worker(new URL(`../../../../fixtures/search/${name}.ts`, import.meta.url), {
      type: "module",
      deno: { permissions: { ...NONE, read: [root] } },
    });
  const room = start("room");
  const threads = Array.from({ length: threadCount }, () => start("thread"));
  for (const thread of threads) {
    const { port1, port2 } = new MessageChannel();
    thread.postMessage(null, [port2]);
    room.postMessage(null, [port1]);
  }
  return {
    // deno-lint-ignore no-explicit-any
    call(input: unknown, { cancelled = false } = {}): Promise<any> {
      room.postMessage({ root, input, cancelled });
      return new Promise((resolve, reject) => {
        room.onmessage = ({ data }) => resolve(data);
        room.onerror = reject;
      });
    },
    [Symbol.dispose]: () => {
      for (const worker of [room, ...threads]) worker.terminate();
    },
  };
}

/** Folders of files, some of them binary, ignored, or without a match. */
function manyFiles(): Record<string, string | Uint8Array> {
  const files: Record<string, string | Uint8Array> = { ".gitignore": "*.log\n" };
  for (let index = 0; index < 1500; index++) {
    const name = `${index % 13}/${index % 5}/${index}.${index % 17 === 0 ? "log" : "txt"}`;
    const text = `line\n${index % 3 === 0 ? "a hit" : "nothing"} ${index}\r\nUmlaut Ä ${index % 100}\n`;
    files[name] = index % 29 === 0 ? new TextEncoder().encode(`${text}\0`) : text;
  }
  return files;
}

Deno.test("serveSearchThread() changes nothing about what a search finds", async () => {
  using ws = workspace(manyFiles());
  using alone = openRoom(ws.path, 0);
  using pair = openRoom(ws.path, 1);
  using three = openRoom(ws.path, 2);
  const table = [
    { pattern: "hit", max_results: 5000, max_chars: 1e7 },
    { pattern: "hit", max_results: 1 },
    { pattern: "hit", max_results: 333, max_chars: 1e7 },
    { pattern: "hit", max_results: 5000, max_chars: 20_000 },
    { pattern: "h[i]t \\d+7$", max_results: 5000 },
    { pattern: "ä 7$", max_results: 5000 },
    { pattern: "nowhere to be found" },
    { pattern: "hit", path: "3/2", respect_gitignore: false },
    { pattern: "hit", glob: "{1,2}/**/*7.txt" },
    { pattern: "hit", glob: "none/*" },
  ];
  for (const input of table) {
    const expected = await alone.call(input);
    assert(!("error" in expected), JSON.stringify(expected));
    assertEquals(await pair.call(input), expected, JSON.stringify(input));
    assertEquals(await three.call(input), expected, JSON.stringify(input));
  }
});

Deno.test("serveSearchThread() serves on after a search that was cancelled or failed", async () => {
  using ws = workspace(manyFiles());
  using room = openRoom(ws.path, 1);
  const input = { pattern: "hit 3\\b", max_results: 10 };
  const before = await room.call(input);
  assertEquals(
    (await room.call({ pattern: "hit", max_results: 1e6 }, { cancelled: true })).error,
    "cancelled",
  );
  assertEquals((await room.call({ pattern: "(" })).error, "invalid_input");
  assertEquals((await room.call({ pattern: "x", path: "/etc" })).error, "permission_denied");
  assertEquals(await room.call(input), before);
});
