import { assertEquals } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { makeScene } from "../support/scene.ts";

const SYSTEM = "/usr/bin:/bin";

boxTest(
  "toolchains of the home are there for programs, unless --toolchains off or a file hides them",
  async () => {
    using scene = makeScene({
      "home/.nvm/versions/node/v20/bin/mynode": "#!/bin/sh\necho node of nvm",
      "home/.nvm/versions/node/v20/.npmrc": "TOKEN",
      "home/.local/share/keyrings/login": "KEYS",
      "off.json": '{"toolchains": "off"}',
    });
    Deno.chmodSync(scene.at("home/.nvm/versions/node/v20/bin/mynode"), 0o755);
    const env = { PATH: `${scene.at("home/.nvm/versions/node/v20/bin")}:${SYSTEM}` };
    const command = `mynode; cat ${scene.at("home")}/.nvm/versions/node/v20/.npmrc; ls -d ${
      scene.at("home")
    }/.local`;
    const answer = async (flags: readonly string[]) => {
      const { answers } = await scene.batch([{ tool: "Bash", arguments: { command } }], flags, { env });
      return (answers[0]!.result as { stdout: string }).stdout;
    };
    assertEquals(await answer([]), "node of nvm\n");
    assertEquals(await answer(["--toolchains", "off"]), "");
    assertEquals(await answer(["--config", scene.at("off.json")]), "");
  },
);
