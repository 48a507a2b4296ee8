import { brotliCompressSync, constants } from "node:zlib";

import { assert, assertEquals } from "@std/assert";

import { gateScene, onlyTo, rawServer } from "../../../../support/net/gate_scene.ts";

const MB = 1024 * 1024;
const ASK = new URL("../../../../fixtures/net/ask_in_memory.ts", import.meta.url).href;
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function answerOf(coding: string, body: Uint8Array): Uint8Array {
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`;
  const answer = new Uint8Array(head.length + body.length);
  answer.set(new TextEncoder().encode(head));
  answer.set(body, head.length);
  return answer;
}

async function packed(
  form: "gzip" | "deflate" | "deflate-raw",
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream(form));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A frame of zstd whose blocks each repeat one byte 128 KiB times. */
function zstd(blocks: number): Uint8Array {
  const bytes = [0x28, 0xb5, 0x2f, 0xfd, 0, 0x58];
  const header = (128 * 1024) << 3;
  for (let at = 1; at <= blocks; at++) {
    const word = header | 2 | (at === blocks ? 1 : 0);
    bytes.push(word & 255, (word >> 8) & 255, word >> 16, 97);
  }
  return Uint8Array.from(bytes);
}

Deno.test("every usual packing is undone", async () => {
  const text = "text ".repeat(1_000);
  const bytes = new TextEncoder().encode(text);
  const forms: [string, Uint8Array][] = [
    ["gzip", await packed("gzip", bytes)],
    // The client knows no other spelling.
    ["GZip", await packed("gzip", bytes)],
    ["x-gzip", await packed("gzip", bytes)],
    ["deflate", await packed("deflate", bytes)],
    ["deflate", await packed("deflate-raw", bytes)],
    ["identity", bytes],
  ];
  for (const [coding, body] of forms) {
    await using server = rawServer(answerOf(coding, body));
    await using scene = await gateScene({ rules: onlyTo(server.host) });
    assertEquals(await scene.say(server.url), text, coding);
  }
  await using server = rawServer(answerOf("zstd", zstd(2)));
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  assertEquals(await scene.say(server.url), "a".repeat(256 * 1024));
});

Deno.test("what inflates without end is cut at the bound, in bounded memory", async () => {
  const large = new Uint8Array(200 * MB);
  const bombs: [string, Uint8Array][] = [
    ["gzip", await packed("gzip", large)],
    ["x-gzip", await packed("gzip", large)],
    ["br", brotliCompressSync(large, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ["deflate", await packed("deflate", large)],
    ["zstd", zstd(8 * 1024)],
  ];
  for (const [coding, body] of bombs) {
    await using server = rawServer(answerOf(coding, body));
    // The memory of this process holds that of other tests too.
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", "--no-lock", "--cached-only", "-A", ASK, server.url, `${MB}`],
      stdin: "null",
    }).output();
    assertEquals([code, decode(stderr)], [0, ""], coding);
    const { length, truncated, grown } = JSON.parse(decode(stdout));
    assertEquals([length, truncated], [MB, true], coding);
    assert(grown < 100 * MB, `${coding}: ${grown} bytes`);
  }
});

Deno.test("a zstd stream that wants too much memory is refused", async () => {
  const wants = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xff, ...new Uint8Array(20)]);
  await using server = rawServer(answerOf("zstd", wants));
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  assertEquals(await scene.say(server.url), "external_failure");
});
