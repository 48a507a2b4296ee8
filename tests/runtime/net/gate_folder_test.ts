import { assertEquals } from "@std/assert";

import { makeGateFolder, removeDeadFolders } from "../../../runtime/net/gate_folder.ts";
import { exists } from "../../../runtime/walls/files/file_facts.ts";

/** Leaves a socket that its process did not close. */
async function listenAndDie(path: string): Promise<void> {
  const code = `Deno.listen({ transport: "unix", path: ${JSON.stringify(path)} }); console.log("up");`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", `${code} await new Promise(() => setInterval(() => {}, 1000));`],
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  child.kill("SIGKILL");
  await reader.cancel();
  await child.status;
}

Deno.test("removeDeadFolders() removes what a killed gate left, and nothing that somebody serves", async () => {
  const folders = await Promise.all(Array.from({ length: 4 }, makeGateFolder));
  const [dead, old, alive, fresh] = folders as [string, string, string, string];
  await listenAndDie(`${dead}/1`);
  // Its gate was killed before it listened.
  const before = Date.now() / 1_000 - 90;
  Deno.utimeSync(old, before, before);
  using _served = Deno.listen({ transport: "unix", path: `${alive}/1` });
  await removeDeadFolders();
  assertEquals(folders.map(exists), [false, false, true, true]);
  for (const folder of [alive, fresh]) Deno.removeSync(folder, { recursive: true });
});
