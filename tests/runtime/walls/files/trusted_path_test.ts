import { assertEquals } from "@std/assert";

import { trustedPath } from "../../../../runtime/walls/files/trusted_path.ts";
import { hiddenOwn, stateFolder } from "../../../../runtime/state/state_folder.ts";
import { boxTest } from "../../../support/box.ts";
import { workspace } from "../../../support/run_tool.ts";
import { makeScene } from "../../../e2e/support/scene.ts";

Deno.test("trustedPath() leaves out what lies in the workspace, may be written, or starts nowhere", () => {
  using ws = workspace({ "node_modules/.bin/x": "" });
  Deno.symlinkSync(ws.at("node_modules/.bin"), ws.at("link"));
  const allow = { read: [], write: ["/opt/made"], net: [], run: [] };
  const path = ["", ".", "bin", ws.at("node_modules/.bin"), "/opt/made/bin", "/usr/bin", "/bin"].join(":");
  assertEquals(trustedPath(path, { workspace: ws.path, allow }), "/usr/bin:/bin");
  const elsewhere = { workspace: ws.at("node_modules"), allow };
  assertEquals(trustedPath(`${ws.at("link")}:/usr/bin`, elsewhere), "/usr/bin");
});

Deno.test("hiddenOwn() is there before a program could make it", () => {
  using home = workspace({});
  const allow = { read: [home.path], write: [home.path], net: [], run: [] };
  const state = stateFolder(undefined, home.path)!;
  assertEquals(hiddenOwn({ allow, own: [] }, [state]), [home.at(".local/state/bulkhead")]);
  assertEquals(Deno.statSync(state).isDirectory, true);
  using other = workspace({});
  const far = stateFolder(other.at("x"), home.path)!;
  assertEquals(hiddenOwn({ allow, own: [] }, [far]), [other.at("x/bulkhead")]);
  assertEquals([...Deno.readDirSync(other.path)], []);
  assertEquals([stateFolder("relative", ""), hiddenOwn({ allow, own: [] }, [null])], [null, []]);
});

boxTest("no program of a workspace is started in place of bubblewrap and its like", async () => {
  using scene = makeScene();
  for (const name of ["bwrap", "prlimit", "setpriv", "bash", "sh", "env", "grep"]) {
    scene.write(`ws/bin/${name}`, `#!/bin/sh\necho ${name} >> ${scene.at("started")}\nexit 1\n`);
    Deno.chmodSync(scene.at(`ws/bin/${name}`), 0o755);
  }
  const env = { PATH: `${scene.at("ws/bin")}:${Deno.env.get("PATH")}` };
  const args = ["call", "par/bash", `argv:=["true"]`, "--json"];
  const { code, stdout } = await scene.run(args, { env });
  assertEquals([code, JSON.parse(stdout).metadata.place, scene.exists("started")], [0, "sandbox", false]);
  const hidden = await scene.run([...args, "--sandbox", "off", "--allow-run=true"], { env });
  assertEquals([hidden.code, scene.exists("started")], [0, false]);
  const named = ["call", "par/bash", `argv:=["grep","x"]`, "--json", "--sandbox", "off", "--allow-run=grep"];
  await scene.run(named, { env });
  assertEquals(scene.exists("started"), false);
});
