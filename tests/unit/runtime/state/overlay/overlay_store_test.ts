import { assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import {
  holdOverlay,
  isUnended,
  listOverlays,
  makeOverlay,
  removeOverlay,
  removeParts,
  workIn,
} from "../../../../../runtime/state/overlay/overlay_store.ts";

async function scene() {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  const [ws, state] = [`${root}/ws`, `${root}/state`];
  Deno.mkdirSync(ws);
  const { overlay } = await makeOverlay(state, { id: "one", workspace: ws, now: new Date() });
  const names = () => [...Deno.readDirSync(`${state}/overlays`)].map(({ name }) => name).sort();
  return { state, overlay, names, [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }) };
}

/** Waits until nobody in this process waits for a lock any more; who gave up waiting holds the file until it comes. */
async function lockIsLeft(path: string): Promise<void> {
  const script = `ls -l /proc/${Deno.pid}/fd | grep -F "${path}"`;
  while ((await new Deno.Command("sh", { args: ["-c", script] }).output()).success) { /* Look again. */ }
}

Deno.test("removeParts() removes what nobody works on, and no more", async () => {
  using at = await scene();
  const part = (name: string) => ({ ...at.overlay, folder: `${at.state}/overlays/.part-${name}` });
  for (const name of ["dead", "alive"]) Deno.mkdirSync(`${part(name).folder}/tree/shut`, { recursive: true });
  Deno.chmodSync(`${part("dead").folder}/tree/shut`, 0);
  {
    using _held = await holdOverlay(part("alive"));
    assertEquals(await removeParts(at.state), 1);
    assertEquals(at.names(), [".part-alive", "one"]);
  }
  await lockIsLeft(`${part("alive").folder}/lock`);
  assertEquals([await removeParts(at.state), at.names()], [1, ["one"]]);
});

Deno.test("an overlay is unended while a run works in it, and when that was killed there", async () => {
  using at = await scene();
  assertEquals(isUnended(at.overlay), false);
  await workIn(at.overlay, async () => {
    assertEquals(isUnended(at.overlay), true);
    assertEquals((await assertRejects(() => removeOverlay(at.overlay), ToolError)).code, "conflict");
  });
  await lockIsLeft(`${at.overlay.folder}/lock`);
  assertEquals(isUnended(at.overlay), false);
  await assertRejects(() => workIn(at.overlay, () => Promise.reject(new Error("killed"))));
  assertEquals(isUnended(at.overlay), true);
});

Deno.test("an overlay is gone with one step, and what is left of it is removed later", async () => {
  using at = await scene();
  await removeOverlay(at.overlay);
  assertEquals([listOverlays(at.state), at.names()], [[], []]);
});
