import { assertEquals } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { makeScene } from "../../support/cli/scene.ts";

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
