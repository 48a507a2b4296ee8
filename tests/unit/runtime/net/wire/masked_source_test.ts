import { assertEquals } from "@std/assert";

import { maskedSource } from "../../../../../runtime/net/wire/masked_source.ts";

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
