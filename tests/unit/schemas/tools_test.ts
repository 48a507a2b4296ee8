import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as z from "zod";

import type { Files, ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { typeProblem, withResponseType } from "../../../schemas/json/typed_tool.ts";
import type { JsonSchema, ResponseType } from "../../../schemas/manifest.ts";
import { defineTool } from "../../../schemas/own/define_tool.ts";
import type { HereContext } from "../../../schemas/own/here_tool.ts";
import { plainResult, requireText } from "../../../schemas/own/plain_result.ts";
import { sayThrown, thrownError } from "../../../schemas/own/thrown_error.ts";
import { entryOf } from "../../support/manifest_entry.ts";

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
  const whole = { argument: "response", whole: true };
  assertEquals([input_schema, output_schema, chosen_type], [model, model, whole]);
  const named = { $ref: "#/$defs/Part", $defs: model.$defs };
  const { Part } = model.$defs as Record<string, object>;
  assertEquals(typed(named).input_schema, { $defs: model.$defs, ...Part });
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
  const faults = {
    "": 'a type is missing in ""',
    "strng": `"strng" is not a type: ${known} in "strng"`,
    "List[str": '"]" is missing in "List[str"',
    "List[str]]": '"]" is not expected in "List[str]]"',
    "Dict[str]": 'Dict takes 0 or 2 types in brackets, not 1 in "Dict[str]"',
    "int[str]": 'int takes 0 types in brackets, not 1 in "int[str]"',
    "List[]": `"]" is not a type: ${known} in "List[]"`,
    "Union": 'Union takes at least 1 types in brackets, not 0 in "Union"',
    "toString": `"toString" is not a type: ${known} in "toString"`,
  };
  for (const [words, fault] of Object.entries(faults)) assertEquals(typeProblem(words), fault);
  assertEquals(typeProblem("List[".repeat(40) + "int" + "]".repeat(40))?.includes("too many types"), true);
  assertEquals(["int", "Dict[str, List[int]]"].map(typeProblem), [null, null]);
});

Deno.test("withResponseType() refuses a tool whose result has one type, and words that are none", () => {
  const other = entryOf("set/other");
  for (const attempt of [() => withResponseType(other, "int"), () => typed("many")]) {
    assertEquals(assertThrows(attempt, ToolError).code, "configuration");
  }
});

/** Holds for types that are the same; checked by the compiler alone. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
const holds = <T extends true>(_: T | undefined = undefined): void => {};

Deno.test("defineTool() types arguments by the schema, and the context by the needs", () => {
  const input = z.object({ path: z.string(), most: z.int().default(3) });
  const definition = { name: "peek", description: "Peek.", run: () => "" };
  assert(Object.is(defineTool(definition), definition));
  defineTool({
    name: "peek",
    description: "Peek.",
    input,
    output: z.number(),
    needs: { read: "workspace" },
    targets({ path }) {
      holds<Same<typeof path, string>>();
      return [{ kind: "read", value: path }];
    },
    async run({ path, most }, context) {
      holds<Same<typeof path, string>>();
      holds<Same<typeof most, number>>();
      holds<Same<typeof context, ToolContext>>();
      holds<Same<typeof context.files, Files>>();
      await context.files.locate(path, "read");
      return most;
    },
    text(output) {
      holds<Same<typeof output, number>>();
      return `${output}`;
    },
  });
  defineTool({
    name: "add",
    description: "Add.",
    input,
    run({ most }, context) {
      holds<Same<typeof most, number>>();
      holds<Same<typeof context, HereContext>>();
      return most;
    },
  });
  // @ts-expect-error a result that the schema does not allow
  defineTool({ name: "n", description: "N.", needs: {}, output: z.number(), run: () => "text" });
  // @ts-expect-error a field that is not known
  defineTool({ name: "n", description: "N.", permision: "allow", run: () => 1 });
});

function failure(work: () => unknown): string {
  const { code, message } = assertThrows(work, ToolError);
  return `${code} ${message}`;
}

Deno.test("plainResult() gives JSON, and says why something is none", { permissions: "none" }, () => {
  const plain = (given: unknown) => plainResult(given, "own/x");
  assertEquals(plain({ a: new Date(0), b: undefined }), { a: "1970-01-01T00:00:00.000Z" });
  assertEquals(plain(undefined), null);
  const ring: unknown[] = [];
  ring.push(ring);
  let deep: unknown = 1;
  for (let at = 0; at < 600; at++) deep = [deep];
  const table: [given: unknown, code: string, words: string][] = [
    [
      ring,
      "output_invalid",
      "result that JSON cannot hold: TypeError: Converting circular structure to JSON",
    ],
    [deep, "output_invalid", "result that is nested too deeply"],
    [
      "x".repeat(40_000_000),
      "limit_exceeded",
      "result of 40000002 characters: at most 33554432 are taken, write it to a file",
    ],
  ];
  for (const [given, code, words] of table) {
    assertEquals(failure(() => plain(given)), `${code} own/x gave a ${words}`);
  }
});

Deno.test("requireText() takes texts alone", { permissions: "none" }, () => {
  assertEquals(requireText("a"), "a");
  assertEquals(failure(() => requireText(5)), "output_invalid text returned a number: it must return a text");
  assertEquals(failure(() => requireText([])), "output_invalid text returned a list: it must return a text");
});

Deno.test("sayThrown() says what was thrown, whatever it is", { permissions: "none" }, () => {
  const hidden = {
    get message() {
      throw new Error("hidden");
    },
  };
  const cases: [unknown, string][] = [
    [new TypeError("wrong"), "TypeError: wrong"],
    ["why", "why"],
    [undefined, "undefined"],
    [Symbol("x"), "Symbol(x)"],
    [{ code: 7, why: "late" }, '{"code":7,"why":"late"}'],
    [{ message: "late" }, "late"],
    [{ name: "Late", message: "late" }, "Late: late"],
    [["a"], '["a"]'],
    [hidden, "something that cannot be shown"],
    [{ n: 1n }, "something that cannot be shown"],
  ];
  for (const [thrown, said] of cases) assertEquals(sayThrown(thrown), said);
  assertEquals(sayThrown("x".repeat(1_000_000)).length, 10_000);
});

Deno.test(
  "thrownError() keeps errors of the closed list, and mends the others",
  { permissions: "none" },
  () => {
    const right = new ToolError("not_found", "no shop", { details: { at: 1 } });
    assertEquals(thrownError(right), right);
    assertEquals(thrownError({ why: 1 }).toInfo(), {
      code: "internal",
      message: 'Tool execution error: {"why":1}',
      retryable: false,
      details: {},
    });
    const unknown = thrownError(new ToolError("weird" as never, "no shop"));
    assertEquals(unknown.code, "internal");
    assertStringIncludes(unknown.message, 'the code "weird", and the codes are not_found, conflict');
    assertStringIncludes(unknown.message, "no shop");
    const odd = thrownError(new ToolError("conflict", "in use", { details: { n: 1n } }));
    assertEquals([odd.code, odd.message, odd.details], ["conflict", "in use", {}]);
    const long = thrownError(new ToolError("conflict", "x".repeat(1_000_000)));
    assertEquals([long.code, long.message.length], ["conflict", 10_000]);
  },
);
