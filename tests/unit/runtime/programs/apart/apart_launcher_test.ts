import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

import { makeApartLauncher } from "../../../../../runtime/programs/apart/apart_launcher.ts";
import { type BoxChoice, chooseBox } from "../../../../../runtime/walls/box/choose_box.ts";
import { type GrantFlags, makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import { PROGRAM_LIMITS } from "../../../../../schemas/config.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { boxTest } from "../../../../support/box.ts";
import { start } from "../../../../support/launch_scene.ts";
import { workspace } from "../../../../support/run_tool.ts";

const PATH = Deno.env.get("PATH") ?? "/usr/bin:/bin";

/** As on macOS where a profile encloses programs. */
const MAC: BoxChoice = {
  state: () => Promise.resolve({ works: true, bwrap: null }),
  isUsed: () => Promise.resolve(true),
};

function launcher(
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
  const launch = await launcher(root, flags).prepare({ argv: ["sh", "-c", script], apart: true }, {
    terminal: false,
  });
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
  const launch = await launcher(ws.path).prepare({
    argv: ["sh", "-c", "mkdir -p .git/hooks; echo k > .env; echo h > .git/hooks/pre-commit"],
    apart: true,
  }, { terminal: false });
  assertEquals((await start(launch)).code, 0);
  assertEquals([await launch.inspect(), launch.after], [[], null]);
  assertEquals(await sh(ws.path, "cat .env .git/hooks/pre-commit"), "k\nh\n");
});

boxTest("a program that runs apart is found on the system's path, and denied ones are not", async () => {
  using ws = workspace();
  const prepare = (argv: string[], flags: GrantFlags = {}) =>
    launcher(ws.path, flags).prepare({ argv, apart: true }, { terminal: false });
  assertEquals((await assertRejects(() => prepare(["no-such-program"]), ToolError)).code, "not_found");
  assertEquals(
    (await assertRejects(() => prepare(["sh"], { deny: { run: ["sh"] } }), ToolError)).code,
    "permission_denied",
  );
  await assertRejects(
    () => launcher(ws.path).prepare({ argv: ["sh"], cwd: "x", apart: true }, { terminal: false }),
    Error,
  );
});

Deno.test("without a sandbox nothing runs apart", async () => {
  using ws = workspace();
  const made = launcher(ws.path, { mode: "off", allowAll: true });
  const error = await assertRejects(
    () => made.prepare({ argv: ["sh"], apart: true }, { terminal: false }),
    ToolError,
  );
  assertEquals(error.code, "unavailable");
});

Deno.test("under a profile of macOS no program runs apart: it shows no folder by another name", async () => {
  using ws = workspace();
  const prepare = () =>
    launcher(ws.path, { box: MAC }).prepare({ argv: ["true"], apart: true }, { terminal: false });
  const { code, message } = await assertRejects(prepare, ToolError);
  assertEquals(code, "unavailable");
  assertStringIncludes(message, "there is none (that of macOS shows no folder by another name)");
});
