import { assertEquals } from "@std/assert";

import { openProcessLink } from "../../../../runtime/rooms/process_link.ts";
import { readerProfile } from "../../../../runtime/rooms/profile.ts";

/** How a room ends that is played by a script for a shell, and what it said. */
async function endOf(script: string, env: Record<string, string> = {}) {
  const said: unknown[] = [];
  const command = { argv: ["/bin/sh", "-c", script], env };
  const onMessage = (message: unknown) => void said.push(message);
  const { closed } = openProcessLink(readerProfile({ threads: 0 }), "t", { command, onMessage });
  return { ...await closed, said };
}

Deno.test("a room's process has no variables but its own, and no folder of main's", async () => {
  const { detail } = await endOf("echo ${OWN-} ${HOME-} ${USER-} ${DENO_DIR-} >&2; pwd >&2; exit 3", {
    OWN: "own",
  });
  assertEquals(detail, "exit code 3: own\n/");
});

Deno.test("a room that writes what is no message is ended", async () => {
  for (const words of ["hello", "{", "@x {}"]) {
    const { detail, said, outOfMemory } = await endOf(`echo '${words}'; exec sleep 1000`);
    assertEquals([detail, said, outOfMemory], [
      "it wrote to its stdout, where only its messages may stand",
      [],
      false,
    ], words);
  }
  assertEquals((await endOf(`echo '{"t":"ready"}'`)).said, [{ t: "ready" }]);
});

Deno.test("a room without free memory is told from one that fails", async () => {
  const isOut = async (script: string) => (await endOf(script)).outOfMemory;
  const out = ["kill -ABRT $$", "kill -TRAP $$", "kill -ILL $$", "exit 134", "exit 133"];
  for (const script of out) assertEquals(await isOut(script), true, script);
  for (const script of ["exit 1", "kill -KILL $$", "exit 0"]) {
    assertEquals(await isOut(script), false, script);
  }
});
