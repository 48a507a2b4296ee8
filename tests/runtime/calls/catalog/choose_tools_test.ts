import { assertEquals, assertThrows } from "@std/assert";

import { chooseTools } from "../../../../runtime/calls/catalog/choose_tools.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { NAME_CATALOG as catalog } from "../../../support/manifest_entry.ts";

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
