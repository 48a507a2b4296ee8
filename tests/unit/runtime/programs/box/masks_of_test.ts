import { assertEquals, assertThrows } from "@std/assert";

import { type MaskOptions, masksOf } from "../../../../../runtime/programs/box/box_masks.ts";
import type { ProgramView } from "../../../../../runtime/programs/box/program_view.ts";
import type { Finding } from "../../../../../runtime/programs/protected/scan_folder.ts";
import { isInside } from "../../../../../runtime/walls/grants/inside.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { FileGrants } from "../../../../../schemas/grants.ts";
import { workspace } from "../../../../support/run_tool.ts";

/** What a box shows of a workspace with some files in it, and what it masks. */
function scene(files: Record<string, string>) {
  const ws = workspace(files);
  const grants: FileGrants = {
    ...{ workspace: ws.path, home: "", read: [ws.path], write: [ws.path], denyRead: [], denyWrite: [] },
    ...{ secrets: [], writeNamed: [], aliases: [] },
  };
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
    const options = {
      cwd: ws.path,
      hide: [],
      network: false,
      stays: false,
      ...more,
      files: { ...grants, ...more },
    };
    return masksOf(findings, { ...view, ...changed }, options);
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
