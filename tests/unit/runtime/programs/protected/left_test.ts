import { assertEquals, assertStringIncludes } from "@std/assert";

import { isHarmless, newRepository } from "../../../../../runtime/programs/protected/git_files.ts";
import { makeInspector } from "../../../../../runtime/programs/protected/inspector.ts";
import type { Finding } from "../../../../../runtime/programs/protected/scan_folder.ts";
import { baselineOf, setAside } from "../../../../../runtime/programs/protected/set_aside.ts";
import { workspace } from "../../../../support/run_tool.ts";
import { fileGrants } from "../../../../support/walls/file_grants.ts";

const NOTHING = { reasons: {}, folders: [], tops: [] } as never;

/** A workspace, what a scan finds of it, and where files are put aside. */
function scene(files: Record<string, string>) {
  const ws = workspace({
    "ws/.keep": "",
    ...Object.fromEntries(Object.entries(files).map(([at, text]) => [`ws/${at}`, text])),
  });
  const [root, aside] = [ws.at("ws"), `${ws.path}/aside`];
  const found = (kind: Finding["kind"], ...names: string[]) =>
    names.map((name): Finding => ({
      kind,
      path: `${root}/${name}`,
      info: Deno.lstatSync(`${root}/${name}`),
    }));
  const asideFolder = async () => {
    await Deno.mkdir(aside, { recursive: true });
    return aside;
  };
  const options = { files: fileGrants(root), writable: [root], asideFolder };
  const write = (name: string, text: string) => Deno.writeTextFileSync(`${root}/${name}`, text);
  return {
    root,
    found,
    options,
    write,
    baseline,
    [Symbol.dispose]: () => ws[Symbol.dispose](),
  };

  function baseline(findings: readonly Finding[], masks?: Parameters<typeof baselineOf>[1]) {
    return baselineOf(
      { findings: [...findings], executed: { ...NOTHING as object, folders: [] } as never },
      masks,
      [root],
    );
  }
}

Deno.test("isHarmless() knows what git makes itself, and takes nothing else for it", () => {
  using at = scene({
    ".git/config": "[core]\n\tbare = false\n",
    ".git/worktrees/a/commondir": "../..\n",
    ".git/worktrees/b/commondir": "../../../evil\n",
    ".git/worktrees/a/gitdir": "WS/tree/.git\n",
    ".git/hooks/a.sample": "",
    ".git/hooks/a.sample.sh": "",
    "other/config": "[core]\n\tbare = false\n",
  });
  at.write(".git/worktrees/a/gitdir", `${at.root}/tree/.git\n`);
  const isPlain = (name: string) => isHarmless(at.found("protected", name)[0]!, [at.root]);
  const plain = [
    ".git/config",
    ".git/worktrees/a/commondir",
    ".git/worktrees/a/gitdir",
    ".git/hooks/a.sample",
  ];
  assertEquals(plain.map(isPlain), [true, true, true, true]);
  assertEquals([".git/worktrees/b/commondir", ".git/hooks/a.sample.sh", "other/config"].map(isPlain), [
    false,
    false,
    false,
  ]);
  at.write(".git/worktrees/a/gitdir", "/elsewhere/.git\n");
  // Whoever reads a part of it does not know the rest.
  at.write(".git/config", `[core]\n\tbare = false\n${"#".repeat(64 * 1024)}\n`);
  assertEquals([".git/worktrees/a/gitdir", ".git/config"].map(isPlain), [false, false]);
});

Deno.test("newRepository() takes the head off a folder that git would obey, and leaves a plain one", () => {
  const parts = { "plain/HEAD": "ref", "plain/objects/a": "", "plain/refs/a": "" };
  const evil = Object.fromEntries(
    Object.entries(parts).map(([at, text]) => [at.replace("plain", "evil"), text]),
  );
  using at = scene({
    ...{ ...parts, ...evil, "plain/config": "[core]\n\tbare = true\n" },
    "evil/config": "[core]\n\tfsmonitor = x\n",
  });
  const heads = (name: string, known = new Set<string>()) =>
    newRepository(at.found("repository", name)[0]!, { known, roots: [at.root] }).map(({ path }) =>
      path.slice(at.root.length)
    );
  assertEquals([heads("plain"), heads("evil")], [[], ["/evil/HEAD"]]);
  const { dev, ino } = Deno.lstatSync(`${at.root}/evil`);
  assertEquals(heads("evil", new Set([`${dev}:${ino}`])), []);
  Deno.removeSync(`${at.root}/plain/HEAD`);
  Deno.symlinkSync("/etc/hostname", `${at.root}/plain/HEAD`);
  assertEquals(heads("plain"), ["/plain/HEAD"]);
});

Deno.test("setAside() moves what was made or changed since, also by a second name or by another end of a link", async () => {
  using at = scene({ ".envrc": "mine", ".vscode/tasks.json": "mine", "a": "", "b": "" });
  Deno.symlinkSync("a", `${at.root}/.mcp.json`);
  const look = () => at.found("protected", ".envrc", ".vscode", ".mcp.json");
  const before = at.baseline(look());
  assertEquals(await setAside(look(), before, at.options), []);
  at.write(".vscode/tasks.json", "changed");
  Deno.removeSync(`${at.root}/.mcp.json`);
  Deno.symlinkSync("b", `${at.root}/.mcp.json`);
  const lines = await setAside(look(), before, at.options);
  assertEquals(lines.map((line) => /Moved "(.*?)" to/.exec(line)?.[1]?.slice(at.root.length + 1)), [
    ".vscode/tasks.json",
    ".mcp.json",
  ]);
  // What the box kept from being changed may have a second name elsewhere.
  Deno.linkSync(`${at.root}/.envrc`, `${at.root}/c`);
  const frozen = at.baseline(at.found("protected", ".envrc"), {
    frozen: [`${at.root}/.envrc`],
    hidden: [],
    pinned: [],
  });
  assertEquals(await setAside(at.found("protected", ".envrc"), frozen, at.options), []);
  at.write("c", "changed by it");
  assertEquals((await setAside(at.found("protected", ".envrc"), frozen, at.options)).length, 1);
});

Deno.test("setAside() takes the bits away by which others become a file's owner", async () => {
  using at = scene({ tool: "" });
  Deno.chmodSync(`${at.root}/tool`, 0o4755);
  const [line = ""] = await setAside(at.found("set-id", "tool"), at.baseline([]), at.options);
  assertStringIncludes(line, `${at.root}/tool`);
  assertEquals(Deno.statSync(`${at.root}/tool`).mode! & 0o7777, 0o755);
});

Deno.test("makeInspector() waits for a second look while a program runs, and not where another one begins", async () => {
  for (const [running, looks] of [["everywhere", 1], ["at once", 0]] as const) {
    using at = scene({ ".envrc": "made" });
    const look = () => Promise.resolve(at.found("protected", ".envrc"));
    const inspect = makeInspector({ ...at.options, baseline: at.baseline([]), look });
    for (let n = 0; n < looks; n++) assertEquals(await inspect({ running }), [], running);
    assertEquals((await inspect({ running })).length, 1, running);
  }
});
