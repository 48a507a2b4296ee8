import { assertEquals, assertRejects } from "@std/assert";

import { makePlaces } from "../../../runtime/rooms/places.ts";
import { profileOf } from "../../../runtime/rooms/profile.ts";
import { Room } from "../../../runtime/rooms/room.ts";
import { findSelf } from "../../../runtime/self/find_self.ts";
import { type BoxChoice, chooseBox } from "../../../runtime/walls/box/choose_box.ts";
import { makeGrants } from "../../../runtime/walls/grants/make_grants.ts";
import { ToolError } from "../../../schemas/error.ts";
import manifest from "../../../tools/manifest.json" with { type: "json" };
import type { ManifestEntry } from "../../../schemas/manifest.ts";

/** What starts in place of bubblewrap, while the trial says that there is no box. */
for (const program of ["/nowhere/bwrap", "/bin/false", "/bin/cat"]) {
  Deno.test(`a room that began under ${program} is dropped where the box does not work`, async () => {
    const box: BoxChoice = {
      untried: () => program,
      state: () => Promise.resolve({ works: false, reason: "it was not allowed" }),
      isUsed: () => Promise.resolve(false),
    };
    const room = await openWith(box);
    assertEquals(room.place, "process");
    room.kill();
    await room.ended;
  });
}

Deno.test("a room does not open where the box is required and does not work", async () => {
  const refused = new ToolError("configuration", "no box");
  const box: BoxChoice = {
    untried: () => "/bin/cat",
    state: () => Promise.resolve({ works: false, reason: "it was not allowed" }),
    isUsed: () => Promise.reject(refused),
  };
  assertEquals(await assertRejects(() => openWith(box), ToolError), refused);
});

Deno.test("chooseBox() names what is untried once, and nothing where the box is off", async () => {
  const searchPath = "/usr/bin:/bin";
  assertEquals(chooseBox({ mode: "off", searchPath }).untried?.(), null);
  const box = chooseBox({ mode: "auto", searchPath: "/nowhere" });
  assertEquals(box.untried?.(), null);
  const tried = chooseBox({ mode: "auto", searchPath });
  await tried.state();
  assertEquals(tried.untried?.(), null);
});

async function openWith(box: BoxChoice): Promise<Room> {
  const workspace = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bulkhead-places-" }));
  try {
    const grants = makeGrants({}, { workspace, cwd: workspace, realPath: Deno.realPathSync });
    const entry = manifest.tools.find(({ full_name }) =>
      full_name === "par/echo"
    ) as unknown as ManifestEntry;
    const main = new URL("../../../main.ts", import.meta.url).href;
    const self = findSelf(main, (name) => Deno.env.get(name));
    const { openLink } = makePlaces(self, { box, find: () => null });
    const profile = profileOf(entry, grants, { home: "", artifacts: { readable: null } });
    return await Room.open({ ...profile, killable: true }, { openLink });
  } finally {
    Deno.removeSync(workspace, { recursive: true });
  }
}
