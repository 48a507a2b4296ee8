import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import type { JsonSchema, ResponseType } from "../../../../schemas/manifest.ts";
import { typeProblem, withResponseType } from "../../../../schemas/json/typed_tool.ts";
import { entryOf } from "../../../support/manifest_entry.ts";

const TOOL = entryOf("set/answer", {
  typed_argument: "response",
  examples: [{ line: "response=Done", meaning: "Say so" }],
});
const typed = (type: ResponseType) => withResponseType(TOOL, type);
const value = (type: string, name: string) => ({ type, description: `Value of type ${name}` });
const alone = (type: string, name: string) => ({ type, description: `Response of type ${name}` });

/** Printed by the program that the document describes. */
const GOLDEN: [words: string, response: JsonSchema][] = [
  ["int", alone("integer", "int")],
  ["float", alone("number", "float")],
  ["bool", alone("boolean", "bool")],
  ["dict", alone("object", "dict")],
  ["list", alone("array", "list")],
  ["List[str]", { type: "array", items: value("string", "str") }],
  ["Dict[str,int]", { type: "object", additionalProperties: value("integer", "int") }],
  ["Union[str,int]", { anyOf: [value("string", "str"), value("integer", "int")] }],
];

const MORE: [words: string, response: JsonSchema][] = [
  [" list [ str ] ", GOLDEN[5]![1]],
  ["dict[str, int]", GOLDEN[6]![1]],
  ["str | int", GOLDEN[7]![1]],
  ["typing.List[str]", GOLDEN[5]![1]],
  ["Optional[float]", { anyOf: [value("number", "float"), value("null", "None")] }],
  ["Any", { description: "Response of type Any" }],
  ["List[List[int]]", { type: "array", items: { type: "array", items: value("integer", "int") } }],
  [
    "Dict[str, Union[bool, List[Any]]]",
    {
      type: "object",
      additionalProperties: {
        anyOf: [
          value("boolean", "bool"),
          { type: "array", items: { description: "Value of type Any" } },
        ],
      },
    },
  ],
];

Deno.test("withResponseType() makes the documented schemas of words", () => {
  for (const [words, response] of [...GOLDEN, ...MORE]) {
    const { input_schema, chosen_type, examples } = typed(words);
    assertEquals(examples, []);
    assertEquals(input_schema, { type: "object", properties: { response }, required: ["response"] }, words);
    assertEquals(chosen_type, { argument: "response", whole: false });
  }
  // This is the tool as it is.
  assertEquals(typed("str"), TOOL);
});

Deno.test("withResponseType() gives the arguments the fields of an object", () => {
  const model: JsonSchema = {
    type: "object",
    properties: { name: { type: "string" }, parts: { type: "array", items: { $ref: "#/$defs/Part" } } },
    required: ["name"],
    $defs: { Part: { type: "object", properties: { size: { type: "integer" } } } },
  };
  const dialect = { $schema: "https://json-schema.org/draft/2020-12/schema", ...model };
  const { input_schema, output_schema, chosen_type } = typed(dialect);
  assertEquals([input_schema, output_schema, chosen_type], [model, model, {
    argument: "response",
    whole: true,
  }]);
  const named = { $ref: "#/$defs/Part", $defs: model.$defs };
  assertEquals(typed(named).input_schema, {
    $defs: model.$defs,
    ...(model.$defs as Record<string, object>).Part,
  });
});

Deno.test("withResponseType() keeps what references of any other schema lead to", () => {
  const tree: JsonSchema = {
    anyOf: [{ type: "string" }, { type: "array", items: { $ref: "#" } }, { $ref: "#/$defs/Leaf" }],
    $defs: { Leaf: { type: "integer" } },
  };
  const { input_schema, output_schema } = typed(tree);
  assertEquals(input_schema, {
    type: "object",
    properties: {
      response: {
        anyOf: [
          { type: "string" },
          { type: "array", items: { $ref: "#/properties/response" } },
          { $ref: "#/$defs/Leaf" },
        ],
      },
    },
    required: ["response"],
    $defs: tree.$defs,
  });
  assertEquals(output_schema, tree);
});

Deno.test("typeProblem() says why words are no type", () => {
  const known =
    "str, int, float, bool, dict, list, Any, None, List[…], Dict[str, …], Union[…] and Optional[…] are";
  assertEquals(
    ["", "strng", "List[str", "List[str]]", "Dict[str]", "int[str]", "List[]", "Union", "toString"].map(
      typeProblem,
    ),
    [
      'a type is missing in ""',
      `"strng" is not a type: ${known} in "strng"`,
      '"]" is missing in "List[str"',
      '"]" is not expected in "List[str]]"',
      'Dict takes 0 or 2 types in brackets, not 1 in "Dict[str]"',
      'int takes 0 types in brackets, not 1 in "int[str]"',
      `"]" is not a type: ${known} in "List[]"`,
      'Union takes at least 1 types in brackets, not 0 in "Union"',
      `"toString" is not a type: ${known} in "toString"`,
    ],
  );
  assertEquals(typeProblem("List[".repeat(40) + "int" + "]".repeat(40))?.includes("too many types"), true);
  assertEquals(["int", "Dict[str, List[int]]"].map(typeProblem), [null, null]);
});

Deno.test("withResponseType() refuses a tool whose result has one type, and words that are none", () => {
  const other = entryOf("set/other");
  for (const attempt of [() => withResponseType(other, "int"), () => typed("many")]) {
    assertEquals(assertThrows(attempt, ToolError).code, "configuration");
  }
});
