import { assertEquals } from "@std/assert";

import { endOfJson, jsonValues } from "../../../../../runtime/agent/conversation/mend_json.ts";

Deno.test("jsonValues() cuts a text into objects and lists, whatever their texts hold", () => {
  assertEquals(jsonValues(' {"a":"}{\\""} [1,{"b":"]"}] '), ['{"a":"}{\\""}', '[1,{"b":"]"}]']);
  for (const text of ['{"a":1} x', '{"a":1', "1", '{"a']) assertEquals(jsonValues(text), null, text);
  assertEquals(endOfJson('x{"a":[]}y', 1), 9);
});
