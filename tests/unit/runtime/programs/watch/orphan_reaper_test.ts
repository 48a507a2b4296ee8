import { assertEquals, assertRejects } from "@std/assert";

import { OrphanReaper } from "../../../../../runtime/programs/watch/orphan_reaper.ts";

Deno.test("a program's private folder is for this user alone, and goes with all in it", async () => {
  const reaper = new OrphanReaper({ sh: "/bin/sh" });
  reaper.mark();
  const parent = Deno.makeTempDirSync({ prefix: "bulkhead-reaper-" });
  try {
    const kept = await reaper.makeFolder(`${parent}/kept`);
    const remove = await reaper.makeFolder(`${parent}/private folder`);
    assertEquals((Deno.statSync(`${parent}/private folder`).mode ?? 0) & 0o777, 0o700);
    Deno.mkdirSync(`${parent}/private folder/profile`);
    await assertRejects(() => reaper.makeFolder(`${parent}/kept`), Deno.errors.AlreadyExists);
    await remove();
    await remove();
    assertEquals([...Deno.readDirSync(parent)].map(({ name }) => name), ["kept"]);
    // Its end is no kill: what the run still has stays.
    await reaper.end();
    assertEquals([...Deno.readDirSync(parent)].map(({ name }) => name), ["kept"]);
    await kept();
  } finally {
    Deno.removeSync(parent, { recursive: true });
  }
});
