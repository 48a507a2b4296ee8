import { assertEquals, assertThrows } from "@std/assert";
import * as z from "zod";

import { parseCallArguments, sourceOf } from "../../../../../runtime/cli/args/call_arguments.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { schemaOf } from "../../../../support/manifest_entry.ts";

const SCHEMA = schemaOf(z.object({
  pattern: z.string(),
  max_results: z.int().max(10).optional(),
  ratio: z.number().optional(),
  ignore_case: z.boolean().optional(),
  note: z.string().nullable().optional(),
  count: z.int().nullable().optional(),
  mode: z.enum(["a", "b"]).optional(),
  paths: z.array(z.string()).optional(),
  lines: z.array(z.int()).optional(),
  grid: z.array(z.array(z.int())).optional(),
  edits: z.array(z.object({ old: z.string() })).optional(),
  where: z.union([z.string(), z.array(z.string())]).optional(),
  range: z.union([z.int(), z.array(z.int())]).optional(),
  env: z.record(z.string(), z.string()).optional(),
  any: z.unknown().optional(),
  flag_or_text: z.union([z.boolean(), z.string()]).optional(),
}));

const READ: [words: string[], expected: Record<string, unknown>][] = [
  [[], {}],
  [["pattern=x"], { pattern: "x" }],
  [["pattern=12"], { pattern: "12" }],
  [["pattern="], { pattern: "" }],
  [["pattern=a=b:=c"], { pattern: "a=b:=c" }],
  [["pattern=-foo"], { pattern: "-foo" }],
  [['pattern={"a":1}'], { pattern: '{"a":1}' }],
  [["pattern=two\nlines"], { pattern: "two\nlines" }],
  [["max_results=-3"], { max_results: -3 }],
  [["ratio=1e-3"], { ratio: 0.001 }],
  [["ignore_case=true"], { ignore_case: true }],
  [["note=null"], { note: "null" }],
  [["count=null"], { count: null }],
  [["count=4"], { count: 4 }],
  [["mode=c"], { mode: "c" }],
  [["paths=a"], { paths: ["a"] }],
  [["paths=a,b"], { paths: ["a,b"] }],
  [["paths=a", "paths=b"], { paths: ["a", "b"] }],
  [['paths=["a","b"]'], { paths: ["a", "b"] }],
  [["paths=[id].ts"], { paths: ["[id].ts"] }],
  [["lines=1", "lines=2"], { lines: [1, 2] }],
  [["grid=[1,2]", "grid=[3]"], { grid: [[1, 2], [3]] }],
  [['edits={"old":"x"}'], { edits: [{ old: "x" }] }],
  [['edits=[{"old":"x"}]'], { edits: [{ old: "x" }] }],
  [["where=a"], { where: "a" }],
  [["where=a", "where=b"], { where: ["a", "b"] }],
  [["range=3"], { range: 3 }],
  [["range=3", "range=4"], { range: [3, 4] }],
  [['env={"A":"1"}'], { env: { A: "1" } }],
  [["any:=12"], { any: 12 }],
  [["max_results:=5", 'pattern:="x"'], { max_results: 5, pattern: "x" }],
  [["pattern:=12"], { pattern: 12 }],
  [['{"pattern":"x","other":1}'], { pattern: "x", other: 1 }],
  [[' {"pattern":"x"}', "pattern=y", "max_results=2"], { pattern: "y", max_results: 2 }],
  [['{"paths":["a"]}', "paths=b"], { paths: ["b"] }],
  // The only required argument needs no name.
  [["README.md"], { pattern: "README.md" }],
  [["max_results=2", "a"], { pattern: "a", max_results: 2 }],
  [["=x"], { pattern: "=x" }],
  [["1 + 1 = 2"], { pattern: "1 + 1 = 2" }],
  [["https://host/?a=b"], { pattern: "https://host/?a=b" }],
  [["-5"], { pattern: "-5" }],
  [['{"max_results":2}', "a"], { pattern: "a", max_results: 2 }],
  [["--", "--weird"], { pattern: "--weird" }],
  [["max_results=2", "--", "@a"], { pattern: "@a", max_results: 2 }],
  [["--", "other=x", "max_results=2"], { pattern: "other=x", max_results: 2 }],
  [["--", "--"], { pattern: "--" }],
  // An option that the tool has.
  [["--pattern", "x"], { pattern: "x" }],
  [["--pattern=-x"], { pattern: "-x" }],
  [["--max-results", "-3", "a"], { pattern: "a", max_results: -3 }],
  [["--ignore-case", "a"], { pattern: "a", ignore_case: true }],
  [["--ignore_case", "false", "a"], { pattern: "a", ignore_case: false }],
  [["--paths", "a", "--paths", "b"], { paths: ["a", "b"] }],
  // The next word is its value, however it looks.
  [["--pattern", "--ignore-case"], { pattern: "--ignore-case" }],
  [["--pattern", "-A", "--ignore-case"], { pattern: "-A", ignore_case: true }],
  [["--pattern", "--", "--max-results", "2"], { pattern: "--", max_results: 2 }],
  [["--flag-or-text", "--ignore-case"], { flag_or_text: "--ignore-case" }],
];

Deno.test("parseCallArguments() converts values by the schema alone", () => {
  for (const [words, expected] of READ) {
    assertEquals(parseCallArguments(words, SCHEMA), expected, words.join(" "));
  }
});

Deno.test("parseCallArguments() takes the JSON of a file or stdin from its caller", () => {
  assertEquals(parseCallArguments(["@a.json"], SCHEMA, '\uFEFF{"pattern":"x"}\n'), { pattern: "x" });
  assertEquals(parseCallArguments(["-", "pattern=y"], SCHEMA, '{"pattern":"x","any":1}'), {
    pattern: "y",
    any: 1,
  });
  assertThrows(() => parseCallArguments(["-"], SCHEMA), TypeError);
});

const THERE_ARE = `there are ${Object.keys(SCHEMA.properties as object).join(", ")}`;
const REFUSED: [words: string[], message: string][] = [
  [["patern=x"], 'Unknown argument "patern", did you mean "pattern"?'],
  [["maxResults=3"], 'Unknown argument "maxResults", did you mean "max_results"?'],
  [["toString=1"], `Unknown argument "toString": ${THERE_ARE}`],
  [["__proto__:={}"], `Unknown argument "__proto__": ${THERE_ARE}`],
  [["max_results=many"], 'Argument "max_results" must be an integer, not "many"'],
  [["max_results=1.5"], 'Argument "max_results" must be an integer, not "1.5"'],
  [["max_results=007"], 'Argument "max_results" must be an integer, not "007"'],
  [["ratio=1e999"], 'Argument "ratio" must be a number, not "1e999"'],
  [["ignore_case=yes"], 'Argument "ignore_case" must be a boolean, not "yes"'],
  [["count=x"], 'Argument "count" must be an integer or null, not "x"'],
  [["lines=[1,"], 'Argument "lines" must be an integer, not "[1,"'],
  [["grid=1", "grid=2"], 'Argument "grid" must be an array, not "1"'],
  [["pattern=a", "pattern=b"], 'Argument "pattern" is given 2 times and takes one value'],
  [["lines:=[1]", "lines=2"], 'Argument "lines" is given 2 times and takes one value'],
  [["env=x"], 'Broken JSON in argument "env", line 1 column 1: expected a value\n  x\n  ^'],
  [["env=[1]"], 'Argument "env" must be an object, not an array'],
  [
    ["any:={a:1}"],
    'Broken JSON in argument "any", line 1 column 2: expected a name in double quotes or "}"\n  {a:1}\n   ^',
  ],
  [["any:="], 'No JSON in argument "any": it is empty'],
  [
    ["{pattern:1}"],
    'Broken JSON in the arguments, line 1 column 2: expected a name in double quotes or "}"\n  {pattern:1}\n   ^',
  ],
  [["[1]"], "Cannot use the arguments: expected a JSON object, got an array"],
  [
    ["a", "b"],
    'Unexpected "b": "pattern" takes one value, put it in quotes or write key=value for another argument',
  ],
  [
    ["pattern=a", "b"],
    'Unexpected "b": "pattern" is given already, write key=value or key:=JSON for another argument',
  ],
  [
    ['{"pattern":"a"}', "b"],
    'Unexpected "b": "pattern" is given already, write key=value or key:=JSON for another argument',
  ],
  [["--weird"], 'Unknown option "--weird", see: bulkhead call --help'],
  [["--patern", "x"], 'Unknown option "--patern", did you mean "--pattern"? See: bulkhead call --help'],
  [
    ["--alow-write=/x"],
    'Unknown option "--alow-write", did you mean "--allow-write"? See: bulkhead call --help',
  ],
  [["-l"], 'Unknown option "-l": words that begin with - stand behind --, see: bulkhead call --help'],
  [["--pattern"], 'Argument "pattern" needs a value: write pattern=VALUE'],
  [["--pattern", "a", "pattern=b"], 'Argument "pattern" is given 2 times and takes one value'],
  [
    ["pattern=x", '{"max_results":1}'],
    'Unexpected "{\\"max_results\\":1}": JSON, @FILE or - may only be the first word',
  ],
  [["pattern=x", "-"], 'Unexpected "-": JSON, @FILE or - may only be the first word'],
  [["pattern=x", "@a=b"], 'Unexpected "@a=b": JSON, @FILE or - may only be the first word'],
];

Deno.test("parseCallArguments() says what is wrong with a word", () => {
  for (const [words, message] of REFUSED) {
    const error = assertThrows(() => parseCallArguments(words, SCHEMA), ToolError);
    assertEquals([error.code, error.message], ["invalid_input", message], words.join(" "));
  }
});

Deno.test("parseCallArguments() names the source of broken JSON", () => {
  const broken = (word: string, text: string) =>
    assertThrows(() => parseCallArguments([word], SCHEMA, text), ToolError).message.split("\n")[0];
  assertEquals(
    broken("@a.json", "{"),
    'Broken JSON in arguments file "a.json", line 1 column 2: expected a name in double quotes or "}"',
  );
  assertEquals(broken("-", "\n"), "No JSON in the arguments on stdin: it is empty");
  assertEquals(broken("-", "null"), "Cannot use the arguments on stdin: expected a JSON object, got null");
});

Deno.test("parseCallArguments() takes any name where the schema is open", () => {
  const open = schemaOf(z.looseObject({ a: z.int().optional() }));
  assertEquals(parseCallArguments(["a=1", "b=1"], open), { a: 1, b: "1" });
  const numbers = schemaOf(z.record(z.string(), z.int()));
  assertEquals(parseCallArguments(["a=1"], numbers), { a: 1 });
  assertThrows(() => parseCallArguments(["__proto__=1"], numbers), ToolError);
});

Deno.test("parseCallArguments() fills a required list with all bare words", () => {
  const schema = schemaOf(z.object({ argv: z.array(z.string()), timeout: z.int().optional() }));
  assertEquals(parseCallArguments(["ls"], schema), { argv: ["ls"] });
  assertEquals(parseCallArguments(["timeout=3", "--", "ls", "-l", "A=1"], schema), {
    argv: ["ls", "-l", "A=1"],
    timeout: 3,
  });
});

Deno.test("parseCallArguments() does not guess which argument a bare word fills", () => {
  const message = (type: z.ZodType, ...words: string[]) =>
    assertThrows(() => parseCallArguments(words, schemaOf(type)), ToolError).message;
  assertEquals(
    message(z.object({ path: z.string(), content: z.string(), mode: z.string().optional() }), "a"),
    'Cannot read argument "a": write key=value or key:=JSON; path, content are required, so name each of them',
  );
  assertEquals(
    message(z.object({ path: z.string().optional(), mode: z.string().optional() }), "a"),
    'Cannot read argument "a": write key=value or key:=JSON; no argument is required, so name the one that is ' +
      "meant: path, mode",
  );
  assertEquals(message(z.object({}), "a"), 'Unexpected "a": this tool takes no arguments');
  // Where the schema is open, an option that nobody declared is still a slip.
  assertEquals(
    message(z.looseObject({ a: z.string() }), "--deny-raed=x"),
    'Unknown option "--deny-raed", did you mean "--deny-read"? See: bulkhead call --help',
  );
});

Deno.test("parseCallArguments() says that a tool takes no arguments", () => {
  const rows = [[{}, "this tool takes none"], [{ json: z.string() }, "there is json"]] as const;
  for (const [fields, told] of rows) {
    const error = assertThrows(() => parseCallArguments(["a=1"], schemaOf(z.object(fields))), ToolError);
    assertEquals(error.message, `Unknown argument "a": ${told}`);
  }
});

Deno.test("parseCallArguments() knows the fields of each branch of a union", () => {
  const union = schemaOf(z.discriminatedUnion("command", [
    z.object({ command: z.literal("view"), line: z.int() }),
    z.object({ command: z.literal("create"), text: z.string() }),
  ]));
  assertEquals(parseCallArguments(["command=view", "line=3"], union), { command: "view", line: 3 });
  assertEquals(parseCallArguments(["command=create", "text=3"], union), { command: "create", text: "3" });
});

Deno.test("parseCallArguments() lets a hostile JSON object reach no prototype", () => {
  const input = parseCallArguments(['{"__proto__":{"polluted":1}}'], SCHEMA);
  assertEquals(Object.getPrototypeOf(input), Object.prototype);
  assertEquals(({} as Record<string, unknown>).polluted, undefined);
});

Deno.test("sourceOf() tells JSON, files and stdin from pairs", () => {
  assertEquals(sourceOf('{"a":1}'), { kind: "json", text: '{"a":1}' });
  assertEquals(sourceOf("\n [1]"), { kind: "json", text: "\n [1]" });
  assertEquals(sourceOf("@dir/a=b.json"), { kind: "file", path: "dir/a=b.json" });
  assertEquals(sourceOf("-"), { kind: "stdin" });
  for (const pair of ["key=value", "key={}", "-5", ""]) assertEquals(sourceOf(pair), null, pair);
  assertEquals(assertThrows(() => sourceOf("@"), ToolError).message, 'No file named after "@": write @FILE');
});
