import { assert, assertEquals, assertRejects } from "@std/assert";
import * as z from "zod";

import { toSchema } from "../../../../runtime/rooms/inside/to_schema.ts";
import { makePlaces } from "../../../../runtime/rooms/places.ts";
import { profileKey, readerProfile, type RoomProfile } from "../../../../runtime/rooms/profile.ts";
import { boxedCommand, seatbeltCommand, unboxedCommand } from "../../../../runtime/rooms/room_command.ts";
import { RoomPool } from "../../../../runtime/rooms/room_pool.ts";
import { warmCache } from "../../../../runtime/rooms/warm_cache.ts";
import { ToolError } from "../../../../schemas/error.ts";
import manifest from "../../../../tools/manifest.json" with { type: "json" };
import { folderProfile } from "../../../support/probe_rooms.ts";
import { fileGrants } from "../../../support/walls/file_grants.ts";
import { readProfile } from "../../../support/walls/seatbelt_profile.ts";
import type { OpenLink } from "../../../../runtime/rooms/room.ts";
import type { BoxChoice, WallState } from "../../../../runtime/walls/box/choose_box.ts";
import type { DiskView } from "../../../../runtime/walls/box/disk_view.ts";

const PLACES_SELF = { argv: ["/opt/bulkhead", "__room"], env: {}, files: ["/opt/bulkhead"] };

/** Where a room of its own process runs. */
async function placeWith(state: WallState, isUsed: boolean, rooms?: boolean): Promise<string> {
  const box: BoxChoice = {
    state: () => Promise.resolve(state),
    isUsed: () => Promise.resolve(isUsed),
    ...rooms !== undefined && { roomsUseProfile: () => Promise.resolve(rooms) },
  };
  const profile = { ...readerProfile({ threads: 0 }), killable: true };
  return await makePlaces(PLACES_SELF, { box, find: () => null }).placeOf(profile);
}

Deno.test("a room is in the sandbox in a box, and on macOS if the profile of rooms works", async () => {
  const box: WallState = { works: true, bwrap: "/usr/bin/bwrap" };
  const mac: WallState = { works: true, bwrap: null };
  const none: WallState = { works: false, reason: "none", advice: "" };
  assertEquals(await placeWith(box, true), "sandbox");
  assertEquals(await placeWith(box, false), "process");
  assertEquals(await placeWith(none, false), "process");
  assertEquals(await placeWith(none, false, true), "sandbox");
  assertEquals(await placeWith(mac, true, true), "sandbox");
  // The profile of programs says nothing of rooms.
  assertEquals(await placeWith(mac, true, false), "process");
});

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
  files: fileGrants("/ws", { denyWrite: ["/ws/.git/hooks"], own: ["/state"] }),
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

Deno.test("warmCache() says how to fill the cache by hand if it cannot", async () => {
  await warmCache(["true"], {});
  const argv = ["sh", "-c", "echo no registry >&2; exit 1"];
  const error = await assertRejects(() => warmCache(argv, { DENO_DIR: "/there", NO_COLOR: "1" }), ToolError);
  assertEquals(error.code, "unavailable");
  assert(error.message.includes("(no registry)"), error.message);
  assert(error.message.endsWith(`DENO_DIR=/there ${argv.join(" ")}`), error.message);
});

/** Rooms that end at once until the cache is warm. */
function scene(options: { heals: boolean }) {
  let opened = 0;
  let warmed = 0;
  const openLink: OpenLink = (_profile, _token, onMessage) => {
    opened++;
    const works = options.heals && warmed > 0;
    if (works) queueMicrotask(() => onMessage({ t: "ready" }));
    const closed = works
      ? new Promise<never>(() => {})
      : Promise.resolve({ outOfMemory: false, detail: "no library" });
    return Promise.resolve({ link: { send() {}, kill() {}, closed }, place: "process" });
  };
  const warm = () => {
    warmed++;
    return Promise.resolve();
  };
  return { pool: new RoomPool({ openLink, maxIdle: 1, warm }), told: () => [opened, warmed] };
}

Deno.test("RoomPool warms the cache once if a room does not open, and opens it again", async () => {
  const { pool, told } = scene({ heals: true });
  const profile = folderProfile("/");
  const rooms = await Promise.all([pool.acquire(profile), pool.acquire(profile)]);
  assertEquals([rooms.every(({ alive }) => alive), told()], [true, [4, 1]]);
  await pool.acquire(profile);
  assertEquals(told(), [5, 1]);
});

Deno.test("RoomPool tells why a room does not open with a warm cache either", async () => {
  const { pool, told } = scene({ heals: false });
  for (let n = 0; n < 2; n++) {
    await assertRejects(() => pool.acquire(folderProfile("/")), ToolError, "no library");
  }
  assertEquals(told(), [3, 1]);
});

Deno.test("acquire() gives time to others while a room opens, and at once if one waits", async () => {
  let told = 0;
  let sayReady = () => {};
  const openLink: OpenLink = (_profile, _token, onMessage) => {
    sayReady = () => onMessage({ t: "ready" });
    const link = { send() {}, kill() {}, closed: new Promise<never>(() => {}) };
    return Promise.resolve({ link, place: "process" });
  };
  const meanwhile = () => {
    told++;
    sayReady();
  };
  const pool = new RoomPool({ openLink, maxIdle: 1 });
  const room = await pool.acquire(folderProfile("/"), meanwhile);
  assertEquals(told, 1);
  pool.release(room);
  assertEquals([await pool.acquire(folderProfile("/"), meanwhile) === room, told], [true, 2]);
});

Deno.test("toSchema() gives whole numbers only the bounds that a tool names", { permissions: "none" }, () => {
  const type = z.object({
    plain: z.int(),
    count: z.int().meta({ minimum: 1 }).default(3).describe("How many."),
    bounded: z.int().min(0).max(9),
  });
  assertEquals(toSchema(type, "input").properties, {
    plain: { type: "integer" },
    count: { type: "integer", minimum: 1, default: 3, description: "How many." },
    bounded: { type: "integer", minimum: 0, maximum: 9 },
  });
});

Deno.test("the manifest gives every count of the arguments a true minimum", { permissions: "none" }, () => {
  const counts = manifest.tools.flatMap(({ full_name, input_schema: { properties } }) =>
    Object.entries(properties).flatMap(([name, schema]) => {
      const { type, minimum } = schema as { type?: string; minimum?: number };
      return type === "integer" ? [[`${full_name} ${name}`, minimum] as const] : [];
    })
  );
  const missing = counts.filter(([, minimum]) => minimum === undefined).map(([name]) => name).sort();
  // A page scrolls up by less than nothing. What is outside the bounds of the others is moved to the nearest one.
  assertEquals(missing, [
    "manus/browser_use scroll_amount",
    "manus/sandbox_browser amount",
    "par/fetch_url max_length",
    "par/generate_password length",
    "par/read_webpage max_length",
    "par/web_search max_results",
  ]);
  assertEquals(JSON.stringify(manifest).includes("9007199254740991"), false);
});

Deno.test("a room in a box sees nothing of what is bulkhead's own, and takes no more memory than it may", () => {
  const profile = { ...PROFILE, files: { ...PROFILE.files, own: ["/ws/.git", "/ws/a.txt", "/state"] } };
  const { argv } = boxedCommand(profile, SELF, {
    bwrap: "/usr/bin/bwrap",
    prlimit: "/usr/bin/prlimit",
    disk,
  });
  const bounds = ["/usr/bin/prlimit", `--data=${profile.memory.dataBytes}`, "--core=0", "--"];
  assertEquals([argv.slice(0, 4), argv[4]], [bounds, "/usr/bin/bwrap"]);
  const words = argv.join(" ");
  for (const part of ["--tmpfs /ws/.git ", "--remount-ro /ws/.git ", "--ro-bind /dev/null /ws/a.txt "]) {
    assertEquals(words.includes(part), true, part);
  }
  assertEquals(words.includes("/state"), false);
  assertEquals(argv.at(-1), "__room");
  assertEquals(words.includes("--share-net"), false);
  assertEquals(unboxedCommand(profile, SELF, "/usr/bin/prlimit").argv, [...bounds, ...SELF.argv]);
});

Deno.test("profileKey() tells profiles apart in whatever they hold", () => {
  const changes: Partial<RoomProfile>[] = [
    ...[{ read: true }, { write: [] }, { net: { allow: ["a.org"], deny: [], private: [] } }, {
      threads: 1,
    }] as const,
    ...[{ killable: !PROFILE.killable }, { memory: { dataBytes: 1 } }, {
      module: { code: "", hash: "a" },
    }] as const,
    ...[{ gate: { path: "/g", token: "t" } }, { closed: { hidden: ["/x"], frozen: [] } }] as const,
    ...Object.keys(PROFILE.files).map((name) => ({ files: { ...PROFILE.files, [name]: ["/other"] } })),
  ] as Partial<RoomProfile>[];
  const keys = changes.map((change) => profileKey({ ...PROFILE, ...change }));
  assertEquals(new Set([...keys, profileKey(PROFILE)]).size, changes.length + 1);
  const module = (code: string, hash: string) => profileKey({ ...PROFILE, module: { code, hash } });
  assertEquals([module("1", "a") === module("2", "a"), module("1", "a") === module("1", "b")], [true, false]);
});
