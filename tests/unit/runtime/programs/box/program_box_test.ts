import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";

import { type MaskOptions, masksOf } from "../../../../../runtime/programs/box/box_masks.ts";
import { firstProcess } from "../../../../../runtime/programs/box/first_process.ts";
import { type BoxPlan, programBox } from "../../../../../runtime/programs/box/program_box.ts";
import {
  boxPath,
  programFiles,
  type ProgramView,
  viewOf,
} from "../../../../../runtime/programs/box/program_view.ts";
import type { Finding } from "../../../../../runtime/programs/protected/scan_folder.ts";
import type { DiskView } from "../../../../../runtime/walls/box/disk_view.ts";
import { isInside } from "../../../../../runtime/walls/grants/inside.ts";
import { type GrantFlags, makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { FileGrants } from "../../../../../schemas/grants.ts";
import { boxTest } from "../../../../support/box.ts";
import { launchScene, start } from "../../../../support/launch_scene.ts";
import { workspace } from "../../../../support/run_tool.ts";
import { fileGrants } from "../../../../support/walls/file_grants.ts";

Deno.test("firstProcess() looks for mounts as the kernel spells them", () => {
  const words = firstProcess({ bounds: ["nice"], mounted: ["/a b\t\n\\c"], shell: "/bin/sh", setpriv: null });
  assertEquals([words[0], ...words.slice(-2)], ["nice", "1", "/a\\040b\\011\\012\\134c"]);
});

boxTest("a boxed program sees the system, its workspace and an empty home, and nothing else", async () => {
  using scene = launchScene({ "ws/a.txt": "mine", "other/b.txt": "not mine", "home/c.txt": "not mine" });
  const { stdout } = await scene.sh("cat a.txt; echo; ls / $HOME; ls -d ..; ls ..");
  const names = stdout.split("\n").filter((line) => line !== "");
  assertEquals(names[0], "mine");
  for (const own of ["/tmp/home:", "usr", "proc", "dev"]) assert(names.includes(own), `${own} in ${stdout}`);
  for (const foreign of ["home", "root", "run", "var", "sys", "other", "b.txt", "c.txt"]) {
    assertEquals(names.includes(foreign), false, foreign);
  }
});

boxTest("under a read-only policy a boxed program does not write the workspace", async () => {
  for (const policy of ["read-only", "read-only-no-net"] as const) {
    using scene = launchScene({ "ws/a.txt": "old" }, {
      flags: { policy, allow: { write: ["ws"], run: true } },
    });
    const launch = await scene.prepare({
      argv: ["sh", "-c", "cat a.txt; echo new > a.txt; rm a.txt; touch b"],
    });
    const { stdout } = await start(launch);
    assertEquals([stdout, scene.read("ws/a.txt"), scene.exists("ws/b")], ["old", "old", false], policy);
    assertEquals(launch.writes, []);
  }
});

boxTest("secrets are hidden at any depth, in any case, and behind links named like them", async () => {
  using scene = launchScene({
    "ws/.env": "TOPSECRET",
    "ws/.env.example": "harmless",
    "ws/a/b/.ENV.local": "TOPSECRET",
    "ws/a/server.key": "TOPSECRET",
    "ws/.ssh/id_rsa": "TOPSECRET",
    "ws/dots/ssh/id": "TOPSECRET",
    "ws/dots/settings": "TOPSECRET",
    "ws/open.txt": "harmless",
    ...{ "ws/.aws": "-> dots/ssh", "ws/a/.npmrc": "-> ../dots/settings" },
  });
  const { stdout } = await scene.sh(
    "grep -rs . . ; cat .env a/b/.ENV.local dots/ssh/id dots/settings .aws/id; ls -A .ssh",
  );
  assertEquals(stdout.includes("TOPSECRET"), false, stdout);
  assertEquals(stdout.includes("id_rsa"), false, stdout);
  assertStringIncludes(stdout, "./open.txt:harmless");
  assertStringIncludes(stdout, "./.env.example:harmless");
});

boxTest("a granted home shows no secret but the one that --allow-secrets names", async () => {
  const files = {
    "home/.ssh/id_rsa": "KEY",
    "home/.ssh/config": "CONFIG",
    "home/.config/gh/hosts": "TOKEN",
    "home/n": "N",
  };
  const flags = { allow: { read: ["home"] }, allowSecrets: ["home/.ssh/config"] };
  using scene = launchScene(files, { flags });
  const home = scene.at("home");
  const { stdout } = await scene.sh(`cd ${home}; cat n .ssh/config .ssh/id_rsa .config/gh/hosts; ls .ssh`);
  assertEquals(stdout, "NCONFIGconfig\n");
});

boxTest("denied paths are neither seen nor written, nor what is granted by name inside", async () => {
  const files = { "ws/private/a": "A", "ws/fixed/b": "B", "ws/c": "C" };
  const flags = { deny: { read: ["ws/private"], write: ["ws/fixed"] } };
  using scene = launchScene(files, { flags });
  const { stdout } = await scene.sh(
    "cat private/a fixed/b c; echo x > fixed/b; echo x > private/a; mv fixed f; mv private p",
  );
  assertEquals(stdout, "BC");
  assertEquals([scene.read("ws/fixed/b"), scene.read("ws/private/a")], ["B", "A"]);
});

boxTest("--allow-write opens the protected file that it names, and no other", async () => {
  const files = { "ws/.vscode/tasks.json": "old", "ws/.vscode/launch.json": "old" };
  using scene = launchScene(files, { flags: { allow: { write: ["ws", "ws/.vscode/tasks.json"] } } });
  await scene.sh("echo new > .vscode/tasks.json; echo new > .vscode/launch.json");
  assertEquals([scene.read("ws/.vscode/tasks.json"), scene.read("ws/.vscode/launch.json")], ["new\n", "old"]);
});

boxTest("the network is cut off with loopback, and --share-net gives both", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serve = (async () => {
    for await (const connection of listener) connection.close();
  })();
  const { port } = listener.addr as Deno.NetAddr;
  const script = `import socket; socket.create_connection(('127.0.0.1', ${port}), 2); print('reached')`;
  for (const [shareNet, expected] of [[false, ""], [true, "reached\n"]] as const) {
    using scene = launchScene({}, { flags: { shareNet } });
    const { stdout } = await start(await scene.prepare({ argv: ["/usr/bin/python3", "-c", script] }));
    assertEquals(stdout, expected);
    const { code } = await scene.sh("test -e /etc/resolv.conf");
    assertEquals(code, shareNet ? 0 : 1);
  }
  listener.close();
  await serve;
});

boxTest("a denied program is not there for scripts either", async () => {
  using scene = launchScene({}, { flags: { deny: { run: ["python3"] } } });
  const { stdout } = await scene.sh(
    "python3 -c 'print(1)'; /usr/bin/python3 -c 'print(1)'; $(readlink -f /usr/bin/python3) -c 'print(1)'; echo end",
  );
  assertEquals(stdout, "end\n");
});

boxTest("everything granted leaves out /run, the shared /tmp, and secrets of system and home", async () => {
  const files = {
    "home/.ssh/id_rsa": "KEY",
    "home/.config/gh/hosts": "TOKEN",
    "home/.bashrc": "old",
    "home/n": "N",
  };
  using scene = launchScene({ ...files, "ws/a": "A" }, { flags: { allowAll: true }, dir: "/var/tmp" });
  const { stdout } = await scene.sh(`
      cat a /etc/shadow; test -e /etc/fstab && echo etc; ls -A /run /sys /tmp
      cd ${scene.at("home")}; cat n .ssh/id_rsa .config/gh/hosts; echo evil > .bashrc; echo new > n`);
  assertEquals(stdout, "Aetc\n/run:\n\n/tmp:\nhome\nN");
  assertEquals([scene.read("home/.bashrc"), scene.read("home/n")], ["old", "new\n"]);
});

boxTest("--sandbox-show shows a folder, first on PATH, read-only and without its secrets", async () => {
  const files = { "tools/bin/hello": "#!/bin/sh\necho hello", "tools/.env": "SECRET", "tools/data": "D" };
  using scene = launchScene(files, { flags: { sandboxShow: ["tools"] } });
  const { stdout } = await scene.sh(
    `hello; cat ${scene.at("tools")}/data ${scene.at("tools")}/.env; echo x > ${scene.at("tools")}/data`,
  );
  assertEquals(stdout, "hello\nD");
  assertEquals(scene.read("tools/data"), "D");
});

const FOLDERS = ["/usr", "/ws", "/ws/sub", "/ws/.ssh", "/ws/hooks", "/opt/x", "/home/me/.aws"];
const FILES = ["/ws/.env", "/ws/.ssh/id", "/ws/config"];
const disk: DiskView = {
  lstat: (path) =>
    [...FOLDERS, ...FILES].includes(path) ? { isDirectory: FOLDERS.includes(path), isSymlink: false } : null,
  readLink: () => "",
  list: () => [],
};
const grantsOf = (flags: GrantFlags = {}) =>
  makeGrants(flags, { workspace: "/ws", cwd: "/ws", realPath: (path) => path });
const viewFor = (flags: GrantFlags = {}) =>
  viewOf(programFiles(grantsOf(flags), "/home/me"), { cwd: "/ws", folders: ["/opt/x"], disk });

const NO_MASKS = { hidden: [], opened: [], frozen: [], replaced: [], thawed: [], pinned: [], oddFolders: [] };
function words(more: Partial<BoxPlan> = {}): readonly string[] {
  return box(more).argv;
}

function box(more: Partial<BoxPlan> = {}) {
  return programBox({
    ...{
      bwrap: "/bwrap",
      words: ["true"],
      cwd: "/ws",
      terminal: false,
      network: "none",
      tmpMb: 1.5,
      env: { A: "1" },
    },
    ...{ hasGitSettings: false, view: viewFor(), masks: NO_MASKS, disk },
    ...{ first: { bounds: ["/prlimit", "--"], shell: "/bin/sh", setpriv: "/setpriv" } },
    ...more,
  });
}

/** Where a part of the words begins; -1 if it is not there. */
const place = (all: readonly string[], ...part: string[]) =>
  all.findIndex((_, at) => part.every((word, n) => all[at + n] === word));

Deno.test("programBox() closes what is masked behind all that is shown, and the root last", () => {
  const masks = {
    ...{
      hidden: ["/ws/.env", "/ws/.ssh"],
      opened: ["/ws/.ssh/id"],
      frozen: ["/ws/hooks"],
      thawed: ["/ws/hooks/a"],
    },
    ...{ replaced: [{ path: "/ws/config", copy: "/copy" }], pinned: ["/ws/sub"], oddFolders: [] },
  };
  const all = words({ masks: masks as BoxPlan["masks"] });
  const order = [
    place(all, "--bind", "/ws", "/ws"),
    place(all, "--bind", "/ws/sub", "/ws/sub"),
    place(all, "--ro-bind", "/ws/hooks", "/ws/hooks"),
    place(all, "--ro-bind", "/copy", "/ws/config"),
    place(all, "--bind", "/ws/hooks/a", "/ws/hooks/a"),
    place(all, "--ro-bind", "/dev/null", "/ws/.env"),
    place(all, "--tmpfs", "/ws/.ssh"),
    place(all, "--bind", "/ws/.ssh/id", "/ws/.ssh/id"),
    place(all, "--remount-ro", "/ws/.ssh"),
    place(all, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/ws"),
    place(all, "--unsetenv", "_"),
    place(all, "--", "/prlimit"),
  ];
  assertEquals([order.indexOf(-1), order.toSorted((a, b) => a - b)], [-1, order]);
  const readOnly = words({ masks: masks as BoxPlan["masks"], view: viewFor({ policy: "read-only" }) });
  assert(place(readOnly, "--ro-bind", "/ws/.ssh/id", "/ws/.ssh/id") > 0);
  assertEquals(place(readOnly, "--bind", "/ws", "/ws"), -1);
});

Deno.test("programBox() has its own /tmp of a bounded size, no network, and takes every power away", () => {
  const all = words();
  assert(
    place(all, "--size", "1572864", "--tmpfs", "/tmp") > 0 &&
      place(all, "--size", "1572864", "--tmpfs", "/dev/shm") > 0,
  );
  for (
    const word of ["--unshare-all", "--disable-userns", "--die-with-parent", "--new-session"]
  ) {
    assert(all.includes(word), word);
  }
  assertEquals(all.includes("--share-net"), false);
  assertEquals(words({ network: "machine" }).includes("--share-net"), true);
  assertEquals(all.slice(place(all, "/setpriv")), [
    ...["/setpriv", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all", "--", "true"],
  ]);
  assertEquals(all.join(" ").includes("/home/me"), false);
});

Deno.test("programBox() hands on values in its environment, and tells those alone that would change its starters", () => {
  const env = {
    TOKEN: "1",
    http_proxy: "2",
    LD_PRELOAD: "3",
    BASH_ENV: "4",
    LC_ALL: "5",
    "a.b": "6",
    GLOBIGNORE: "7",
  };
  const made = box({ env });
  assertEquals(made.env, { TOKEN: "1", http_proxy: "2" });
  const told = made.argv.flatMap((word, at) => word === "--setenv" ? [made.argv[at + 1]!] : []);
  assertEquals(told, ["LD_PRELOAD", "BASH_ENV", "LC_ALL", "a.b", "GLOBIGNORE"]);
  assert(!made.argv.includes("--clearenv") && place(made.argv, "--unsetenv", "BULKHEAD_PROGRAM") > 0);
});

Deno.test("programBox() refuses more words than bubblewrap takes", () => {
  const many = (count: number) => words({ words: Array.from({ length: count }, () => "x") });
  const fits = 8_990 - words({ words: [] }).length;
  assertEquals(many(fits).length, 8_990);
  const { code } = assertThrows(() => many(fits + 1), ToolError, "give the program fewer arguments");
  assertEquals(code, "limit_exceeded");
});

Deno.test("viewOf() shows what is granted, no secret folder, and nothing to write under other policies", () => {
  const shown = (flags: GrantFlags = {}) => {
    const { shown, writable } = viewFor(flags);
    return [shown, writable];
  };
  assertEquals(shown(), [["/ws", "/opt/x"], ["/ws"]]);
  const write = ["/ws", "/home/me/.aws"];
  assertEquals(shown({ policy: "read-only", allow: { write } }), [["/ws", "/opt/x"], []]);
  assertEquals(shown({ deny: { write: true } }), [["/ws", "/opt/x"], []]);
  assertEquals(shown({ deny: { read: true }, policy: "read-only" }), [[], []]);
  assertEquals(shown({ deny: { read: ["/opt"] } }), [["/ws"], ["/ws"]]);
  assertEquals(shown({ allow: { write } }), [["/ws", "/opt/x"], ["/ws"]]);
  assertEquals(shown({ allow: { write }, allowSecrets: ["/home/me/.aws"] })[1], write);
});

Deno.test("boxPath() has no folder that depends on where a program stands", () => {
  const real = Deno.realPathSync("/usr/bin");
  const view = { ...viewFor(), shows: (path: string) => path === real };
  const parts = boxPath(view, { hostPath: `.:usr/bin::${real}:/nowhere`, folders: [] }).split(":");
  assertEquals(parts[0], real);
  assertEquals(parts.every((part) => part.startsWith("/")), true);
  assertEquals(parts.includes("/nowhere"), false);
  // Where bulkhead stands is nothing that somebody named.
  const here = boxPath(view, { hostPath: ".:", folders: [], kept: [Deno.cwd()] });
  assertEquals(here.split(":").includes(Deno.cwd()), false);
});

/** What a box shows of a workspace with some files in it, and what it masks. */
function scene(files: Record<string, string>) {
  const ws = workspace(files);
  const view: ProgramView = {
    ...{
      everything: false,
      shown: [ws.path],
      writable: [ws.path],
      roots: [],
      absent: [],
      links: [],
      home: null,
    },
    shows: (path) => isInside(ws.path, path) || isInside("/etc", path),
  };
  const found = (kind: Finding["kind"], ...names: string[]) =>
    names.map((name): Finding => ({ kind, path: ws.at(name), info: Deno.lstatSync(ws.at(name)) }));
  const masks = (
    findings: readonly Finding[],
    { view: changed = {}, ...more }: Partial<FileGrants & Omit<MaskOptions, "files">> & {
      view?: Partial<ProgramView>;
    } = {},
  ) => {
    const options = { cwd: ws.path, hide: [], network: false, stays: false, ...more };
    return masksOf(findings, { ...view, ...changed }, { ...options, files: fileGrants(ws.path, more) });
  };
  const names = (paths: readonly string[]) => paths.map((path) => path.replace(`${ws.path}/`, ""));
  return { ...ws, found, masks, names };
}

Deno.test("masksOf() hides secrets, what is denied, and what was told to be hidden", () => {
  using at = scene({ ".env": "", "private/x": "", "state/x": "", ".ssh/id_rsa": "", "a.txt": "" });
  const secrets = at.found("secret", ".env", ".ssh");
  const hidden = (more = {}) => at.names(at.masks(secrets, more).hidden);
  assertEquals(hidden(), [".env", ".ssh"]);
  assertEquals(hidden({ denyRead: [at.at("private")], hide: [at.at("state")] }), [
    ".env",
    ".ssh",
    "private",
    "state",
  ]);
  assertEquals(hidden({ denyRead: [at.at("none")] }), [".env", ".ssh"]);
  assertEquals(hidden({ secrets: [at.at(".env"), at.at(".ssh")] }), []);
  const denied = at.masks(secrets, { secrets: [at.at(".ssh/id_rsa")], denyRead: [at.at(".ssh")] });
  assertEquals([at.names(denied.hidden), denied.opened], [[".env", ".ssh"], []]);
  const opened = at.masks(secrets, { secrets: [at.at(".ssh/id_rsa")] });
  assertEquals([at.names(opened.hidden), at.names(opened.opened)], [[".env", ".ssh"], [".ssh/id_rsa"]]);
  const everything = at.masks([], { view: { everything: true } }).hidden;
  assertEquals(everything.includes("/etc/shadow"), true);
});

Deno.test("masksOf() hides sockets, and pipes that may not be written", async () => {
  using at = scene({ "a.txt": "", "sub/b.txt": "" });
  await new Deno.Command("mkfifo", { args: [at.at("pipe")] }).output();
  // What they are is told by the scan, whatever lies there here.
  Deno.writeTextFileSync(at.at("docker.sock"), "");
  const findings = [...at.found("socket", "a.txt", "docker.sock"), ...at.found("fifo", "pipe")];
  const hidden = (more = {}) => at.names(at.masks(findings, more).hidden);
  assertEquals(hidden(), ["a.txt", "docker.sock"]);
  // Whoever speaks with an engine controls the machine.
  assertEquals(hidden({ network: true }), ["docker.sock"]);
  assertEquals(hidden({ view: { writable: [at.at("sub")] } }), ["a.txt", "docker.sock", "pipe"]);
});

Deno.test("masksOf() freezes what others execute and what is denied, and keeps it in its place", () => {
  using at = scene({ "p/.vscode/tasks.json": "", "deny/x/y": "", "a.txt": "", "named/.vscode/a": "" });
  const findings = [...at.found("protected", "p/.vscode", "named/.vscode"), ...at.found("denied", "deny/x")];
  const { frozen, thawed, pinned } = at.masks(findings, {
    denyWrite: [at.at("deny/x")],
    writeNamed: [at.at("named/.vscode/a")],
  });
  assertEquals(at.names(frozen), ["deny/x", "named/.vscode", "p/.vscode"]);
  assertEquals([at.names(thawed), at.names(pinned)], [["named/.vscode/a"], ["deny"]]);
  const stays = at.masks(findings, { denyWrite: [at.at("deny/x")], stays: true });
  assertEquals(at.names(stays.pinned), ["deny", "named", "p"]);
  assertEquals(at.masks(findings, { view: { writable: [] } }).frozen, []);
  // Also what the scan did not reach.
  assertEquals(at.names(at.masks([], { denyWrite: [at.at("a.txt"), at.at("none")] }).frozen), ["a.txt"]);
  const hidden = at.masks([...at.found("secret", "deny"), ...findings], { denyWrite: [at.at("deny/x")] });
  assertEquals([at.names(hidden.hidden), at.names(hidden.frozen)], [["deny"], [
    "named/.vscode",
    "p/.vscode",
  ]]);
});

Deno.test("masksOf() masks what a link with a secret's name leads to, but not what the program works on", () => {
  using at = scene({ "kept/settings": "", "work/a": "" });
  Deno.symlinkSync("kept/settings", at.at(".npmrc"));
  Deno.symlinkSync("work", at.at(".env.d"));
  const links = at.found("secret", ".npmrc", ".env.d");
  const { hidden, pinned } = at.masks(links);
  assertEquals([at.names(hidden), at.names(pinned)], [["kept/settings", "work"], ["kept"]]);
  assertEquals(at.names(at.masks(links, { cwd: at.at("work") }).hidden), ["kept/settings"]);
});

Deno.test("masksOf() refuses more masks than a box takes, and leaves none out", () => {
  using at = scene({ ".env": "" });
  const [one] = at.found("secret", ".env");
  const many = (count: number, folder = "") =>
    Array.from(
      { length: count },
      (_, n) => ({ ...one!, path: at.at(`${folder ? `${folder}${n}/` : ""}.env${n}`) }),
    );
  assertEquals(at.masks(many(1_000)).hidden.length, 1_000);
  const { code } = assertThrows(() => at.masks(many(1_001)), ToolError, "1001 secrets and protected files");
  assertEquals(code, "limit_exceeded");
  assertEquals(at.masks(many(300, "d")).pinned.length, 300);
  assertThrows(() => at.masks(many(301, "d")), ToolError, "301 folders");
});
