import { assertEquals } from "@std/assert";

import type { ToolContext } from "../../../../../schemas/context.ts";
import { listFolder } from "../../../../../tools/engine/editor/list_folder.ts";
import { workspace } from "../../../../support/run_tool.ts";

Deno.test("listFolder() tells no name of a folder that a link replaced after it was found", async () => {
  using ws = workspace({ "d/own.txt": "" });
  using elsewhere = workspace({ "hidden.txt": "" });
  const warnings: string[] = [];
  const mayRead = (path: string) => {
    if (path !== ws.at("d")) return true;
    Deno.renameSync(path, `${elsewhere.path}/moved`);
    Deno.symlinkSync(elsewhere.path, path);
    return true;
  };
  const context = {
    files: { mayRead },
    signal: new AbortController().signal,
    warn: (message: string) => void warnings.push(message),
  } as unknown as ToolContext;
  const folder = { path: ws.path, real: ws.path, info: Deno.lstatSync(ws.path) };
  const { entries } = await listFolder(folder, context);
  assertEquals(entries, [{ path: "d", folder: true }]);
  assertEquals(warnings, [`Cannot list "${ws.at("d")}": the system denies it, or it is gone`]);
});
