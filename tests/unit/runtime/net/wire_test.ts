import { brotliCompressSync, constants } from "node:zlib";

import { assert, assertEquals } from "@std/assert";

import { maskedSource } from "../../../../runtime/net/wire/masked_source.ts";
import { gateScene, onlyTo, rawServer } from "../../../support/net/gate_scene.ts";

const MB = 1024 * 1024;
const ASK = new URL("../../../fixtures/net/ask_in_memory.ts", import.meta.url).href;
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function answerOf(coding: string, body: Uint8Array): Uint8Array {
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`;
  const answer = new Uint8Array(head.length + body.length);
  answer.set(new TextEncoder().encode(head));
  answer.set(body, head.length);
  return answer;
}

async function packed(form: CompressionFormat, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
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
  const gzip = await packed("gzip", large);
  const bombs: [string, Uint8Array][] = [
    ["gzip", gzip],
    ["x-gzip", gzip],
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

/** Reads a text that comes in pieces of some size, with some texts masked, into a buffer of another size. */
async function masked(text: string, texts: readonly string[], size: number, room: number): Promise<string> {
  let at = 0;
  const source = maskedSource({
    read(buffer) {
      const piece = new TextEncoder().encode(text.slice(at, at + size));
      at += size;
      buffer.set(piece);
      return Promise.resolve(piece.length === 0 ? null : piece.length);
    },
  }, texts);
  const buffer = new Uint8Array(room);
  let said = "";
  for (let read = await source.read(buffer); read !== null; read = await source.read(buffer)) {
    said += new TextDecoder("latin1").decode(buffer.subarray(0, read));
  }
  return said;
}

Deno.test("a text is masked wherever it is cut, and nothing is lost", async () => {
  const text = "key s3cret, s3cs3cret s3cre and c2VjcmV0 s3c";
  const safe = "key ******, s3c****** s3cre and ******** s3c";
  for (const size of [1, 2, 3, 7, 100]) {
    for (const room of [1, 5, 100]) {
      assertEquals(await masked(text, ["s3cret", "c2VjcmV0"], size, room), safe);
      assertEquals(await masked(text, [], size, Math.max(room, size)), text);
    }
  }
});

Deno.test("what cannot begin a masked text does not wait", async () => {
  const source = maskedSource({
    read(buffer) {
      buffer.set(new TextEncoder().encode("all of it"));
      return Promise.resolve(9);
    },
  }, ["s3cret"]);
  assertEquals(await source.read(new Uint8Array(100)), 9);
});
