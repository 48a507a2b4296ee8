import { assertEquals, assertThrows } from "@std/assert";

import { findTool, noteOnName } from "../../../../runtime/calls/catalog/find_tool.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { NAME_CATALOG as catalog } from "../../../support/manifest_entry.ts";

Deno.test("findTool() takes full names, unique bare names, and prefers the default set", {
  permissions: "none",
}, () => {
  assertEquals(findTool(catalog, "par/read").tool.full_name, "par/read");
  assertEquals(findTool(catalog, "read").tool.full_name, "harness/Read");
  assertEquals(findTool(catalog, "READ").tool.full_name, "harness/Read");
  assertEquals(findTool(catalog, "edit_all").tool.full_name, "harness/edit_all");
});

Deno.test("noteOnName() tells which tool a name was taken for", { permissions: "none" }, () => {
  const note = (name: string) => noteOnName(catalog, name, findTool(catalog, name));
  assertEquals(note("read"), '"read" was taken for harness/Read; for par/read say the full name');
  assertEquals(note("READ"), '"READ" was taken for harness/Read');
  assertEquals([note("Read"), note("par/read"), note("edit_all")], [null, null, null]);
});

Deno.test("findTool() names the candidates", { permissions: "none" }, () => {
  const ambiguous = assertThrows(() => findTool(catalog, "bash"), ToolError);
  assertEquals(ambiguous.code, "invalid_input");
  assertEquals(ambiguous.details.candidates, ["par/bash", "manus/bash"]);
  const unknown = assertThrows(() => findTool(catalog, "Raed"), ToolError);
  assertEquals((unknown.details.candidates as string[]).includes("Read"), true);
});

Deno.test(
  "findTool() says which tools are left out, as one of them may be meant",
  { permissions: "none" },
  () => {
    const message = (name: string, leftOut: readonly string[]) =>
      assertThrows(() => findTool({ ...catalog, leftOut }, name), ToolError).message;
    assertEquals(
      message("mcp_notes_find", ['server "notes" failed']),
      'Unknown tool "mcp_notes_find"; some tools are left out: server "notes" failed',
    );
    const many = message("mcp_notes_find", ["a", "b", "c", "d", "e", "f", "g"]);
    assertEquals(many.endsWith("left out: a; b; c; d; e; and 2 more"), true);
  },
);
