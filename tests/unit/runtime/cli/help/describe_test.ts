import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as z from "zod";

import { type ManualFile, TOPIC_NAMES, topicOf } from "../../../../../runtime/cli/args/topic_table.ts";
import { describeArguments } from "../../../../../runtime/cli/help/describe_arguments.ts";
import { firstSentence } from "../../../../../runtime/cli/show/tables/first_sentence.ts";
import { renderTool } from "../../../../../runtime/cli/help/render_tool.ts";
import { makeForeignReader } from "../../../../../runtime/cli/show/markdown/foreign_reader.ts";
import { renderTopic, sectionsOf } from "../../../../../runtime/cli/help/render_topic.ts";
import type { Manifest, ManifestEntry } from "../../../../../schemas/manifest.ts";
import { schemaOf } from "../../../../support/manifest_entry.ts";
import { readReadme } from "../../../../support/readme/readme.ts";
import manifest from "../../../../../tools/manifest.json" with { type: "json" };

/** One line a row: name, type, default, meaning. */
function described(type: z.ZodType): string[] {
  return describeArguments(schemaOf(type)).map(({ name, type, fallback, meaning }) =>
    [name, type, fallback, meaning].join(" | ")
  );
}

Deno.test("describeArguments() tells type, default, meaning, choices and bounds", () => {
  const schema = z.object({
    path: z.string().min(1).max(80).describe("File\n  to read"),
    count: z.int().default(3).describe("How many."),
    limit: z.int().min(1).optional(),
    ratio: z.number().min(0).max(1).default(0.5),
    mode: z.enum(["fast", "slow"]).describe("How"),
    names: z.array(z.string()).max(4).optional(),
    either: z.union([z.string(), z.array(z.int())]).optional(),
    note: z.string().nullable().optional(),
    any: z.unknown().optional(),
    long: z.string().default("x".repeat(100)),
    word: z.string().regex(/^a+$/).optional(),
    above: z.number().gt(0).lt(9).optional(),
  });
  assertEquals(described(schema), [
    "path | string | required | File to read. 1 to 80 characters.",
    "count | integer | 3 | How many.",
    "limit | integer |  | At least 1.",
    "ratio | number | 0.5 | 0 to 1.",
    "mode | string | required | How. One of fast, slow.",
    "names | list of string |  | At most 4 items.",
    "either | string or list of integer |  | ",
    "note | string or null |  | ",
    "any | any |  | ",
    `long | string | "${"x".repeat(23)}... | `,
    "word | string |  | Matches ^a+$.",
    "above | number |  | More than 0. Less than 9.",
  ]);
});

Deno.test("describeArguments() shows the fields of objects and of lists of objects", () => {
  const schema = z.object({
    edits: z.array(z.object({ old: z.string().describe("What"), new: z.string().optional() })),
    at: z.object({ line: z.int(), deep: z.object({ er: z.object({ est: z.int() }) }) }),
  });
  assertEquals(described(schema), [
    "edits | list of object | required | ",
    "edits[].old | string | required | What.",
    "edits[].new | string |  | ",
    "at | object | required | ",
    "at.line | integer | required | ",
    "at.deep | object | required | ",
    "at.deep.er | object | required | ",
  ]);
});

Deno.test("describeArguments() unites the branches of a union", () => {
  const schema = z.discriminatedUnion("command", [
    z.object({ command: z.literal("view"), line: z.int() }),
    z.object({ command: z.literal("create"), text: z.string() }),
  ]);
  assertEquals(described(schema), [
    "command | string | required | One of view, create.",
    "line | integer |  | ",
    "text | string |  | ",
  ]);
  assertEquals(described(z.object({})), []);
});

Deno.test("describeArguments() lets no text steer a terminal", () => {
  const odd = z.object({ a: z.string().default("\x1b[2J").describe("x\x1b[2J\ny") });
  assertEquals(described(odd), ['a | string | "\\u001b[2J" | x y.']);
});

Deno.test("firstSentence() ends where the first sentence ends", () => {
  const cases: readonly (readonly [text: string, first: string])[] = [
    ["", ""],
    ["One", "One"],
    ["One. Two.", "One"],
    ["Really? Yes.", "Really?"],
    ["Reads 1.5 MB of a file.txt, e.g. notes. Then more.", "Reads 1.5 MB of a file.txt, e.g. notes"],
    ["Reads a file (i.e. text). More", "Reads a file (i.e. text)"],
    ["One\ntwo. Three", "One two"],
    ["Does this:\n* a\n* b. c", "Does this:"],
    ["A title\n\nA text. More.", "A title"],
    ["Beep\x07 \x1b[2Jhere. More", "Beep here"],
  ];
  for (const [text, first] of cases) assertEquals(firstSentence(text), first, text);
});

const { tools } = manifest as Manifest;
const PAPER = { columns: 80, colors: false };

Deno.test("renderTool() words a tool completely", () => {
  const tool: ManifestEntry = {
    ...tools[0]!,
    full_name: "set/look",
    toolset: "set",
    name: "look",
    description: "Looks at a file. Then it tells:\n* what it saw",
    needs: { read: "granted", run: "workspace" },
    read_only: true,
    parallel: false,
    optional: true,
    settings: ["A_KEY"],
    secrets: ["ONE_KEY", "ONE_KEY", "TWO_KEY"].map((name) => ({ name, hosts: [], baseUrl: "A_URL" })),
    limits: { timeout_ms: 5000, concurrency: 2 },
    permission: "confirm",
    examples: [{ line: "path='a b'", meaning: "Look at one" }, { line: "", meaning: "Look at all" }],
    input_schema: schemaOf(z.object({ path: z.string().describe("File."), timeout: z.int().default(3) })),
  };
  assertEquals(
    renderTool(tool, { name: "look", others: ["other/look"], grant: "granted, asks first" }),
    `set/look: Looks at a file

Usage: bulkhead call look PATH [key=value ...] [options]

Arguments:
NAME     TYPE     DEFAULT   MEANING
-------  -------  --------  -------
path     string   required  File.
timeout  integer  3
Write timeout=VALUE for the argument: --timeout is an option of bulkhead.

Facts:
  read        files in the folders that are granted: the workspace, and those of
              --allow-read
  run         the workspace alone
  permission  a person is asked before each call; it changes nothing
  now         granted, asks first
  time limit  5 s a call; --timeout lowers it
  at once     2 at most
  order       runs alone in a batch
  environment reads A_KEY
  keys        takes ONE_KEY, TWO_KEY if set: the gate adds each to requests for
              its own service
  model       gets it with --extra-tool set/look

Examples:
  # Look at one
  bulkhead call look path='a b'
  # Look at all
  bulkhead call look

What a model reads of it:
  Looks at a file. Then it tells:
  * what it saw

Other tools of this name: other/look

Its JSON Schema: bulkhead schema look; ways to give arguments: bulkhead call --help
`,
  );
});

Deno.test("renderTool() shows every argument and every example of every tool, within 80 columns", () => {
  for (const tool of tools) {
    const help = renderTool(tool, { name: tool.full_name, others: [] });
    const [prose = ""] = help.split("\nExamples:\n");
    for (const line of prose.split("\n")) assert(line.length <= 80, line);
    for (const name of Object.keys(tool.input_schema.properties as object)) {
      assert(new RegExp(`^(?:NAME: )?${name}\\b`, "m").test(help), `${tool.full_name}: ${name}`);
    }
    assert(tool.examples.length > 0, tool.full_name);
    for (const { line, meaning } of tool.examples) {
      assertStringIncludes(help, `  # ${meaning}\n  ${`bulkhead call ${tool.full_name} ${line}`.trim()}\n`);
    }
  }
});

/** Files of which every section belongs to a topic. */
const PARTS = ["agent", "host", "mcp", "model", "programs", "queue", "sources"] as const;
const MANUALS: readonly ManualFile[] = [
  ...PARTS.map((part) => `runtime/${part}/README.md` as const),
  "tools/agents/README.md",
];

Deno.test("renderTopic() shows sections that exist, word by word", async () => {
  using reader = makeForeignReader();
  for (const name of TOPIC_NAMES) {
    const shown = new Set(wordsOf(await renderTopic(name, PAPER, reader)));
    for (const { file, headings } of topicOf(name).parts) {
      const sections = sectionsOf(readReadme(file));
      for (const heading of headings) {
        const section = sections.get(heading);
        assert(section, `${name}: ${file} has no section "${heading}"`);
        const text = section.replace(/\]\([^)]*\)/g, "]");
        assertEquals(wordsOf(text).filter((word) => !shown.has(word)), [], `${name}: ${heading}`);
      }
    }
  }
});

Deno.test("renderTopic() leaves out no section of the manual", () => {
  for (const file of MANUALS) {
    const shown = new Set(
      TOPIC_NAMES.flatMap((name) => topicOf(name).parts).filter((part) => part.file === file)
        .flatMap(({ headings }) => headings),
    );
    assertEquals(new Set(sectionsOf(readReadme(file)).keys()), shown, file);
  }
});

Deno.test("renderTopic() stays within 80 columns of plain text, examples apart", async () => {
  using reader = makeForeignReader();
  for (const name of TOPIC_NAMES) {
    const text = await renderTopic(name, PAPER, reader);
    assert(text.endsWith("\n") && !text.endsWith("\n\n") && !text.includes("\n\n\n"), name);
    for (const line of text.split("\n")) {
      assertEquals(line, line.trimEnd());
      assert(line.length <= 80 || line.startsWith("    "), `${name}: ${line}`);
      assert(!/^(```|#|\|)|\]\(|\p{Cc}/u.test(line), `${name}: ${line}`);
    }
  }
});

Deno.test("renderTopic() tells of every key and address that a tool takes", async () => {
  const text = await renderTopic("web", PAPER);
  for (const { name, secrets, settings } of tools.filter(({ outside }) => outside)) {
    for (const word of [...secrets.map(({ name }) => name), ...settings]) {
      assertStringIncludes(text, word, name);
    }
  }
});

Deno.test("renderTopic() names the topic that a link leads to", async () => {
  const text = (await renderTopic("permissions", PAPER)).replace(/\s+/g, " ");
  const told = "The configuration (see: bulkhead help config) can define policies of your own.";
  assertStringIncludes(text, told);
});

/** The words of a text without marks, the borders of tables and of code. */
function wordsOf(text: string): string[] {
  return text.replace(/^```.*$/gm, "").split(/[\s|#[\]]+/).filter((word) => /\w/.test(word))
    .map((word) => word.replace(/[.,:;)]+$/, ""));
}
