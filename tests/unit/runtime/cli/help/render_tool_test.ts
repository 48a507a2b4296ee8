import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as z from "zod";

import { renderTool } from "../../../../../runtime/cli/help/render_tool.ts";
import type { Manifest, ManifestEntry } from "../../../../../schemas/manifest.ts";
import { schemaOf } from "../../../../support/manifest_entry.ts";
import manifest from "../../../../../tools/manifest.json" with { type: "json" };

const { tools } = manifest as Manifest;

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
