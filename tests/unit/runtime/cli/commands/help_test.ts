import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { printHelp } from "../../../../../runtime/cli/commands/help.ts";
import type { Io } from "../../../../../runtime/cli/io/io.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { Manifest } from "../../../../../schemas/manifest.ts";
import manifest from "../../../../../tools/manifest.json" with { type: "json" };

const [tool] = (manifest as Manifest).tools;

/** A program with tools of these full names. */
function programOf(...names: string[]): Manifest {
  const tools = names.map((full_name) => {
    const [toolset = "", name = ""] = full_name.split("/");
    return { ...tool!, full_name, toolset, name };
  });
  return {
    version: 1,
    default_toolset: "one",
    tools,
    command_examples: {},
    foreign_commands: {},
    agents: {},
    agent_classes: {},
    file_agents: {},
  };
}

async function helpFor(words: string | readonly string[], program: Manifest): Promise<string> {
  let text = "";
  const io = {
    manifest: () => Promise.resolve(program),
    stdout: (bytes: Uint8Array) => Promise.resolve(void (text += new TextDecoder().decode(bytes))),
  } as unknown as Io;
  assertEquals(await printHelp({ command: "help", positionals: [words].flat(), options: {} }, io), 0);
  return text;
}

Deno.test("help shows the command or topic that is called like a tool, and names the tool", async () => {
  for (const [word, begin] of [["call", "Run one tool call\n"], ["permissions", "Workspace and paths\n"]]) {
    const text = await helpFor(word!, programOf(`one/${word}`, "one/other"));
    assert(text.startsWith(begin!), text.slice(0, 80));
    assert(text.endsWith(`\nThere is a tool of this name too: bulkhead help one/${word}\n`));
    const full = await helpFor(`one/${word}`, programOf(`one/${word}`));
    assert(full.startsWith(`one/${word}: `), full.slice(0, 80));
    assert(!(await helpFor(word!, programOf("one/other"))).includes("of this name too"));
  }
});

Deno.test("help shows the tool that a call would find, and names the others", async () => {
  const both = programOf("one/look", "two/look", "two/see", "three/see");
  const look = await helpFor("look", both);
  assert(look.startsWith("one/look: ") && look.includes("bulkhead call look "), look);
  assert(look.includes("\nOther tools of this name: two/look\n"));
  const second = await helpFor("two/look", both);
  assert(second.startsWith("two/look: ") && second.includes("bulkhead call two/look "), second);
  const unclear = await assertRejects(() => helpFor("see", both), ToolError);
  assertEquals([unclear.code, unclear.details.candidates], ["invalid_input", ["two/see", "three/see"]]);
});

Deno.test("help of a command with a word is that of the word", async () => {
  const program = programOf("one/Read");
  assertStringIncludes(await helpFor(["mcp", "serve"], program), "Usage: bulkhead mcp serve [options]");
  assertStringIncludes(await helpFor(["call", "one/Read"], program), "one/Read: ");
  const error = await assertRejects(() => helpFor(["permissions", "serve"], program), ToolError);
  assertStringIncludes(error.message, 'Unexpected word "serve"');
});
