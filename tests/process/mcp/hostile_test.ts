import { assert, assertEquals } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { connect } from "../../support/cli/mcp/client.ts";
import { makeScene } from "../../support/cli/scene.ts";

const MEGABYTE = new Uint8Array(1024 * 1024).fill(0x61);

Deno.test("a line of 100 MB and endless nesting are answered with an error, and the next call runs", async () => {
  using scene = makeScene({ "ws/a.txt": "hello" });
  await using client = await connect(scene);
  for (let at = 0; at < 100; at++) await client.running.write(MEGABYTE);
  await client.running.write("\n");
  assertEquals((await client.answerTo(null)).error?.code, -32700);
  const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Read","arguments":';
  await client.running.write(`${call}${'{"a":'.repeat(1_000_000)}\n`);
  assertEquals((await client.answerTo(null)).error?.code, -32700);
  await client.running.write(`${call}${'{"a":'.repeat(150)}1${"}".repeat(150)}}}\n`);
  assert((await client.answerTo(1)).result?.isError);
  assert((await client.call("Read", { path: "a.txt" })).text.includes("hello"));
});

boxTest("a flood of calls is bounded, and each call has its answer", async () => {
  using scene = makeScene({ "ws/a.txt": "hello" });
  await using client = await connect(scene);
  const params = { name: "Bash", arguments: { command: "sleep 100" } };
  const count = 2_000;
  let refused = 0;
  for (let id = 0; id < count; id++) await client.send({ id: `f${id}`, method: "tools/call", params });
  for (let id = 256; id < count; id++) {
    const { result } = await client.answerTo(`f${id}`);
    if (result?.isError) refused++;
  }
  assertEquals(refused, count - 256);
  for (let id = 0; id < 256; id++) {
    await client.send({ method: "notifications/cancelled", params: { requestId: `f${id}` } });
  }
  // Their places are free once they have ended.
  let read = await client.call("Read", { path: "a.txt" });
  while (read.text.includes("too many calls")) read = await client.call("Read", { path: "a.txt" });
  assert(read.text.includes("hello"), read.text);
});

Deno.test("answers of a client that nobody asked for, and odd messages, change nothing", async () => {
  using scene = makeScene({ "ws/a.txt": "hello" });
  await using client = await connect(scene);
  const odd = [
    { id: 77, result: { roots: [{ uri: "file:///" }] } },
    { id: 77, error: { code: 1, message: "x" } },
    { method: "notifications/roots/list_changed" },
    { method: "notifications/cancelled", params: { requestId: "nobody" } },
    { method: "notifications/unknown", params: { a: 1 } },
  ];
  for (const message of odd) await client.send(message as Parameters<typeof client.send>[0]);
  const unknown = await client.ask("tools/unknown");
  assertEquals(unknown.error?.code, -32601);
  for (const params of [{}, { name: 7 }, { name: "Read", arguments: [] }, { name: "Read", arguments: "x" }]) {
    assert((await client.ask("tools/call", params as Record<string, unknown>)).error, JSON.stringify(params));
  }
  assert((await client.call("Read", { path: "a.txt" })).text.includes("hello"));
});
