import { assertEquals } from "@std/assert";

import type { Needs } from "../../../../schemas/access.ts";
import type { GivenUp, GivingUp } from "../../../fixtures/give_up_worker.ts";

const PROGRAM: Needs = { run: "granted" };
const WEB: Needs = { net: "granted" };

/** One that inherits them would give up those of this process. */
const PERMISSIONS: Deno.PermissionOptionsObject = {
  ...{ net: true, env: true, sys: true, read: true, write: true },
  ...{ run: false, ffi: false, import: false },
};

/** Asks a worker: permissions that are given up do not come back. */
async function givenUp(run: GivingUp): Promise<GivenUp> {
  const url = new URL("../../../fixtures/give_up_worker.ts", import.meta.url);
  const worker = new Worker(url, { type: "module", deno: { permissions: PERMISSIONS } });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => reject(new Error(event.message));
      worker.postMessage(run);
    });
  } finally {
    worker.terminate();
  }
}

Deno.test("giveUp() leaves the network to the gate", async () => {
  const started = { startedGate: true, heldBefore: false, heldAfter: false };
  for (const needs of [[WEB], [WEB, PROGRAM], [PROGRAM, PROGRAM]]) {
    assertEquals(await givenUp({ needs, boxed: true }), started);
  }
});

Deno.test("giveUp() lets a single program's gate start beside the room, and gives up the network then", async () => {
  const later = { startedGate: false, heldBefore: true, heldAfter: false };
  assertEquals(await givenUp({ needs: [PROGRAM], boxed: true }), later);
});

Deno.test("giveUp() starts no gate where nothing would use it", async () => {
  const none = { startedGate: false, heldBefore: false, heldAfter: false };
  for (const needs of [[PROGRAM], [PROGRAM, PROGRAM], [{}]]) {
    assertEquals(await givenUp({ needs, boxed: false }), none);
  }
});

Deno.test("giveUp() revokes nothing in a process that keeps its permissions", async () => {
  const kept = { startedGate: true, heldBefore: true, heldAfter: true };
  assertEquals(await givenUp({ needs: [WEB], boxed: true, keepsPermissions: true }), kept);
  const single = { startedGate: false, heldBefore: true, heldAfter: true };
  assertEquals(await givenUp({ needs: [PROGRAM], boxed: true, keepsPermissions: true }), single);
});
