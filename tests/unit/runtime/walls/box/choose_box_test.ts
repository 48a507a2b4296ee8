import { assertEquals, assertRejects } from "@std/assert";

import {
  chooseBox,
  enclosesRooms,
  type SandboxMode,
  type SeatbeltTrials,
  usedBubblewrap,
} from "../../../../../runtime/walls/box/choose_box.ts";
import { ToolError } from "../../../../../schemas/error.ts";

/** A Mac on which the profiles work, but for what is said; and what was tried on it. */
function mac(mode: SandboxMode, failing: { programs?: string; rooms?: string } = {}) {
  const tried: string[] = [];
  const trial = (name: keyof SeatbeltTrials) => () => {
    tried.push(name);
    return Promise.resolve(failing[name] ?? null);
  };
  const trials: SeatbeltTrials = { programs: trial("programs"), rooms: trial("rooms") };
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
  assertEquals(await box.state(), { works: false, reason: "no shell" });
  // Each has a trial of its own.
  assertEquals(await enclosesRooms(box), true);
  const rooms = mac("auto", { rooms: "no room" });
  assertEquals([await rooms.box.isUsed(), await enclosesRooms(rooms.box)], [true, false]);
});

Deno.test("chooseBox() throws on a Mac where a sandbox is required, for programs and for rooms, without naming bubblewrap", async () => {
  const why = (reason: string) =>
    `--sandbox require, but the sandbox does not work: ${reason}; use --sandbox auto`;
  const programs = mac("require", { programs: "no shell" }).box;
  assertEquals(await refusal(() => programs.isUsed()), why("no shell"));
  const rooms = mac("require", { rooms: "no room" }).box;
  assertEquals(await rooms.isUsed(), true);
  assertEquals(await refusal(() => enclosesRooms(rooms)), why("no room"));
});

Deno.test("chooseBox() tries no profile on other systems", async () => {
  const trials = {
    programs: () => Promise.reject(new Error("tried")),
    rooms: () => Promise.reject(new Error("tried")),
  };
  const box = chooseBox({ mode: "auto", searchPath: "/nowhere", os: "linux", trials });
  assertEquals([await box.isUsed(), await box.roomsUseSeatbelt?.()], [false, false]);
  const required = chooseBox({ mode: "require", searchPath: "/nowhere", os: "linux", trials });
  assertEquals(
    await refusal(() => required.isUsed()),
    "--sandbox require, but the sandbox does not work: bubblewrap (bwrap) is not installed; " +
      "install bubblewrap or use --sandbox auto",
  );
});

Deno.test("usedBubblewrap() says which one is used", async () => {
  const box = (isUsed: boolean) => ({
    state: () => Promise.resolve({ works: true, bwrap: "/usr/bin/bwrap" } as const),
    isUsed: () => Promise.resolve(isUsed),
  });
  assertEquals([await usedBubblewrap(box(true)), await usedBubblewrap(box(false))], ["/usr/bin/bwrap", null]);
  assertEquals([await enclosesRooms(box(true)), await enclosesRooms(box(false))], [true, false]);
});
