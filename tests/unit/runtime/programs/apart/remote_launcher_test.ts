import { assertEquals, assertRejects } from "@std/assert";

import { makeRemoteLauncher, remoteText } from "../../../../../runtime/programs/apart/remote_launcher.ts";
import { type GrantFlags, makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { workspace } from "../../../../support/run_tool.ts";

function launcher(root: string, command: readonly string[], flags: GrantFlags = {}) {
  const grants = makeGrants(flags, { workspace: root, cwd: root, realPath: Deno.realPathSync });
  return makeRemoteLauncher({
    grants,
    command,
    searchPath: "/usr/bin:/bin",
    home: root,
    env: { USER: "tea" },
  });
}

Deno.test("makeRemoteLauncher() adds one word to the user's command, and starts it without a box", async () => {
  using ws = workspace();
  const spec = { argv: ["cat", "it's $HOME"], apart: true };
  const launch = await launcher(ws.path, ["sh", "-c"]).prepare(spec, { terminal: false });
  assertEquals(launch.argv.slice(1), ["-c", remoteText(spec, { stays: false })]);
  assertEquals([launch.boxed, launch.cwd, launch.writes, launch.env.HOME], [
    false,
    "/workspace",
    [],
    ws.path,
  ]);
});

Deno.test("makeRemoteLauncher() takes no command that a call could have written, nor one that is denied", async () => {
  using ws = workspace({ "mine": "#!/bin/sh\n" });
  Deno.chmodSync(ws.at("mine"), 0o755);
  const table: [string[], GrantFlags, string][] = [
    [["none-of-this-name"], {}, "unavailable"],
    [["mine"], {}, "unavailable"],
    [[ws.at("mine")], {}, "unavailable"],
    [["sh", "-c"], { deny: { run: ["sh"] } }, "permission_denied"],
    [["sh", "-c"], { deny: { net: true } }, "permission_denied"],
  ];
  for (const [command, flags, code] of table) {
    const error = await assertRejects(
      async () =>
        await launcher(ws.path, command, flags).prepare({ argv: ["true"], apart: true }, { terminal: false }),
      ToolError,
    );
    assertEquals(error.code, code, command.join(" "));
  }
});
