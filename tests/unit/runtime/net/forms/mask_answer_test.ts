import { assertEquals } from "@std/assert";

import { gateScene, onlyTo, rawServer } from "../../../../support/net/gate_scene.ts";

const KEY = "s3cret-k3y";
const secret = { name: "TEST_KEY", header: "x-key" };

/** A gate that has the key of a server. */
const sceneOf = (host: string) =>
  gateScene({
    rules: onlyTo(host),
    secrets: [{ name: "TEST_KEY", value: KEY, hosts: [host], forms: [KEY] }],
  });

async function packed(text: string, format: CompressionFormat): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream(format));
  return await new Response(stream).bytes();
}

function answer(body: Uint8Array, headers: string): Uint8Array {
  const head = new TextEncoder().encode(`HTTP/1.1 200 OK\r\n${headers}\r\n`);
  return Uint8Array.from([...head, ...body]);
}

/** Each byte is a piece of its own. */
function inPieces(bytes: Uint8Array): Uint8Array {
  const end = new TextEncoder().encode("0\r\n\r\n");
  return Uint8Array.from([...bytes].flatMap((byte) => [49, 13, 10, byte, 13, 10]).concat(...end));
}

Deno.test("a key does not hide in how an answer is packed or cut", async () => {
  const text = `the key is ${KEY}, and ${KEY} again`;
  const plain = new TextEncoder().encode(text);
  const length = ({ length }: Uint8Array) => `Content-Length: ${length}\r\n`;
  const pieces = "Transfer-Encoding: chunked\r\n";
  const forms: [name: string, answer: Uint8Array][] = [["as it is", answer(plain, length(plain))]];
  forms.push(["in pieces", answer(inPieces(plain), pieces)], ["to the end", answer(plain, "")]);
  for (
    const [coding, format] of [["gzip", "gzip"], ["deflate", "deflate"], ["deflate", "deflate-raw"]] as const
  ) {
    const bytes = await packed(text, format);
    const header = `Content-Encoding: ${coding}\r\n`;
    forms.push([format, answer(bytes, header + length(bytes))]);
    forms.push([`${format} in pieces`, answer(inPieces(bytes), header + pieces)]);
  }
  for (const [name, bytes] of forms) {
    await using server = rawServer(bytes);
    await using scene = await sceneOf(server.host);
    const masked = text.replaceAll(KEY, "*".repeat(KEY.length));
    assertEquals(await scene.say(server.url, { secret, retries: 0 }), masked, name);
    // Who has no key gets the answer as it is.
    assertEquals(await scene.say(server.url, { retries: 0 }), text, name);
  }
});

Deno.test("an answer with a key that cannot be unpacked, or is cut, is a failure", async () => {
  const body = new TextEncoder().encode("body");
  const answers: [answer: Uint8Array, says: string][] = [
    [answer(body, "Content-Encoding: br\r\nContent-Length: 4\r\n"), "external_failure connect"],
    [answer(body, "Content-Encoding: gzip, gzip\r\nContent-Length: 4\r\n"), "external_failure connect"],
    [answer(body, "Content-Encoding: gzip\r\nContent-Length: 4\r\n"), "body"],
    [
      answer(new TextEncoder().encode("wxyz"), "Content-Encoding: deflate\r\nContent-Length: 4\r\n"),
      "external_failure",
    ],
    [answer(body, "Content-Length: 5\r\n"), "external_failure"],
    [answer(body, "Transfer-Encoding: chunked\r\n"), "external_failure"],
  ];
  for (const [bytes, says] of answers) {
    await using server = rawServer(bytes);
    await using scene = await sceneOf(server.host);
    assertEquals(await scene.say(server.url, { secret, retries: 0 }), says);
  }
});

Deno.test("a bomb from a service with a key is unpacked up to the bound", async () => {
  const bomb = await packed("0".repeat(50_000_000), "gzip");
  await using server = rawServer(answer(bomb, "Content-Encoding: gzip\r\n"));
  await using scene = await sceneOf(server.host);
  assertEquals((await scene.say(server.url, { secret, maxBytes: 100_000 })).length, 100_000);
});
