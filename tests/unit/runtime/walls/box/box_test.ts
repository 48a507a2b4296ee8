import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";

import { boxedCommand } from "../../../../../runtime/rooms/room_command.ts";
import {
  chooseBox,
  enclosesRooms,
  isWiderMode,
  landlockOf,
  SANDBOX_MODES,
  type SandboxMode,
  usedBubblewrap,
  type WallTrials,
} from "../../../../../runtime/walls/box/choose_box.ts";
import { reserveOf } from "../../../../../runtime/walls/box/free_space.ts";
import { aliasesOf } from "../../../../../runtime/walls/box/mount_aliases.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { folderProfile } from "../../../../support/probe_rooms.ts";
import type { RoomProfile } from "../../../../../runtime/rooms/profile.ts";
import type { DiskView } from "../../../../../runtime/walls/box/disk_view.ts";

Deno.test("reserveOf() keeps what is asked, but no more than half of what is free", () => {
  const free = (bytes: number, entries: number) => ({ bytes, entries });
  assertEquals(reserveOf(free(2 ** 30, 10 ** 6), 100), free(100 * 2 ** 20, 20_000));
  assertEquals(reserveOf(free(2 ** 20, 100), 100), free(2 ** 19, 50));
  assertEquals(reserveOf(free(2 ** 20, Infinity), 0), free(0, 0));
});

const PURE = { permissions: "none" } as const;

/** A made-up file system: folders end with a slash. */
function eyesOf(paths: readonly string[]): DiskView {
  const known = new Map(paths.map((path) => [path.replace(/(.)\/$/, "$1"), path.endsWith("/")]));
  return {
    lstat: (path) => known.has(path) ? { isDirectory: known.get(path)!, isSymlink: false } : null,
    readLink: () => "",
    list: (path) =>
      [...known.keys()].filter((name) => name.startsWith(`${path}/`)).map((name) => name.split("/").at(-1)!),
  };
}

const SELF = { argv: ["/opt/bulkhead", "__room"], env: {}, files: ["/opt/bulkhead"] };

function argvOf(profile: RoomProfile, paths: readonly string[]): string {
  return boxedCommand(profile, SELF, { bwrap: "/usr/bin/bwrap", prlimit: null, disk: eyesOf(paths) }).argv
    .join(" ");
}

Deno.test("boxedCommand() binds a readable folder read-only and a writable one writable", PURE, () => {
  const both = folderProfile("/ws");
  const reader = { ...both, write: [] };
  assert(argvOf(reader, ["/ws/"]).includes(" --ro-bind /ws /ws "));
  assert(argvOf(both, ["/ws/"]).includes(" --bind /ws /ws "));
  const part = argvOf({ ...both, write: ["/ws/out"] }, ["/ws/", "/ws/out/"]);
  assert(part.includes(" --ro-bind /ws /ws --bind /ws/out /ws/out "), part);
});

Deno.test("boxedCommand() shows the folder of a granted file that is to be made", PURE, () => {
  const reader = { ...folderProfile("/home/ws"), write: [] };
  const paths = ["/home/", "/home/ws/"];
  const made = argvOf({ ...reader, write: ["/home/new/file.txt"] }, paths);
  assert(made.includes(" --bind /home /home --ro-bind /home/ws /home/ws "), made);
  const atRoot = argvOf({ ...reader, write: ["/file.txt"] }, paths);
  assertEquals(atRoot.includes("--bind / /"), false, atRoot);
});

Deno.test("boxedCommand() shares no network, and shows the socket of the gate", PURE, () => {
  const net = { allow: true as const, deny: [], private: [] };
  const gate = { path: "/tmp/gate/1", token: "word" };
  assertEquals(argvOf(folderProfile("/ws"), ["/ws/"]).includes("--share-net"), false);
  const argv = argvOf({ ...folderProfile("/ws"), net, gate }, ["/ws/"]);
  assertEquals(argv.includes("--share-net"), false);
  assertEquals(argv.includes(`--ro-bind ${gate.path} ${gate.path}`), true);
});

Deno.test("boxedCommand() closes what the programs beside the room must not reach", PURE, () => {
  const closed = { hidden: ["/ws/deep/.aws", "/else/.env"], frozen: ["/ws/.git/hooks", "/else/.git/hooks"] };
  const paths = ["/ws/", "/ws/deep/.aws/", "/else/.env", "/ws/.git/hooks/", "/else/.git/hooks/"];
  const argv = argvOf({ ...folderProfile("/ws"), closed }, paths);
  assert(argv.includes("--ro-bind /ws/.git/hooks /ws/.git/hooks"), argv);
  assert(argv.includes("--tmpfs /ws/deep/.aws"), argv);
  assertEquals(argv.includes("/else"), false, argv);
});

Deno.test("boxedCommand() masks secrets and denied paths, unless they are allowed", PURE, () => {
  const profile = folderProfile("/ws");
  const paths = ["/ws/", "/ws/.env", "/ws/.ssh/", "/ws/a.txt", "/ws/private/"];
  const masked = argvOf({ ...profile, files: { ...profile.files, denyRead: ["/ws/private"] } }, paths);
  assert(masked.includes("--ro-bind /dev/null /ws/.env"), masked);
  assert(masked.includes("--tmpfs /ws/.ssh"), masked);
  assert(masked.includes("--tmpfs /ws/private"), masked);
  assert(masked.includes("--remount-ro /ws/private"), masked);
  assertEquals(masked.includes("/ws/a.txt"), false);
  const allowed = argvOf({ ...profile, files: { ...profile.files, secrets: ["/ws/.env"] } }, paths);
  assertEquals(allowed.includes("/ws/.env"), false);
});

Deno.test("boxedCommand() starts the room where its program's folder or the system's is denied", PURE, () => {
  const profile = folderProfile("/ws");
  const deny = (denyRead: string[], paths: string[]) =>
    argvOf({ ...profile, read: true, files: { ...profile.files, denyRead } }, ["/ws/", ...paths]);
  const program = deny(["/opt"], ["/opt/", "/opt/bulkhead"]);
  const order = "--tmpfs /opt --ro-bind /opt/bulkhead /opt/bulkhead --remount-ro /opt ";
  assert(program.includes(order), program);
  const system = deny(["/usr", "/proc", "/dev"], ["/usr/", "/proc/", "/dev/"]);
  for (const folder of ["/usr", "/proc", "/dev"]) assert(!system.includes(`--tmpfs ${folder} `), system);
  const nested = deny(["/a/b", "/a"], ["/a/", "/a/b/"]);
  assertEquals([nested.includes("--tmpfs /a "), nested.includes("--tmpfs /a/b")], [true, false], nested);
});

Deno.test("boxedCommand() masks secrets beside a granted file that is to be made", PURE, () => {
  const profile = { ...folderProfile("/ws"), write: ["/home/u/new/file.txt"] };
  const argv = argvOf(profile, ["/ws/", "/home/", "/home/u/", "/home/u/.ssh/"]);
  assert(argv.includes("--bind /home/u /home/u") && argv.includes("--tmpfs /home/u/.ssh"), argv);
});

Deno.test("boxedCommand() never binds a home, /run or /var", PURE, () => {
  const argv = argvOf(folderProfile("/ws"), ["/ws/", "/home/", "/run/", "/var/", "/usr/", "/root/"]);
  for (const folder of ["/home", "/run", "/var", "/root"]) assert(!argv.includes(` ${folder} `), folder);
  const flags = ["--unshare-all", "--disable-userns", "--die-with-parent", "--cap-drop ALL"];
  for (const flag of flags) assert(argv.includes(flag), flag);
});

/** A Mac on which the profiles work, but for what is said; and what was tried on it. */
function mac(mode: SandboxMode, failing: { programs?: string; rooms?: string } = {}) {
  const tried: string[] = [];
  const trial = (name: keyof WallTrials) => () => {
    tried.push(name);
    return Promise.resolve(failing[name as keyof typeof failing] ?? null);
  };
  const trials: WallTrials = {
    programs: trial("programs"),
    rooms: trial("rooms"),
    landlock: () => Promise.reject(new Error("tried")),
  };
  return { tried, box: chooseBox({ mode, searchPath: "", os: "darwin", trials }) };
}

async function refusal(run: () => Promise<unknown>): Promise<string> {
  const { code, message } = await assertRejects(run, ToolError);
  assertEquals(code, "configuration");
  return message;
}

Deno.test("chooseBox() encloses programs of a Mac by a profile, where its trial works, and tries it once", async () => {
  for (const mode of ["auto", "require"] as const) {
    const { box, tried } = mac(mode);
    assertEquals([await box.isUsed(), await box.isUsed()], [true, true], mode);
    assertEquals(await box.state(), { works: true, bwrap: null }, mode);
    assertEquals(await usedBubblewrap(box), null, mode);
    assertEquals(tried, ["programs"], mode);
    assertEquals([await enclosesRooms(box), await enclosesRooms(box)], [true, true], mode);
    assertEquals(tried, ["programs", "rooms"], mode);
  }
});

Deno.test("chooseBox() uses no profile with --sandbox off", async () => {
  const { box, tried } = mac("off");
  assertEquals([await box.isUsed(), await enclosesRooms(box), tried], [false, false, []]);
});

Deno.test("chooseBox() does without a profile that does not work, and says why", async () => {
  const { box } = mac("auto", { programs: "no shell" });
  assertEquals(await box.isUsed(), false);
  assertEquals(await box.state(), { works: false, reason: "no shell", advice: "see: bulkhead doctor" });
  // Each has a trial of its own.
  assertEquals(await enclosesRooms(box), true);
  const rooms = mac("auto", { rooms: "no room" });
  assertEquals([await rooms.box.isUsed(), await enclosesRooms(rooms.box)], [true, false]);
});

Deno.test("chooseBox() throws on a Mac where a sandbox is required, for programs and for rooms, without naming bubblewrap", async () => {
  const why = (reason: string) =>
    `--sandbox require, but the sandbox does not work: ${reason}; see: bulkhead doctor; or do without it: --sandbox auto`;
  const programs = mac("require", { programs: "no shell" }).box;
  assertEquals(await refusal(() => programs.isUsed()), why("no shell"));
  const rooms = mac("require", { rooms: "no room" }).box;
  assertEquals(await rooms.isUsed(), true);
  assertEquals(await refusal(() => enclosesRooms(rooms)), why("no room"));
});

const LAUNCHER = { argv: ["/self"], env: {} };

Deno.test("chooseBox() tries no profile on other systems", async () => {
  const tried = () => Promise.reject(new Error("tried"));
  const trials = { programs: tried, rooms: tried, landlock: () => Promise.resolve("no Landlock") };
  const box = chooseBox({ mode: "auto", searchPath: "/nowhere", os: "linux", launcher: LAUNCHER, trials });
  assertEquals([await box.isUsed(), await box.roomsUseProfile?.()], [false, false]);
  const required = chooseBox({
    mode: "require",
    searchPath: "/nowhere",
    os: "linux",
    launcher: LAUNCHER,
    trials,
  });
  const said = await refusal(() => required.isUsed());
  assertMatch(
    said,
    /: bubblewrap \(bwrap\) is not installed; install it with: .*; or do without it: --sandbox auto$/,
  );
});

Deno.test("chooseBox() takes Landlock where it is named, and nowhere else", async () => {
  const tried = () => Promise.reject(new Error("tried"));
  const make = (mode: SandboxMode, found: string | null) =>
    chooseBox({
      ...{ mode, searchPath: "/nowhere", os: "linux", launcher: LAUNCHER },
      trials: {
        ...{ programs: tried, rooms: tried },
        landlock: () =>
          Promise.resolve(found ?? { launcher: LAUNCHER, holdsPorts: true, holdsSignals: false }),
      },
    });
  const box = make("landlock", null);
  assertEquals([await box.isUsed(), await enclosesRooms(box), await usedBubblewrap(box)], [true, true, null]);
  const found = { launcher: LAUNCHER, holdsPorts: true, holdsSignals: false };
  assertEquals(await landlockOf(box), found);
  for (const mode of ["namespaces", "require"] as const) {
    assertMatch(
      await refusal(() => make(mode, null).isUsed()),
      /, but the sandbox does not work: bubblewrap \(bwrap\) is not installed; install/,
    );
  }
  assertMatch(
    await refusal(() => make("landlock", "no hooks").isUsed()),
    /Landlock does not work: no hooks; it needs/,
  );
  const auto = make("auto", null);
  assertEquals([await auto.isUsed(), await enclosesRooms(auto), await landlockOf(auto)], [
    false,
    false,
    null,
  ]);
  const off = make("off", null);
  assertEquals([await off.isUsed(), await enclosesRooms(off)], [false, false]);
});

Deno.test("isWiderMode() takes no mode for another one that may enclose more", () => {
  const narrower = (than: SandboxMode) => SANDBOX_MODES.filter((mode) => !isWiderMode(mode, than)).sort();
  assertEquals(narrower("off"), [...SANDBOX_MODES].sort());
  assertEquals(narrower("auto"), ["auto", "namespaces", "require"]);
  assertEquals(narrower("landlock"), ["landlock", "namespaces", "require"]);
  assertEquals([narrower("require"), narrower("namespaces")], [["namespaces", "require"], ["namespaces"]]);
});

Deno.test("usedBubblewrap() says which one is used", async () => {
  const box = (isUsed: boolean) => ({
    state: () => Promise.resolve({ works: true, bwrap: "/usr/bin/bwrap" } as const),
    isUsed: () => Promise.resolve(isUsed),
  });
  assertEquals([await usedBubblewrap(box(true)), await usedBubblewrap(box(false))], ["/usr/bin/bwrap", null]);
  assertEquals([await enclosesRooms(box(true)), await enclosesRooms(box(false))], [true, false]);
});

Deno.test("aliasesOf() finds the other mounts of a folder, of what is above it and of what is in it", () => {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    Deno.mkdirSync(`${root}/ws/sub dir`, { recursive: true });
    Deno.mkdirSync(`${root}/m`);
    const line = (device: string, from: string, at: string) =>
      `36 35 ${device} ${from.replaceAll(" ", "\\040")} ${at} rw - ext4 /dev/x rw`;
    const table = [
      line("8:1", "/", "/"),
      line("8:2", `${root}/ws`, `${root}/m`),
      line("8:1", `${root}/ws`, `${root}/elsewhere`),
      line("8:1", `${root}/ws/sub dir`, `${root}/ws/sub\\040dir`),
    ].join("\n");
    // What is not the same folder is not an alias, whatever the table says.
    assertEquals(aliasesOf(`${root}/ws`, table), []);
    // The whole disk a second time; only a link stands for the mount here.
    Deno.symlinkSync("/", `${root}/disk`);
    assertEquals(aliasesOf(`${root}/ws`, `${table}\n${line("8:1", "/", `${root}/disk`)}`), [
      { path: `${root}/disk${root}/ws`, part: "" },
    ]);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});
