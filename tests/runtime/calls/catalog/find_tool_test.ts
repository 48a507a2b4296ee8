import { assertEquals, assertThrows } from "@std/assert";

import { chooseTools, findTool } from "../../../../runtime/calls/catalog/find_tool.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { Manifest } from "../../../../schemas/manifest.ts";
import { entryOf } from "../../../support/manifest_entry.ts";

const tool = (fullName: string, optional = false) => entryOf(fullName, { optional });
const manifest: Manifest = {
  version: 1,
  tools: [
    tool("harness/Read"),
    tool("harness/edit_all"),
    tool("harness/editor", true),
    tool("par/read"),
    tool("par/edit_all"),
    tool("par/bash"),
    tool("manus/bash"),
  ],
};

Deno.test("findTool() takes full names, unique bare names, and prefers the default set", {
  permissions: "none",
}, () => {
  assertEquals(findTool(manifest, "par/read").full_name, "par/read");
  assertEquals(findTool(manifest, "read").full_name, "par/read");
  assertEquals(findTool(manifest, "edit_all").full_name, "harness/edit_all");
});

Deno.test("findTool() names the candidates", { permissions: "none" }, () => {
  const ambiguous = assertThrows(() => findTool(manifest, "bash"), ToolError);
  assertEquals(ambiguous.code, "invalid_input");
  assertEquals(ambiguous.details.candidates, ["par/bash", "manus/bash"]);
  const unknown = assertThrows(() => findTool(manifest, "Raed"), ToolError);
  assertEquals((unknown.details.candidates as string[]).includes("Read"), true);
});

const names = (choice: Parameters<typeof chooseTools>[1]) =>
  chooseTools(manifest, choice).map(({ entry, name }) => `${entry.full_name}=${name}`);

Deno.test("chooseTools() offers the default set without its optional tools", { permissions: "none" }, () => {
  assertEquals(names({}), ["harness/Read=Read", "harness/edit_all=edit_all"]);
  assertEquals(names({ extraTools: ["editor"] }).at(-1), "harness/editor=editor");
  assertEquals(names({ toolsets: ["par"] }), ["par/read=read", "par/edit_all=edit_all", "par/bash=bash"]);
  assertEquals(names({ tools: ["par/bash=par_bash", "Read"] }), ["par/bash=par_bash", "harness/Read=Read"]);
});

Deno.test("chooseTools() refuses what cannot stand together", { permissions: "none" }, () => {
  const cases: [Parameters<typeof chooseTools>[1], string][] = [
    [{ toolsets: ["par", "manus"] }, "--tool manus/bash=manus_bash"],
    [{ tools: ["par/bash", "manus/bash"] }, "Both par/bash and manus/bash"],
    [{ tools: ["Read"], extraTools: ["editor"] }, "--tool names the complete choice"],
    [{ toolsets: ["pan"] }, 'Unknown toolset "pan"'],
    [{ tools: ["Read=no good"] }, "letters, digits"],
  ];
  for (const [choice, message] of cases) {
    assertEquals(assertThrows(() => names(choice), ToolError, message).code, "invalid_input");
  }
});
