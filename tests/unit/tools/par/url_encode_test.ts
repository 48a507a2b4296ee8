import { assertEquals } from "@std/assert";

import urlEncode from "../../../../tools/par/url_encode.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("url_encode keeps only unreserved characters", async () => {
  using ws = workspace();
  const cases: [string, string][] = [
    ["hello world", "hello%20world"],
    ["AZaz09-._~", "AZaz09-._~"],
    ["!'()*", "%21%27%28%29%2A"],
    [":/?#[]@$&+,;=%", "%3A%2F%3F%23%5B%5D%40%24%26%2B%2C%3B%3D%25"],
    ["é😀\n\0", "%C3%A9%F0%9F%98%80%0A%00"],
    ["", ""],
  ];
  for (const [text, encoded] of cases) {
    assertEquals((await ws.run(urlEncode, { text })).text, encoded);
    assertEquals((await ws.run(urlEncode, { text: encoded, decode: true })).text, text);
  }
});

Deno.test("url_encode decodes + as a space and says what it could not decode", async () => {
  using ws = workspace();
  const stray = (position: number) => [
    `a % without two hex digits was kept as it is, the first at position ${position}`,
  ];
  const cases: [string, string, string[]][] = [
    ["a+b%2Bc%2b", "a b+c+", []],
    ["100%", "100%", stray(4)],
    ["%zz%41%4", "%zzA%4", stray(1)],
    ["%E9x", "\ufffdx", ["bytes that are not UTF-8 became U+FFFD"]],
    ["%EF%BF%BD", "\ufffd", []],
    ["%EF%BB%BFa", "\ufeffa", []],
    ["é", "é", []],
  ];
  for (const [text, decoded, warnings] of cases) {
    const ran = await ws.run(urlEncode, { text, decode: true });
    assertEquals([ran.text, ran.warnings], [decoded, warnings]);
  }
});

Deno.test("url_encode replaces half a surrogate pair and says so", async () => {
  using ws = workspace();
  const { text, warnings } = await ws.run(urlEncode, { text: "a\ud83d" });
  assertEquals([text, warnings], ["a%EF%BF%BD", ["half a surrogate pair was encoded as U+FFFD"]]);
});
