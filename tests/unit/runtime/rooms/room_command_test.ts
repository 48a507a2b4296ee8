import { assertEquals } from "@std/assert";

import type { RoomProfile } from "../../../../runtime/rooms/profile.ts";
import { readerProfile } from "../../../../runtime/rooms/profile.ts";
import { boxedCommand, seatbeltCommand } from "../../../../runtime/rooms/room_command.ts";
import type { DiskView } from "../../../../runtime/walls/box/disk_view.ts";
import { readProfile } from "../../../support/walls/seatbelt_profile.ts";

const FOLDERS = ["/ws", "/ws/.git", "/ws/.git/hooks", "/ws/.ssh", "/opt", "/state", "/usr"];
const FILES = ["/ws/.env", "/ws/a.txt", "/opt/bulkhead"];

const disk: DiskView = {
  lstat: (path) =>
    FOLDERS.includes(path) || FILES.includes(path)
      ? { isDirectory: FOLDERS.includes(path), isSymlink: false }
      : null,
  readLink: () => "",
  list: (path) =>
    [...FOLDERS, ...FILES].filter((name) => name.slice(0, name.lastIndexOf("/")) === path).map((name) =>
      name.slice(path.length + 1)
    ),
};

const SELF = { argv: ["/opt/bulkhead", "__room"], env: { EXTRA: "1" }, files: ["/opt/bulkhead"] };
const empty = readerProfile({ threads: 0 });
const PROFILE: RoomProfile = {
  ...empty,
  ...{ read: ["/ws"], write: ["/ws"] },
  files: {
    ...empty.files,
    workspace: "/ws",
    read: ["/ws"],
    write: ["/ws"],
    denyWrite: ["/ws/.git/hooks"],
    own: ["/state"],
  },
};

Deno.test("a room under a profile of macOS is closed where a room in a box is", () => {
  const { argv: boxed } = boxedCommand(PROFILE, SELF, { bwrap: "/usr/bin/bwrap", prlimit: null, disk });
  const { argv, env } = seatbeltCommand(PROFILE, SELF, disk);
  assertEquals([argv[0], argv.slice(3)], ["/usr/bin/sandbox-exec", SELF.argv]);
  assertEquals(env, { PATH: "/usr/bin:/bin", HOME: "/tmp", LANG: "C.UTF-8", EXTRA: "1" });
  const { decide, rules } = readProfile(argv[2]!);
  assertEquals(decide("file-write-create", "/ws/b.txt"), "allow");
  assertEquals(decide("file-read-data", "/state/x"), "deny");
  const masked = (word: string) => boxed.flatMap((part, at) => part === word ? [boxed[at + 1]!] : []);
  const hidden = boxed.flatMap((part, at) => part === "/dev/null" ? [boxed[at + 1]!] : []);
  assertEquals(hidden.includes("/ws/.env"), true);
  for (const path of [...hidden, ...masked("--tmpfs").filter((path) => path.startsWith("/ws"))]) {
    assertEquals(decide("file-read-data", path), "deny", path);
  }
  assertEquals(masked("--ro-bind").includes("/ws/.git/hooks"), true);
  assertEquals(decide("file-write-create", "/ws/.git/hooks/x"), "deny");
  assertEquals(
    rules.filter(({ operations }) => operations.includes("network-outbound")),
    [],
    "without a gate no network",
  );
});

Deno.test("a room under a profile of macOS reaches the socket of its gate by its real path", async () => {
  const folder = Deno.realPathSync(await Deno.makeTempDir({ prefix: "bulkhead-seatbelt-" }));
  try {
    Deno.mkdirSync(`${folder}/real`);
    Deno.writeTextFileSync(`${folder}/real/1`, "");
    Deno.symlinkSync("real", `${folder}/tmp`);
    const gate = { path: `${folder}/tmp/1` } as NonNullable<RoomProfile["gate"]>;
    const { argv } = seatbeltCommand({ ...PROFILE, gate }, SELF, disk);
    const { decide } = readProfile(argv[2]!);
    assertEquals(decide("network-outbound", `${folder}/real/1`), "allow");
    assertEquals(decide("network-outbound", `${folder}/real/2`), "deny");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
