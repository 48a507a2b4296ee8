import { assertEquals } from "@std/assert";

import { noBoxNotice } from "../../../../runtime/host/no_box_notice.ts";
import type { GrantFlags } from "../../../../runtime/walls/grants/make_grants.ts";
import { launchScene } from "../../../support/launch_scene.ts";

const REFUSED: readonly (readonly [flags: GrantFlags, notice: string])[] = [
  [{}, "programs are refused; --allow-run=bash lets every command run outside of one"],
  [
    { policy: "read-only" },
    "programs are refused; --policy=coder --allow-run=bash lets every command run outside of one",
  ],
  [
    { allow: { run: ["git"] } },
    "all programs but git are refused; --allow-run=bash lets every command run outside of one",
  ],
  [{ allow: { run: ["bash"] } }, "all programs but bash are refused"],
  [{ allowAll: true }, "programs run outside of one, with all that you may do"],
];

Deno.test("noBoxNotice() says what programs may do without a sandbox, and which flags let them run", async () => {
  const box = {
    isUsed: () => Promise.resolve(false),
    state: () => Promise.resolve({ works: false as const, reason: "none" }),
  };
  for (const [flags, notice] of REFUSED) {
    using scene = launchScene({}, { flags });
    assertEquals(await noBoxNotice({ box, grants: scene.grants }), `no sandbox here (none): ${notice}`);
  }
  using scene = launchScene({});
  const used = { ...box, isUsed: () => Promise.resolve(true) };
  assertEquals(await noBoxNotice({ box: used, grants: scene.grants }), null);
});
