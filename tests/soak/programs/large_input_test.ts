import { assert, assertEquals } from "@std/assert";

import type { ScannedFolder } from "../../../runtime/programs/protected/scan_folder.ts";
import { makeTreeScan } from "../../../runtime/programs/protected/tree_scan.ts";
import { analyseCommand } from "../../../runtime/programs/shell/analyse_command.ts";
import { hostileScripts } from "../../support/hostile_scripts.ts";
import { workspace } from "../../support/run_tool.ts";

Deno.test("scan() takes a folder with very many folders", async () => {
  using ws = workspace({ ".env": "" });
  const { dev, ino, mtime, ctime } = Deno.lstatSync(ws.path);
  const folder: ScannedFolder = {
    stamp: [dev, ino, mtime?.getTime(), ctime?.getTime()].join(":"),
    count: 1,
    folders: Array.from({ length: 200_000 }, (_, at) => `gone${at}`),
    found: [{ name: ".env", kind: "secret" }],
    isClosed: false,
  };
  const found = await makeTreeScan({ known: new Map([[ws.path, folder]]) })([{ path: ws.path }]);
  assertEquals(found.map(({ path }) => path), [ws.at(".env")]);
});

Deno.test("analyseCommand() comes to an end whatever the text, however long", async () => {
  for (const script of hostileScripts(10_000)) {
    const { commands } = await analyseCommand({ script, shell: "bash" });
    assert(commands.length <= 10_000, script.slice(0, 20));
  }
});
