import { assertEquals } from "@std/assert";

import { fieldNames } from "../../../../../runtime/mcp/wrap/field_names.ts";

Deno.test("fieldNames() tells the fields of an object itself, twins included, and nothing below", () => {
  const cases: [text: string, names: string[]][] = [
    ["{}", []],
    [' { "a" : 1 , "b":{"c":[{"d":"e"}],"f":2},"g":["h","i"] , "a":"j" } ', ["a", "b", "g", "a"]],
    [String.raw`{"i\u0064":"x\\","q\"":"\"}{,","ü":null,"":true}`, ["id", 'q"', "ü", ""]],
  ];
  for (const [text, names] of cases) assertEquals(fieldNames(new TextEncoder().encode(text)), names, text);
});
