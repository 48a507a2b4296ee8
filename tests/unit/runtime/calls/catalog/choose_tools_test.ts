import { assertEquals, assertThrows } from "@std/assert";

import { chooseTools } from "../../../../../runtime/calls/catalog/choose_tools.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { catalogOf, entryOf, NAME_CATALOG as catalog } from "../../../../support/manifest_entry.ts";

const names = (choice: Parameters<typeof chooseTools>[1]) =>
  chooseTools(catalog, choice).map(({ entry, name }) => `${entry.tool.full_name}=${name}`);

Deno.test("chooseTools() offers the default set without its optional tools", { permissions: "none" }, () => {
  assertEquals(names({}), ["harness/Read=Read", "harness/edit_all=edit_all"]);
  assertEquals(names({ extraTools: ["editor"] }).at(-1), "harness/editor=editor");
  assertEquals(names({ toolsets: ["par"] }), ["par/read=read", "par/edit_all=edit_all", "par/bash=bash"]);
  assertEquals(names({ tools: ["par/bash=par_bash", "Read"] }), ["par/bash=par_bash", "harness/Read=Read"]);
});

Deno.test("chooseTools() refuses what cannot stand together", { permissions: "none" }, () => {
  const cases: [Parameters<typeof chooseTools>[1], string][] = [
    [{ toolsets: ["par", "manus"] }, "with --toolset par --extra-tool manus/bash=manus_bash"],
    [{ toolsets: ["par"], extraTools: ["manus/bash"] }, "rename one with --extra-tool manus/bash=manus_bash"],
    [{ tools: ["par/bash", "manus/bash"] }, "rename one with --tool manus/bash=manus_bash"],
    [{ tools: ["Read", "Read"] }, "Duplicate tools requested: harness/Read is chosen twice, name it once"],
    [
      { extraTools: ["Read"] },
      "harness/Read is chosen twice, it is in harness already, so leave the extra one out",
    ],
    [{ toolsets: ["par", "par"], extraTools: ["par/bash"] }, "Duplicate tools requested: par/bash"],
    [{ tools: ["par/bash", "manus/bash"] }, "Both par/bash and manus/bash"],
    [{ tools: ["Read"], extraTools: ["editor"] }, "--tool names the complete choice"],
    [{ toolsets: ["pan"] }, 'Unknown toolset "pan"'],
    [{ tools: ["Read=no good"] }, "letters, digits"],
  ];
  for (const [choice, message] of cases) {
    assertEquals(assertThrows(() => names(choice), ToolError, message).code, "invalid_input");
  }
});

Deno.test(
  "chooseTools() describes a tool by the names of those that are offered",
  { permissions: "none" },
  () => {
    const see_also = ["Use {other} for more.", "See {other|third}[, then {third}]."];
    const tools = ["one", "other", "third"].map((name) => entryOf(`harness/${name}`, { see_also }));
    const described = (choice: string[]) =>
      chooseTools(catalogOf(...tools), { tools: choice })[0]!.entry.tool.description;
    assertEquals(described(["one"]), "Does it.");
    assertEquals(described(["one", "other=o"]), "Does it. Use o for more. See o.");
    assertEquals(described(["one", "third"]), "Does it. See third, then third.");
    assertEquals(
      described(["one", "other", "third"]),
      "Does it. Use other for more. See other and third, then third.",
    );
  },
);

Deno.test("chooseTools() gives advice that works", { permissions: "none" }, () => {
  assertEquals(names({ toolsets: ["par"], extraTools: ["manus/bash=manus_bash"] }).length, 4);
});

Deno.test("chooseTools() leaves of the toolsets' tools those that are named", { permissions: "none" }, () => {
  assertEquals(names({ only: ["Read"] }), ["harness/Read=Read"]);
  assertEquals(names({ only: ["edit_all=all", "par/bash"] }), ["harness/edit_all=all"]);
  assertEquals(names({ only: [] }), []);
  assertEquals(names({ only: ["Read"], extraTools: ["editor"] }), [
    "harness/Read=Read",
    "harness/editor=editor",
  ]);
  assertThrows(() => names({ only: ["Raed"] }), ToolError, 'Unknown tool "Raed"');
});

Deno.test("chooseTools() adds toolsets and tools as far as they are there", { permissions: "none" }, () => {
  const beside = ["manus", "ParRead", "par/edit_all", "bash", "nobody"];
  assertEquals(names({ tools: ["Read"], beside }).slice(0, 2), [
    "harness/Read=Read",
    "par/edit_all=edit_all",
  ]);
  assertEquals(names({ tools: ["Read"], beside: ["gone"] }), ["harness/Read=Read"]);
});
