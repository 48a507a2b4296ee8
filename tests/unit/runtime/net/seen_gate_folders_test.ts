import { assertEquals } from "@std/assert";

import { makeGate } from "../../../../runtime/net/open_gate.ts";
import { seenGateFolders } from "../../../../runtime/net/seen_gate_folders.ts";
import { DIRECT } from "../../../support/net/gate_scene.ts";

Deno.test("the gates of all runs are among what programs must not see, where they could", async () => {
  await using gate = makeGate({ upstream: DIRECT });
  const folder = await gate.folder();
  const isSeen = (read: true | string[], sandboxShow: string[] = []) =>
    seenGateFolders({ allow: { read, write: [], net: [], run: [] }, sandboxShow }).includes(folder);
  assertEquals([isSeen(["/home/me"]), isSeen(["/tmp/shop"], ["/srv"])], [false, false]);
  assertEquals([isSeen(true), isSeen(["/tmp"]), isSeen(["/"]), isSeen([], ["/tmp"])], [
    true,
    true,
    true,
    true,
  ]);
});
