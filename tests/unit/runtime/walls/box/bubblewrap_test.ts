import { assert, assertEquals } from "@std/assert";

import { boxedCommand } from "../../../../../runtime/rooms/room_command.ts";
import type { DiskView } from "../../../../../runtime/walls/box/disk_view.ts";
import type { RoomProfile } from "../../../../../runtime/rooms/profile.ts";
import { folderProfile } from "../../../../support/probe_rooms.ts";

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

Deno.test("boxedCommand() binds a readable folder read-only and a writable one writable", {
  permissions: "none",
}, () => {
  const both = folderProfile("/ws");
  const reader = { ...both, write: [] };
  assert(argvOf(reader, ["/ws/"]).includes(" --ro-bind /ws /ws "));
  assert(argvOf(both, ["/ws/"]).includes(" --bind /ws /ws "));
  const part = argvOf({ ...both, write: ["/ws/out"] }, ["/ws/", "/ws/out/"]);
  assert(part.includes(" --ro-bind /ws /ws --bind /ws/out /ws/out "), part);
});

Deno.test(
  "boxedCommand() shows the folder of a granted file that is to be made",
  { permissions: "none" },
  () => {
    const reader = { ...folderProfile("/home/ws"), write: [] };
    const paths = ["/home/", "/home/ws/"];
    const made = argvOf({ ...reader, write: ["/home/new/file.txt"] }, paths);
    assert(made.includes(" --bind /home /home --ro-bind /home/ws /home/ws "), made);
    const atRoot = argvOf({ ...reader, write: ["/file.txt"] }, paths);
    assertEquals(atRoot.includes("--bind / /"), false, atRoot);
  },
);

Deno.test(
  "boxedCommand() shares no network, and shows the socket of the gate",
  { permissions: "none" },
  () => {
    const net = { allow: true as const, deny: [], private: [] };
    const gate = { path: "/tmp/gate/1", token: "word" };
    assertEquals(argvOf(folderProfile("/ws"), ["/ws/"]).includes("--share-net"), false);
    const argv = argvOf({ ...folderProfile("/ws"), net, gate }, ["/ws/"]);
    assertEquals([argv.includes("--share-net"), argv.includes(`--ro-bind ${gate.path} ${gate.path}`)], [
      false,
      true,
    ]);
  },
);

Deno.test(
  "boxedCommand() closes what the programs beside the room must not reach",
  { permissions: "none" },
  () => {
    const closed = {
      hidden: ["/ws/deep/.aws", "/else/.env"],
      frozen: ["/ws/.git/hooks", "/else/.git/hooks"],
    };
    const paths = ["/ws/", "/ws/deep/.aws/", "/else/.env", "/ws/.git/hooks/", "/else/.git/hooks/"];
    const argv = argvOf({ ...folderProfile("/ws"), closed }, paths);
    assert(argv.includes("--ro-bind /ws/.git/hooks /ws/.git/hooks"), argv);
    assert(argv.includes("--tmpfs /ws/deep/.aws"), argv);
    assertEquals(argv.includes("/else"), false, argv);
  },
);

Deno.test(
  "boxedCommand() masks secrets and denied paths, unless they are allowed",
  { permissions: "none" },
  () => {
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
  },
);

Deno.test(
  "boxedCommand() starts the room also where the user denies the folder of the program or of the system",
  { permissions: "none" },
  () => {
    const profile = folderProfile("/ws");
    const deny = (denyRead: string[], paths: string[]) =>
      argvOf({ ...profile, read: true, files: { ...profile.files, denyRead } }, ["/ws/", ...paths]);
    const program = deny(["/opt"], ["/opt/", "/opt/bulkhead"]);
    const order = "--tmpfs /opt --ro-bind /opt/bulkhead /opt/bulkhead --remount-ro /opt ";
    assert(program.includes(order), program);
    const system = deny(["/usr", "/proc", "/dev"], ["/usr/", "/proc/", "/dev/"]);
    for (const folder of ["/usr", "/proc", "/dev"]) {
      assertEquals(system.includes(`--tmpfs ${folder} `), false, system);
    }
    const nested = deny(["/a/b", "/a"], ["/a/", "/a/b/"]);
    assertEquals([nested.includes("--tmpfs /a "), nested.includes("--tmpfs /a/b")], [true, false], nested);
  },
);

Deno.test("boxedCommand() masks secrets beside a granted file that is to be made", {
  permissions: "none",
}, () => {
  const profile = { ...folderProfile("/ws"), write: ["/home/u/new/file.txt"] };
  const argv = argvOf(profile, ["/ws/", "/home/", "/home/u/", "/home/u/.ssh/"]);
  assert(argv.includes("--bind /home/u /home/u") && argv.includes("--tmpfs /home/u/.ssh"), argv);
});

Deno.test("boxedCommand() never binds a home, /run or /var, and clears the environment", {
  permissions: "none",
}, () => {
  const argv = argvOf(folderProfile("/ws"), ["/ws/", "/home/", "/run/", "/var/", "/usr/", "/root/"]);
  for (const folder of ["/home", "/run", "/var", "/root"]) {
    assertEquals(argv.includes(` ${folder} `), false, folder);
  }
  for (
    const flag of ["--clearenv", "--unshare-all", "--disable-userns", "--die-with-parent", "--cap-drop ALL"]
  ) {
    assert(argv.includes(flag), flag);
  }
});
