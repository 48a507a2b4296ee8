import { assertEquals, assertStringIncludes } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { boxTest } from "../../../../support/box.ts";
import { launchScene, type SceneOptions } from "../../../../support/launch_scene.ts";

const DEEPER = `import os
ws = os.open(".", os.O_RDONLY)
for _ in range(17):
    os.mkdir("d" * 250)
    os.chdir("d" * 250)
os.rename("proj", "proj", src_dir_fd=ws)
`;

/** Each moves a folder with something masked to where the next program's box would not find it. */
const MOVES: readonly (SceneOptions & { name: string; file: string; move: string; then: string })[] = [
  {
    name: "a secret that is known with the name of its folder",
    file: ".docker/config.json",
    move: "mv .docker docker",
    then: "cat docker/config.json",
  },
  {
    name: "a folder that is denied",
    file: "a/b/private/x",
    move: "mv a c",
    then: "cat c/b/private/x",
    flags: { deny: { read: ["ws/a/b/private"] } },
  },
  {
    name: "what is bulkhead's own",
    file: "state/bulkhead/x",
    move: "mv state s",
    then: "cat s/bulkhead/x",
    hide: ["ws/state/bulkhead"],
  },
  {
    name: "a secret below a name that is no UTF-8",
    file: "proj/.env",
    move: "mv proj $(printf '\\377')",
    then: "cat $(printf '\\377')/.env",
  },
  {
    name: "a secret deeper than paths reach",
    file: "proj/.env",
    move: `python3 -c '${DEEPER}'`,
    then: `python3 -c 'import os\nfor _ in range(17): os.chdir("d" * 250)\nprint(open("proj/.env").read())'`,
  },
  {
    name: "what a link named like a secret leads to",
    file: "kept/settings",
    move: "mv kept gone",
    then: "cat gone/settings",
  },
];

for (const { name, file, move, then, ...options } of MOVES) {
  boxTest(`no program moves ${name} away for the next one to read`, async () => {
    using scene = launchScene({ [`ws/${file}`]: "TOPSECRET" }, options);
    if (file === "kept/settings") Deno.symlinkSync("kept/settings", scene.at("ws/.npmrc"));
    const first = await scene.sh(move);
    const second = await scene.sh(then);
    await new Deno.Command("chmod", { args: ["-R", "u+rwx", scene.at("ws")] }).output();
    if (scene.exists(`ws/${"d".repeat(250)}`)) {
      await new Deno.Command("rm", { args: ["-rf", scene.at(`ws/${"d".repeat(250)}`)] }).output();
    }
    assertEquals(`${first.stdout}${second.stdout}`.includes("TOPSECRET"), false, second.stdout);
    assertStringIncludes(first.stderr, "esource busy");
    assertEquals(scene.read(`ws/${file}`), "TOPSECRET");
  });
}

boxTest("what is denied to be written is not written after its folder was moved", async () => {
  const flags = { deny: { write: ["ws/logs/old/audit.jsonl"] } };
  using scene = launchScene({ "ws/logs/old/audit.jsonl": "kept\n" }, { flags });
  const { stderr } = await scene.sh("echo forged > logs/old/audit.jsonl; mv logs l");
  assertStringIncludes(stderr, "esource busy");
  await scene.sh("echo forged > l/old/audit.jsonl; echo forged > logs/old/audit.jsonl");
  assertEquals(scene.read("ws/logs/old/audit.jsonl"), "kept\n");
});

boxTest("a folder that cannot be looked through is hidden, and the user hears of it", async () => {
  for (const mode of ["000", "444", "311"]) {
    using scene = launchScene({ "ws/proj/.env": "TOPSECRET" });
    await scene.sh(`chmod ${mode} proj`);
    const { warnings } = await scene.prepare({ argv: ["true"] });
    assertEquals(warnings, [
      `Programs do not see "${scene.at("ws/proj")}": it could not be looked through for secrets`,
    ]);
    const { stdout } = await scene.sh("chmod 755 proj; cat proj/.env; ls proj");
    Deno.chmodSync(scene.at("ws/proj"), 0o755);
    assertEquals(stdout, "", mode);
  }
});

boxTest("nothing starts in a workspace that cannot be looked through", async () => {
  using scene = launchScene({ "ws/.env": "TOPSECRET" });
  await scene.sh("chmod 311 .");
  const error = await scene.sh("chmod 755 .; cat .env").catch((error) => error);
  Deno.chmodSync(scene.at("ws"), 0o755);
  assertEquals(error instanceof ToolError && error.code, "unavailable");
});

boxTest("a program that stays moves no folder with protected files, and another one may", async () => {
  using scene = launchScene({ "ws/repo/.git/config": "[core]\n", "ws/other/.git/config": "[core]\n" });
  const move = async (name: string, stays: boolean) => {
    const launch = await scene.prepare({ argv: ["mv", name, `${name}-moved`] }, { stays });
    return (await scene.start(launch)).code;
  };
  assertEquals([await move("repo", true), await move("other", false)], [1, 0]);
});

boxTest("prepare() refuses to show secrets in more folders than a box can hold in their places", async () => {
  const files = Object.fromEntries(Array.from({ length: 301 }, (_, n) => [`ws/${n}/.env`, ""]));
  using scene = launchScene(files);
  const error = await scene.prepare({ argv: ["true"] }).catch((error) => error);
  assertEquals(error.code, "limit_exceeded");
  assertStringIncludes(error.message, "301 folders with secrets or protected files lie in the folders");
});
