import { assertEquals } from "@std/assert";

import { jsonLine } from "../../../../runtime/text/json_line.ts";

Deno.test(
  "jsonLine() gives one printable line that parses to the same value",
  { permissions: "none" },
  () => {
    const value = { text: "a\u009b31m\x7f\u2028\u2029\x1b[2J\nü🙂" };
    const line = jsonLine(value);
    assertEquals(JSON.parse(line), value);
    assertEquals(line, '{"text":"a\\u009b31m\\u007f\\u2028\\u2029\\u001b[2J\\nü🙂"}\n');
  },
);
