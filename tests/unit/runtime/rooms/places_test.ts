import { assertEquals } from "@std/assert";

import { makePlaces } from "../../../../runtime/rooms/places.ts";
import { readerProfile } from "../../../../runtime/rooms/profile.ts";
import type { BoxChoice, WallState } from "../../../../runtime/walls/box/choose_box.ts";

const SELF = { argv: ["/opt/bulkhead", "__room"], env: {}, files: ["/opt/bulkhead"] };

/** Where a room of its own process runs. */
async function placeWith(state: WallState, isUsed: boolean, rooms?: boolean): Promise<string> {
  const box: BoxChoice = {
    state: () => Promise.resolve(state),
    isUsed: () => Promise.resolve(isUsed),
    ...rooms !== undefined && { roomsUseSeatbelt: () => Promise.resolve(rooms) },
  };
  const profile = { ...readerProfile({ threads: 0 }), killable: true };
  return await makePlaces(SELF, { box, find: () => null }).placeOf(profile);
}

Deno.test("a room is in the sandbox in a box, and on macOS if the profile of rooms works", async () => {
  const box: WallState = { works: true, bwrap: "/usr/bin/bwrap" };
  const mac: WallState = { works: true, bwrap: null };
  const none: WallState = { works: false, reason: "none" };
  assertEquals(await placeWith(box, true), "sandbox");
  assertEquals(await placeWith(box, false), "process");
  assertEquals(await placeWith(none, false), "process");
  assertEquals(await placeWith(none, false, true), "sandbox");
  assertEquals(await placeWith(mac, true, true), "sandbox");
  // The profile of programs says nothing of rooms.
  assertEquals(await placeWith(mac, true, false), "process");
});
