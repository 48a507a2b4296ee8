import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { landlockFilter } from "../../../runtime/walls/box/try_landlock.ts";
import { planVariables } from "../../../runtime/walls/landlock/plan.ts";
import { MAIN_URL } from "../../../runtime/self/entry_urls.ts";
import { findSelf } from "../../../runtime/self/find_self.ts";
import { boxWorks, landlockLack } from "../../support/box.ts";
import { program } from "../../support/program.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";

/** No namespace can be made below this one. */
const NO_NAMESPACES = [
  ...["unshare", "-Ur", "sh", "-c"],
  'echo 0 >/proc/sys/user/max_user_namespaces; exec "$@"',
  "sh",
];
const ATTACKS = "cat ../outside/diary; echo x > ../outside/new; kill -0 $PPID; " +
  "python3 -c 'import socket; socket.socket(socket.AF_UNIX)' 2>&1 | tail -1; cat a.txt; echo made > b.txt";

function landlockTest(name: string, run: (scene: Scene) => Promise<void>): void {
  const why = landlockLack ?? (boxWorks ? null : "it is made by namespaces here");
  Deno.test({
    name: `${name}${why === null ? "" : ` (needs Landlock: ${why})`}`,
    ignore: why !== null,
    async fn() {
      using scene = makeScene({ "ws/a.txt": "tea\n", "outside/diary": "private\n" });
      await run(scene);
    },
  });
}

landlockTest("in a container without namespaces, tools and programs run behind Landlock", async (scene) => {
  const call = ["call", "Bash", `command=${ATTACKS}`, "--json", "--sandbox=landlock"];
  const { stdout, stderr } = await scene.run(call, { before: NO_NAMESPACES });
  const { ok, result, metadata } = JSON.parse(stdout);
  assertEquals([ok, metadata.place, result.stdout], [
    true,
    "landlock",
    "OSError: [Errno 97] Address family not supported by protocol\ntea\n",
  ], stderr);
  assertStringIncludes(result.stderr, "diary: Permission denied");
  assertStringIncludes(result.stderr, "outside/new: Permission denied");
  assertEquals(Deno.readTextFileSync(scene.at("ws/b.txt")), "made\n");
  const read = async (...flags: string[]) => {
    const { stdout } = await scene.run(["call", "Read", "path=a.txt", "--json", ...flags], {
      before: NO_NAMESPACES,
    });
    return JSON.parse(stdout).metadata.place;
  };
  assertEquals([await read("--sandbox=landlock"), await read() === "landlock"], ["landlock", false]);
  const doctor = await scene.run(["doctor", "--json", "--sandbox=landlock"], { before: NO_NAMESPACES });
  const { findings } = JSON.parse(doctor.stdout);
  const { state, detail } = findings.find(({ check }: { check: string }) => check === "sandbox");
  assertEquals(state, "ok");
  assertStringIncludes(detail, "they hold less than namespaces would");
  const named = await scene.run(["call", "Read", "path=a.txt", "--sandbox=namespaces"], {
    before: NO_NAMESPACES,
  });
  assertEquals(named.code, 6);
});

landlockTest("under a filter as engines of containers have, programs run behind Landlock", async (scene) => {
  const { launcher } = findSelf(MAIN_URL, (name) => Deno.env.get(name));
  const [first = "", ...words] = launcher!.argv;
  const plan = planVariables({
    // It refuses new namespaces and mounts, and knows no clone3.
    ...{ rules: null, ports: null, filter: landlockFilter({ internet: "all" })!, bounds: [], keeps: [] },
    argv: [...program(), "call", "Bash", `command=${ATTACKS}`, "--json", "--sandbox=landlock"],
    env: { ...Deno.env.toObject(), HOME: scene.at("home"), XDG_STATE_HOME: scene.at("state") },
  });
  const { stdout, stderr } = await new Deno.Command(first, {
    ...{ args: words, clearEnv: true, env: { ...launcher!.env, ...plan }, cwd: scene.ws },
  }).output();
  const said = new TextDecoder().decode(stdout);
  assert(said !== "", new TextDecoder().decode(stderr));
  const { metadata, result } = JSON.parse(said);
  assertEquals(metadata.place, "landlock");
  assertStringIncludes(result.stderr, "diary: Permission denied");
});

landlockTest(
  "a secret in the workspace: what only reads starts without it, and what writes names the flag",
  async (scene) => {
    Deno.writeTextFileSync(scene.at("ws/.env"), "KEY=hunter2\n");
    const bash = async (command: string, ...flags: string[]) =>
      await scene.run(["call", "Bash", `command=${command}`, "--sandbox=landlock", ...flags]);
    const read = await bash("cat a.txt .env; ls -a");
    assertStringIncludes(read.stdout, "tea\n");
    assertStringIncludes(read.stdout, "cat: .env: Permission denied");
    assert(!read.stdout.includes("hunter2"));
    const refused = await bash("echo x > c.txt");
    assertEquals(refused.code, 3);
    assertStringIncludes(refused.stderr, "pass --allow-secrets=.env to let programs see it");
    assertEquals((await bash("echo x > c.txt", "--allow-secrets=.env")).code, 0);
    const denied = await bash("echo y > a.txt", "--allow-secrets=.env", "--deny-write=a.txt");
    assertEquals([denied.code, Deno.readTextFileSync(scene.at("ws/a.txt"))], [3, "tea\n"]);
  },
);

landlockTest("native code is closed in main, in rooms and in tools of one's own", async (scene) => {
  Deno.writeTextFileSync(
    scene.at("ws/own.ts"),
    `export default { name: "open", description: "x", input: { type: "object" }, run() {
      const tries = [
        () => Deno.dlopen("libc.so.6", {}),
        () => Deno.UnsafePointer.create(1n),
        () => process.dlopen({ exports: {} }, "/lib/x86_64-linux-gnu/libc.so.6"),
        () => new Worker("data:text/javascript,", { type: "module", deno: { permissions: { ffi: true } } }),
      ];
      return tries.map((one) => { try { one(); return "open"; } catch (error) { return error.name; } }).join();
    } };\n`,
  );
  for (const wall of ["namespaces", "landlock"]) {
    const { stdout, stderr } = await scene.run([
      "call",
      "own/open",
      "--tools=own.ts",
      `--sandbox=${wall}`,
      "--json",
    ]);
    const { result } = JSON.parse(stdout);
    assert(
      !String(result).includes("open") && String(result).split(",").length === 4,
      `${wall}: ${stdout}${stderr}`,
    );
  }
  const { findings } = JSON.parse((await scene.run(["doctor", "--json"])).stdout);
  const main = findings.find(({ check }: { check: string }) => check === "main");
  assertEquals([main.state, main.detail], [
    "ok",
    "main has given up native code, network and environment access",
  ]);
});
