import { assertEquals } from "@std/assert";

import { unwrapJson } from "../../../../../runtime/agent/conversation/unwrap_json.ts";

const read = (text: string) => {
  const found = unwrapJson(text);
  return found && JSON.parse(found.text);
};

Deno.test("unwrapJson() mends what has one meaning only, and says what", () => {
  const cases: [string, unknown, string[]][] = [
    ['{"path":"a"}', { path: "a" }, []],
    ['"{\\"path\\":\\"a\\"}"', { path: "a" }, []],
    ['```json\n{"path":"a"}\n```', { path: "a" }, ["in a code fence"]],
    ['```{"path":"a"}```', { path: "a" }, ["in a code fence"]],
    ['{"text":"a\nb\tc"}', { text: "a\nb\tc" }, ["with bare line breaks in its texts"]],
    ["{'path': 'it is \"a\"', 'all': True, 'n': None}", { path: 'it is "a"', all: true, n: null }, [
      "in single quotes",
    ]],
    ["{'a': 'it\\'s'}", { a: "it's" }, ["in single quotes"]],
    ['{"path":"a"}{"path":"a"}', { path: "a" }, ["twice"]],
    ['{"path":"a"} {}', { path: "a" }, ["twice"]],
    ["{}{}", {}, ["twice"]],
  ];
  for (const [text, value, mended] of cases) {
    assertEquals([read(text), unwrapJson(text)?.mended], [value, mended], text);
  }
});

Deno.test("unwrapJson() leaves what could mean several things", () => {
  const cases = [
    '{"path":"a"}{"path":"b"}',
    '{"path":"a"',
    "{'a': 'it's'}",
    "[1]",
    '"text"',
    "",
    "path=a",
    "```\n```",
  ];
  for (const text of cases) assertEquals(unwrapJson(text), null, text);
});
