import { assert, assertEquals } from "@std/assert";

import { makeGateFolder, removeDeadFolders } from "../../../../runtime/net/gate_folder.ts";
import { GATE_PREFIX, GATES_PARENT } from "../../../../runtime/net/seen_gate_folders.ts";
import { exists } from "../../../../runtime/walls/files/file_facts.ts";

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

Deno.test("removeDeadFolders() removes what a killed run left, and nothing that somebody serves", async () => {
  const left = () => Deno.makeTempDirSync({ dir: GATES_PARENT, prefix: GATE_PREFIX });
  const [dead, old, served, fresh] = [left(), left(), left(), left()];
  const own = await makeGateFolder();
  await listenAndDie(`${dead}/1`);
  // Its run was killed before it listened.
  const before = Date.now() / 1_000 - 90;
  const age = (folder: string) => Deno.utimeSync(folder, before, before);
  for (const folder of [old, served, own.path]) age(folder);
  using _served = Deno.listen({ transport: "unix", path: `${served}/1` });
  await removeDeadFolders();
  assertEquals([dead, old, served, fresh, own.path].map(exists), [false, false, true, true, true]);
  own.close();
  // The system closes a socket a little later.
  const deadline = performance.now() + 10_000;
  while (exists(own.path)) {
    assert(performance.now() < deadline);
    age(own.path);
    await removeDeadFolders();
  }
  assertEquals([served, fresh].map(exists), [true, true]);
  for (const folder of [served, fresh]) Deno.removeSync(folder, { recursive: true });
});
