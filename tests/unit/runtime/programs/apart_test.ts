import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

import { makeApartLauncher } from "../../../../runtime/programs/apart/apart_launcher.ts";
import { makeRemoteLauncher, remoteText } from "../../../../runtime/programs/apart/remote_launcher.ts";
import { makeSharedNetwork } from "../../../../runtime/programs/apart/shared_network.ts";
import { type BoxChoice, chooseBox } from "../../../../runtime/walls/box/choose_box.ts";
import { type GrantFlags, makeGrants } from "../../../../runtime/walls/grants/make_grants.ts";
import { PROGRAM_LIMITS } from "../../../../schemas/config.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { boxTest } from "../../../support/box.ts";
import { start } from "../../../support/launch_scene.ts";
import { workspace } from "../../../support/run_tool.ts";
import type { ProgramWay } from "../../../../runtime/programs/network/program_network.ts";

const PATH = Deno.env.get("PATH") ?? "/usr/bin:/bin";

/** As on macOS where a profile encloses programs. */
const MAC: BoxChoice = {
  state: () => Promise.resolve({ works: true, bwrap: null }),
  isUsed: () => Promise.resolve(true),
};

function apartLauncher(
  root: string,
  { mode = "auto", box = chooseBox({ mode, searchPath: PATH }), ...flags }: GrantFlags & {
    mode?: "auto" | "off";
    box?: BoxChoice;
  } = {},
) {
  const folder = join(root, "apart");
  Deno.mkdirSync(folder, { recursive: true });
  return makeApartLauncher({
    grants: makeGrants(flags, { workspace: root, cwd: root, realPath: Deno.realPathSync }),
    home: root,
    box,
    searchPath: PATH,
    env: { USER: "tea" },
    limits: PROGRAM_LIMITS,
    folder: () => Promise.resolve(folder),
  });
}

async function sh(root: string, script: string, flags: GrantFlags = {}): Promise<string> {
  const spec = { argv: ["sh", "-c", script], apart: true };
  const launch = await apartLauncher(root, flags).prepare(spec, { terminal: false });
  const { stdout, stderr } = await start(launch);
  return stdout + stderr;
}

boxTest("a program that runs apart writes its own folder, under every policy, and nothing else", async () => {
  using ws = workspace({ "mine.txt": "mine", "shown/tool": "tool" });
  assertEquals(await sh(ws.path, "pwd; echo x > a; cat a"), "/workspace\nx\n");
  assertEquals(await sh(ws.path, "cat a", { policy: "read-only-no-net" }), "x\n");
  assertEquals(ws.read("apart/a"), "x\n");
  for (const flags of [{}, { allowAll: true }]) {
    const said = await sh(ws.path, `cat ${ws.at("mine.txt")}; ls ${ws.path}; touch /usr/x /etc/x /x`, flags);
    assert(!said.includes("mine\n"), said);
    assertEquals(said.match(/No such file|Read-only/g)?.length, 5, said);
  }
  assertEquals(await sh(ws.path, `cat ${ws.at("shown/tool")}`, { sandboxShow: [ws.at("shown")] }), "tool");
});

boxTest("a program that runs apart keeps secrets, hooks and modes of its own", async () => {
  using ws = workspace();
  const argv = ["sh", "-c", "mkdir -p .git/hooks; echo k > .env; echo h > .git/hooks/pre-commit"];
  const launch = await apartLauncher(ws.path).prepare({ argv, apart: true }, { terminal: false });
  assertEquals((await start(launch)).code, 0);
  assertEquals([await launch.inspect(), launch.after], [[], null]);
  assertEquals(await sh(ws.path, "cat .env .git/hooks/pre-commit"), "k\nh\n");
});

boxTest("a program that runs apart is found on the system's path, and denied ones are not", async () => {
  using ws = workspace();
  const prepare = (argv: string[], flags: GrantFlags = {}) =>
    apartLauncher(ws.path, flags).prepare({ argv, apart: true }, { terminal: false });
  assertEquals((await assertRejects(() => prepare(["no-such-program"]), ToolError)).code, "not_found");
  const denied = await assertRejects(() => prepare(["sh"], { deny: { run: ["sh"] } }), ToolError);
  assertEquals(denied.code, "permission_denied");
  const below = { argv: ["sh"], cwd: "x", apart: true };
  await assertRejects(() => apartLauncher(ws.path).prepare(below, { terminal: false }), Error);
});

Deno.test("without a sandbox that shows folders by other names nothing runs apart", async () => {
  using ws = workspace();
  const message = async (how: Parameters<typeof apartLauncher>[1]) => {
    const made = apartLauncher(ws.path, how);
    const prepare = () => made.prepare({ argv: ["true"], apart: true }, { terminal: false });
    const error = await assertRejects(prepare, ToolError);
    assertEquals(error.code, "unavailable");
    return error.message;
  };
  await message({ mode: "off", allowAll: true });
  assertStringIncludes(
    await message({ box: MAC }),
    "there is none (this machine's walls show no folder by another name)",
  );
});

function remoteLauncher(root: string, command: readonly string[], flags: GrantFlags = {}) {
  const grants = makeGrants(flags, { workspace: root, cwd: root, realPath: Deno.realPathSync });
  const place = { searchPath: "/usr/bin:/bin", home: root, env: { USER: "tea" } };
  return makeRemoteLauncher({ grants, command, ...place });
}

Deno.test("makeRemoteLauncher() adds one word to the user's command, and starts it without a box", async () => {
  using ws = workspace();
  const spec = { argv: ["cat", "it's $HOME"], apart: true };
  const launch = await remoteLauncher(ws.path, ["sh", "-c"]).prepare(spec, { terminal: false });
  assertEquals(launch.argv.slice(1), ["-c", remoteText(spec, { stays: false })]);
  const { boxed, cwd, writes, env } = launch;
  assertEquals([boxed, cwd, writes, env.HOME], [false, "/workspace", [], ws.path]);
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
    const spec = { argv: ["true"], apart: true };
    const prepare = async () =>
      await remoteLauncher(ws.path, command, flags).prepare(spec, { terminal: false });
    const error = await assertRejects(prepare, ToolError);
    assertEquals(error.code, code, command.join(" "));
  }
});

/** A network whose ways can break. */
function network() {
  const taken: { who: string | null; isWhole: boolean; ends: number }[] = [];
  const open = (who: string | null): Promise<ProgramWay> => {
    const way = { who, isWhole: true, ends: 0 };
    taken.push(way);
    const pid = taken.length;
    return Promise.resolve({
      pid,
      get isWhole() {
        return way.isWhole;
      },
      connections: () => Promise.resolve([]),
      admit: () => Promise.resolve(),
      end: () => Promise.resolve({ connections: [], isWhole: way.ends++ === 0 }),
    });
  };
  return { taken, expect() {}, take: open, takeClosed: () => open(null) };
}

Deno.test("makeSharedNetwork() gives all programs one way, until it breaks", async () => {
  for (const isClosed of [false, true]) {
    const made = network();
    const shared = makeSharedNetwork(made, { isClosed });
    const ways = await Promise.all([shared.take("a"), shared.take("b"), shared.take("c")]);
    assertEquals(ways.map(({ pid }) => pid), [1, 1, 1]);
    await ways[0]!.end({ clean: true });
    assertEquals((await shared.take("d")).pid, 1);
    assertEquals(made.taken, [{ who: isClosed ? null : "a", isWhole: true, ends: 0 }]);
    made.taken[0]!.isWhole = false;
    assertEquals(ways.map(({ isWhole }) => isWhole), [false, false, false]);
    assertEquals((await Promise.all([shared.take("e"), shared.take("f")])).map(({ pid }) => pid), [2, 2]);
  }
});

Deno.test("makeSharedNetwork() tries again after a failure", async () => {
  const made = network();
  let fails = true;
  const shared = makeSharedNetwork({
    ...made,
    take: (who) => fails ? Promise.reject(new Error("no way")) : made.take(who),
  }, { isClosed: false });
  await assertRejects(() => shared.take("a"), Error, "no way");
  fails = false;
  assertEquals((await shared.take("a")).pid, 1);
});
