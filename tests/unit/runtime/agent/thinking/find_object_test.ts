import { assertEquals } from "@std/assert";

import { findObject } from "../../../../../runtime/agent/thinking/find_object.ts";

const FOUND: readonly (readonly [text: string, value: Record<string, unknown>])[] = [
  ['{"a": 1}', { a: 1 }],
  ['Here it is: {"a": {"b": "}"}} as you wanted.', { a: { b: "}" } }],
  ['```json\n{"a": 1}\n```', { a: 1 }],
  ['{"a": [1, 2,], }', { a: [1, 2] }],
  ["{'a': True}", { a: true }],
  ['{"a": {"b": [1, 2', { a: { b: [1, 2] } }],
  ['First {"a": 1}, no: {"a": 2}', { a: 2 }],
  ['A set {x} of things: {"a": ", }"}', { a: ", }" }],
];

Deno.test("findObject() finds the object that is meant", () => {
  for (const [text, value] of FOUND) assertEquals(findObject(text), value, text);
});

Deno.test("findObject() says why there is none", () => {
  assertEquals(findObject("no"), "there is no JSON object in it");
  assertEquals(findObject('{"a": "bro'), findObject('{"a": "bro'));
  assertEquals(typeof findObject('{"a": tru'), "string");
});
