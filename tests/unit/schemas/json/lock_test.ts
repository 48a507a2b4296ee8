import { assertEquals, assertThrows } from "@std/assert";
import * as z from "zod";

import type { Needs } from "../../../../schemas/access.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { compareLock, makeLock, parseLock } from "../../../../schemas/json/lock.ts";
import type { ManifestEntry } from "../../../../schemas/manifest.ts";
import { entryOf, schemaOf } from "../../../support/manifest_entry.ts";

function lockedTool(fullName: string, input: z.ZodType, needs: Needs = { read: "workspace" }): ManifestEntry {
  return entryOf(fullName, { input_schema: schemaOf(input), needs });
}

const BEFORE = z.object({
  path: z.string().describe("Where"),
  limit: z.int().max(10).default(3),
  edits: z.array(z.object({ old: z.string() })).optional(),
});

type Drift = [what: string, after: z.ZodType, changes: [kind: string, detail: string][]];

const DRIFTS: Drift[] = [
  ["nothing", BEFORE, []],
  [
    "descriptions and order",
    z.object({
      limit: z.int().max(10).default(3).describe("New words"),
      path: z.string().meta({ title: "Path", examples: ["a"] }),
      edits: z.array(z.object({ old: z.string() })).optional(),
    }).describe("New words"),
    [],
  ],
  ["an argument removed", BEFORE.omit({ limit: true }), [
    ["argument removed", 'a/T: argument "limit" was removed'],
  ]],
  ["an argument with fields removed", BEFORE.omit({ edits: true }), [
    ["argument removed", 'a/T: argument "edits" was removed'],
  ]],
  ["an optional argument added", BEFORE.extend({ glob: z.string().optional() }), [
    ["argument added", 'a/T: argument "glob" was added and is optional'],
  ]],
  ["a required argument added", BEFORE.extend({ glob: z.string() }), [
    ["argument added", 'a/T: argument "glob" was added and is required'],
  ]],
  ["a type", BEFORE.extend({ path: z.union([z.string(), z.null()]) }), [
    ["argument type changed", 'a/T: type of argument "path" was string, is null or string'],
  ]],
  ["a list in place of a text", BEFORE.extend({ path: z.array(z.object({ x: z.string() })) }), [
    ["argument type changed", 'a/T: type of argument "path" was string, is array'],
  ]],
  ["now required", BEFORE.extend({ edits: BEFORE.shape.edits.unwrap() }), [
    ["argument now required", 'a/T: argument "edits" is now required'],
  ]],
  ["now optional", BEFORE.extend({ path: z.string().optional() }), [
    ["argument now optional", 'a/T: argument "path" is now optional'],
  ]],
  ["a default", BEFORE.extend({ limit: z.int().max(10).default(5) }), [
    ["default changed", 'a/T: default of argument "limit" was 3, is 5'],
  ]],
  ["a default gone", BEFORE.extend({ limit: z.int().max(10).optional() }), [
    ["default changed", 'a/T: default of argument "limit" was 3, is none'],
  ]],
  ["a bound", BEFORE.extend({ limit: z.int().max(20).default(3) }), [
    ["argument rules changed", 'a/T: maximum of argument "limit" was 10, is 20'],
  ]],
  ["allowed values", BEFORE.extend({ path: z.enum(["a"]) }), [
    ["argument rules changed", 'a/T: enum of argument "path" was absent, is ["a"]'],
  ]],
  ["a field inside a list", BEFORE.extend({ edits: z.array(z.object({ new: z.string() })).optional() }), [
    ["argument removed", 'a/T: argument "edits[].old" was removed'],
    ["argument added", 'a/T: argument "edits[].new" was added and is required'],
  ]],
  ["unknown arguments refused", z.strictObject(BEFORE.shape), [
    ["argument rules changed", "a/T: additionalProperties of the arguments was absent, is false"],
  ]],
];

Deno.test("compareLock() tells each drift of arguments in a sentence", () => {
  const locked = makeLock([lockedTool("a/T", BEFORE)]);
  for (const [what, after, changes] of DRIFTS) {
    const current = makeLock([lockedTool("a/T", after)]);
    assertEquals(
      compareLock(locked, current),
      changes.map(([kind, detail]) => ({ tool: "a/T", kind, detail })) as ReturnType<typeof compareLock>,
      what,
    );
    const isSame = JSON.stringify(locked) === JSON.stringify(current);
    assertEquals(isSame, changes.length === 0, what);
  }
});

Deno.test("compareLock() tells removed and added tools and changed needs, sorted by tool", () => {
  const locked = makeLock([lockedTool("b/Old", BEFORE), lockedTool("a/T", BEFORE)]);
  const current = makeLock([
    lockedTool("c/New", BEFORE),
    lockedTool("a/T", BEFORE, { read: "granted", net: ["example.com"] }),
  ]);
  assertEquals(compareLock(locked, current), [
    { tool: "a/T", kind: "needs changed", detail: 'a/T: need of read was "workspace", is "granted"' },
    { tool: "a/T", kind: "needs changed", detail: 'a/T: need of net was nothing, is ["example.com"]' },
    { tool: "b/Old", kind: "removed", detail: "b/Old was removed" },
    { tool: "c/New", kind: "added", detail: "c/New was added" },
  ]);
});

Deno.test("makeLock() is the same for any order of tools and holds no prose", () => {
  const [one, two] = [lockedTool("a/One", BEFORE), lockedTool("a/Two", BEFORE)];
  const text = JSON.stringify(makeLock([one, two]));
  assertEquals(text, JSON.stringify(makeLock([two, one])));
  assertEquals(text.includes("Where"), false);
  assertEquals(Object.keys(makeLock([two, one]).tools), ["a/One", "a/Two"]);
});

Deno.test("makeLock() keeps arguments that are called like prose", () => {
  const schema =
    makeLock([lockedTool("a/T", z.object({ description: z.string(), title: z.string() }))]).tools["a/T"];
  assertEquals(Object.keys(schema!.input_schema.properties as object), ["description", "title"]);
});

Deno.test("parseLock() reads what makeLock() made", () => {
  const lock = makeLock([lockedTool("a/T", BEFORE)]);
  assertEquals(parseLock(JSON.stringify(lock, null, 2), "tools.lock.json"), lock);
});

const AGAIN = "make it anew with: bulkhead schema lock my.lock";

const BROKEN: [text: string, message: string][] = [
  ["", 'No JSON in lock file "my.lock": it is empty'],
  [
    "{",
    'Broken JSON in lock file "my.lock", line 1 column 2: expected a name in double quotes or "}"\n  {\n   ^',
  ],
  ["[]", `Cannot use lock file "my.lock": it is not a lock of tools, ${AGAIN}`],
  ['{"version":1}', `Cannot use lock file "my.lock": it is not a lock of tools, ${AGAIN}`],
  ['{"tools":{}}', `Cannot use lock file "my.lock": its version is missing, not 1, ${AGAIN}`],
  ['{"version":2,"tools":{}}', `Cannot use lock file "my.lock": its version is 2, not 1, ${AGAIN}`],
  [
    '{"version":1,"tools":{"a/T":{"needs":{}}}}',
    `Cannot use lock file "my.lock": its entry "a/T" is broken, ${AGAIN}`,
  ],
  [
    '{"version":1,"tools":{"a/T":{"needs":{"read":1},"input_schema":{}}}}',
    `Cannot use lock file "my.lock": its entry "a/T" is broken, ${AGAIN}`,
  ],
];

Deno.test("parseLock() says what is wrong with a broken lock and what to do", () => {
  for (const [text, message] of BROKEN) {
    const error = assertThrows(() => parseLock(text, "my.lock"), ToolError);
    assertEquals([error.code, error.message], ["invalid_input", message]);
  }
});
