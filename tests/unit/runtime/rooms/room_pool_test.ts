import { assertEquals, assertRejects } from "@std/assert";

import type { OpenLink } from "../../../../runtime/rooms/room.ts";
import { RoomPool } from "../../../../runtime/rooms/room_pool.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { folderProfile } from "../../../support/probe_rooms.ts";

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
