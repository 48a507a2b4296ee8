import { assertEquals } from "@std/assert";

import { StreamMasker } from "../../../../../runtime/text/secrets/stream_masker.ts";

const SECRET = "abcab-c9";
const TEXT = `one ab ${SECRET} two ${btoa(`k:${SECRET}`)} abca ${SECRET}${SECRET} abc`;

Deno.test("StreamMasker masks a secret wherever its text is cut", () => {
  const whole = new StreamMasker([SECRET]);
  const expected = whole.push(TEXT) + whole.flush();
  assertEquals(expected.includes(SECRET), false);
  for (let cut = 1; cut < TEXT.length; cut++) {
    const masker = new StreamMasker([SECRET]);
    assertEquals(masker.push(TEXT.slice(0, cut)) + masker.push(TEXT.slice(cut)) + masker.flush(), expected);
  }
  const byOne = new StreamMasker([SECRET]);
  assertEquals([...TEXT].map((char) => byOne.push(char)).join("") + byOne.flush(), expected);
});

Deno.test("StreamMasker holds back nothing that cannot become a secret", () => {
  const masker = new StreamMasker([SECRET]);
  assertEquals(masker.push("xyz abx"), "xyz abx");
  assertEquals(masker.push("xyz ab"), "xyz ");
  assertEquals(masker.flush(), "ab");
  assertEquals(new StreamMasker([]).push("ab"), "ab");
});
