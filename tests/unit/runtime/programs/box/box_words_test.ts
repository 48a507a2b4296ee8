import { assert, assertEquals, assertThrows } from "@std/assert";

import { type BoxPlan, programBox } from "../../../../../runtime/programs/box/program_box.ts";
import { boxPath, programFiles, viewOf } from "../../../../../runtime/programs/box/program_view.ts";
import type { DiskView } from "../../../../../runtime/walls/box/disk_view.ts";
import { type GrantFlags, makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import { ToolError } from "../../../../../schemas/error.ts";

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
function words(more: Partial<BoxPlan> = {}): string[] {
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
    place(all, "--setenv", "A", "1"),
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
    const word of ["--unshare-all", "--disable-userns", "--die-with-parent", "--new-session", "--clearenv"]
  ) {
    assert(all.includes(word), word);
  }
  assertEquals([all.includes("--share-net"), words({ network: "machine" }).includes("--share-net")], [
    false,
    true,
  ]);
  assertEquals(all.slice(place(all, "/setpriv")), [
    ...["/setpriv", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all", "--", "true"],
  ]);
  assertEquals(all.join(" ").includes("/home/me"), false);
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
  assertEquals([parts[0], parts.every((part) => part.startsWith("/")), parts.includes("/nowhere")], [
    real,
    true,
    false,
  ]);
  // Where bulkhead stands is nothing that somebody named.
  const here = boxPath(view, { hostPath: ".:", folders: [], kept: [Deno.cwd()] });
  assertEquals(here.split(":").includes(Deno.cwd()), false);
});
