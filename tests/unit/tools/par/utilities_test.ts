import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import * as z from "zod";

import calculator from "../../../../tools/par/calculator.ts";
import convertTemperature from "../../../../tools/par/convert_temperature.ts";
import echo from "../../../../tools/par/echo.ts";
import generatePassword from "../../../../tools/par/generate_password.ts";
import generateUuid from "../../../../tools/par/generate_uuid.ts";
import getTime from "../../../../tools/par/get_time.ts";
import hashText from "../../../../tools/par/hash_text.ts";
import jsonFormat from "../../../../tools/par/json_format.ts";
import stringStats from "../../../../tools/par/string_stats.ts";
import urlEncode from "../../../../tools/par/url_encode.ts";
import { assertRefuses, workspace } from "../../../support/run_tool.ts";

Deno.test("calculator refuses what it cannot compute", async () => {
  using ws = workspace();
  await assertRefuses(ws, calculator, "", [
    [{ expression: "1/0" }, "invalid_input", 'Cannot evaluate "1/0": division by zero at position 2'],
  ]);
  const { error } = await ws.run(calculator, { expression: "1/0" });
  assertEquals([error?.retryable, error?.details], [false, { position: 2 }]);
});

Deno.test("convert_temperature converts without the noise of binary fractions", async () => {
  using ws = workspace();
  const cases: [number, string, string, number][] = [
    [100, "C", "F", 212],
    [0.1, "C", "F", 32.18],
    [0.1, "C", "K", 273.25],
    [37.7, "C", "F", 99.86],
    [98.6, "F", "C", 37],
    [-40, "f", "c", -40],
    [32, "F", "K", 273.15],
    [-459.67, "F", "K", 0],
    [-459.67, "F", "C", -273.15],
    [0, "K", "F", -459.67],
    [0, "k", "C", -273.15],
    [-273.15, "C", "K", 0],
    [32, "F", "C", 0],
    [1, "F", "C", -17.2222222222],
    [0.123456789012345, "C", "C", 0.123456789012345],
    [1e-12, "K", "K", 1e-12],
    [1e30, "C", "K", 1e30],
  ];
  for (const [value, from, to, converted] of cases) {
    const { result } = await ws.run(convertTemperature, { value, from, to });
    const [unit, original_unit] = [to.toUpperCase(), from.toUpperCase()];
    assertEquals(result, { value: converted, unit, original_value: value, original_unit });
    assertEquals(Object.is(result.value, -0), false);
  }
});

Deno.test("convert_temperature refuses unknown units and what does not exist", async () => {
  using ws = workspace();
  const cases: [number, string, string, string][] = [
    [1, "X", "C", 'Cannot convert from "X": unknown unit, use C, F or K'],
    [1, "C", "celsius", 'Cannot convert to "celsius": unknown unit, use C, F or K'],
    [-1, "K", "C", "Cannot convert -1 K: absolute zero is 0 K"],
    [-273.16, "c", "F", "Cannot convert -273.16 C: absolute zero is -273.15 C"],
    [-459.68, "F", "F", "Cannot convert -459.68 F: absolute zero is -459.67 F"],
    [1.7e308, "C", "F", "Cannot convert 1.7e+308 C: the result is too large for a number"],
  ];
  await assertRefuses(
    ws,
    convertTemperature,
    "",
    cases.map(([value, from, to, message]) => [{ value, from, to }, "invalid_input", message]),
  );
});

Deno.test("echo gives the text back unchanged", async () => {
  using ws = workspace();
  for (const text of ["hello", "", " a\r\n\tb ", "\ufeff😀", '{"a":1}']) {
    const { result, text: shown } = await ws.run(echo, { text });
    assertEquals([result, shown], [text, text]);
  }
  assertEquals(echo.input.safeParse({}).success, false);
});

Deno.test("generate_password has the asked length and every class of characters", async () => {
  using ws = workspace();
  const cases: [Record<string, unknown>, number, RegExp[]][] = [
    [{}, 16, [/[a-z]/, /[A-Z]/, /\d/, /[!@#$%^&*]/, /^[A-Za-z0-9!@#$%^&*]+$/]],
    [{ length: 24, include_symbols: true }, 24, [/[!@#$%^&*]/]],
    [{ length: 4 }, 4, [/[a-z]/, /[A-Z]/, /\d/, /[!@#$%^&*]/]],
    [{ length: 128, include_symbols: false }, 128, [/^[A-Za-z0-9]+$/]],
  ];
  for (const [input, length, patterns] of cases) {
    for (let turn = 0; turn < 20; turn++) {
      const { text, warnings } = await ws.run(generatePassword, input);
      assertEquals([text.length, warnings], [length, []]);
      for (const pattern of patterns) assertMatch(text, pattern);
    }
  }
});

Deno.test("generate_password moves a length outside 4 to 128 and says so", async () => {
  using ws = workspace();
  for (const [length, used] of [[1, 4], [-7, 4], [0, 4], [129, 128], [1_000_000_000, 128]] as const) {
    const { text, warnings } = await ws.run(generatePassword, { length });
    assertEquals([text.length, warnings], [used, [`length ${length} is outside 4 to 128, used ${used}`]]);
  }
});

Deno.test("generate_password draws all characters about equally often", async () => {
  using ws = workspace();
  const counts = new Map<string, number>();
  for (let turn = 0; turn < 400; turn++) {
    const { text } = await ws.run(generatePassword, { length: 128 });
    for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  // 51200 draws of 70 characters: 731 each, with a standard deviation of 27.
  assertEquals(counts.size, 70);
  for (const [character, count] of counts) {
    assertEquals(count > 500 && count < 970, true, `${character} ${count}`);
  }
});

Deno.test("generate_uuid gives a new version 4 UUID each time", async () => {
  using ws = workspace();
  const seen = new Set<string>();
  for (let turn = 0; turn < 50; turn++) seen.add((await ws.run(generateUuid, {})).text);
  assertEquals(seen.size, 50);
  for (const uuid of seen) {
    assertMatch(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

Deno.test("get_time gives the present in UTC with seconds", async () => {
  using ws = workspace();
  const before = Math.floor(Date.now() / 1_000) * 1_000;
  const { text } = await ws.run(getTime, { extra: true });
  assertMatch(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const [time, after] = [Date.parse(text), Date.now()];
  assertEquals([time >= before, time <= after], [true, true]);
});

const HASHES: readonly (readonly [string, string | undefined, string, string])[] = [
  ["hello", "sha1", "sha1", "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"],
  ["hello", "MD5", "md5", "5d41402abc4b2a76b9719d911017c592"],
  ["hello", undefined, "sha256", "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"],
  ["", "Sha256", "sha256", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["é", "md5", "md5", "66ddcd97cfdeabb2f6fb8a999b4bc76f"],
];

Deno.test("hash_text hashes the UTF-8 bytes and echoes the name in lower case", async () => {
  using ws = workspace();
  for (const [text, asked, algorithm, hash] of HASHES) {
    const { result } = await ws.run(hashText, { text, ...(asked && { algorithm: asked }) });
    assertEquals(result, { hash, algorithm });
  }
});

Deno.test("hash_text refuses an unknown algorithm and names the known ones", async () => {
  using ws = workspace();
  const known = "unknown algorithm, use md5, sha1, sha256";
  for (const algorithm of ["sha512", "", "sha-1"]) {
    await assertRefuses(ws, hashText, "", [
      [{ text: "hello", algorithm }, "invalid_input", `Cannot hash with "${algorithm}": ${known}`],
    ]);
  }
});

Deno.test("json_format indents by 2 spaces as JSON.stringify does", async () => {
  using ws = workspace();
  const values = [
    { a: 1, b: 2 },
    { a: { b: [1, [2, { c: null }], []], d: {} }, "": "" },
    [],
    {},
    [[]],
    [{}, {}],
    "a",
    -1.5,
    true,
    null,
    'a"b\\c{}[],: \n',
    { '{"': '}\\"' },
    { "😀": "\u2028" },
  ];
  for (const value of values) {
    for (const json of [JSON.stringify(value), JSON.stringify(value, null, "\t")]) {
      assertEquals((await ws.run(jsonFormat, { json })).text, JSON.stringify(value, null, 2));
    }
  }
});

Deno.test("json_format keeps numbers, keys and escapes as written", async () => {
  using ws = workspace();
  const json = ' {"b" :12345678901234567890,"a":1.0,\r\n"a":1E+2,"2":"\\u00e9\\/","1":-0} ';
  assertEquals(
    (await ws.run(jsonFormat, { json })).text,
    '{\n  "b": 12345678901234567890,\n  "a": 1.0,\n  "a": 1E+2,\n  "2": "\\u00e9\\/",\n  "1": -0\n}',
  );
});

Deno.test("json_format refuses what is not JSON", async () => {
  using ws = workspace();
  for (const json of ["", "{a:1}", "[1,]", "'a'", "01", "1 2", "NaN", '"a\nb"', "\ufeff1"]) {
    const { error } = await ws.run(jsonFormat, { json });
    assertEquals([error?.code, error?.retryable], ["invalid_input", false], json);
    assertStringIncludes(error?.message ?? "", "Invalid JSON: ");
  }
});

Deno.test("json_format bounds what indentation makes of deep nesting", async () => {
  using ws = workspace();
  const { error } = await ws.run(jsonFormat, { json: "[".repeat(50_000) + "]".repeat(50_000) });
  assertEquals(error?.code, "limit_exceeded");
});

Deno.test("string_stats counts code points, words and lines", async () => {
  using ws = workspace();
  const cases: [string, number, number, number][] = [
    ["hello world\nfoo bar", 19, 4, 2],
    ["", 0, 0, 1],
    ["\n", 1, 0, 2],
    ["a\tb\u00a0c\r\nd", 8, 4, 2],
    ["é😀 👩‍🚀", 6, 2, 1],
    ["  padded  ", 10, 1, 1],
    ["\ud800x", 2, 1, 1],
    ["a\n".repeat(3), 6, 3, 4],
  ];
  for (const [text, characters, words, lines] of cases) {
    const { result } = await ws.run(stringStats, { text });
    assertEquals(result, { characters, words, lines }, JSON.stringify(text));
  }
});

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

const TOOLS = [
  calculator,
  convertTemperature,
  echo,
  generatePassword,
  generateUuid,
  getTime,
  hashText,
  jsonFormat,
  stringStats,
  urlEncode,
];

Deno.test("The ten utilities of par touch nothing and name the documented arguments and times", () => {
  const facts = TOOLS.map((tool) => {
    const { properties = {}, required = [] } = z.toJSONSchema(tool.input, { io: "input" });
    assertEquals([tool.needs, tool.readOnly, tool.parallel], [{}, true, false]);
    return [tool.name, Object.keys(properties), required, tool.limits.timeoutMs];
  });
  assertEquals(facts, [
    ["calculator", ["expression"], ["expression"], 5_000],
    ["convert_temperature", ["value", "from", "to"], ["value", "from", "to"], 1_000],
    ["echo", ["text"], ["text"], 2_000],
    ["generate_password", ["length", "include_symbols"], [], 1_000],
    ["generate_uuid", [], [], 1_000],
    ["get_time", [], [], 2_000],
    ["hash_text", ["text", "algorithm"], ["text"], 2_000],
    ["json_format", ["json"], ["json"], 2_000],
    ["string_stats", ["text"], ["text"], 1_000],
    ["url_encode", ["text", "decode"], ["text"], 1_000],
  ]);
});

Deno.test("The ten utilities of par run in a worker without any permission", async () => {
  const url = new URL("../../../fixtures/par_utilities_worker.ts", import.meta.url);
  const worker = new Worker(url, { type: "module", deno: { permissions: "none" } });
  const { read, results } = await new Promise<{ read: string; results: Record<string, unknown> }>(
    (resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
    },
  );
  worker.terminate();
  const { generate_password, generate_uuid, get_time, ...fixed } = results;
  assertEquals(read === "granted", false);
  assertEquals(fixed, {
    calculator: 14,
    convert_temperature: { value: 212, unit: "F", original_value: 100, original_unit: "C" },
    echo: "hello",
    hash_text: { hash: "5d41402abc4b2a76b9719d911017c592", algorithm: "md5" },
    json_format: "[\n  1\n]",
    string_stats: { characters: 3, words: 2, lines: 1 },
    url_encode: "a%20b",
  });
  assertMatch(String(generate_password), /^[A-Za-z0-9!@#$%^&*]{16}$/);
  assertMatch(String(generate_uuid), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assertMatch(String(get_time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});
