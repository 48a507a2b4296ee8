import { assert, assertEquals } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { isAlive } from "../../support/cli/processes.ts";
import { type Answer, type Call, makeScene, type Scene } from "../../support/cli/scene.ts";

const SECRET = "hunter2-do-not-show";
const ROUNDS = 500;
/** How a call may end whose path changes under it. */
const ENDS = [null, "permission_denied", "conflict", "not_found", "unavailable"];

/** Starts the process that swaps links in a scene; returns once it does. */
async function startSwapping(scene: Scene): Promise<AsyncDisposable & { pid: number }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", "--allow-read", "--allow-write"],
      new URL("../../fixtures/swap_links.ts", import.meta.url).pathname,
      scene.ws,
      scene.at("outside"),
    ],
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  return {
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await reader.cancel();
      await child.status;
    },
  };
}

async function runRace(calls: readonly Call[]): Promise<Answer[]> {
  using scene = makeScene({
    "ws/inside.txt": "inside\n",
    "ws/folder/target.txt": "inside\n",
    "outside/target.txt": `${SECRET}\n`,
  });
  scene.link("inside.txt", "ws/file");
  await using swapper = await startSwapping(scene);
  const { answers } = await scene.batch(calls, ["--sandbox=require"], { timeoutMs: 120_000 });
  assert(isAlive(swapper.pid), "the links were not swapped to the end");
  assertEquals(answers.length, calls.length);
  for (const answer of answers) {
    assert(!JSON.stringify(answer).includes(SECRET), JSON.stringify(answer));
    assert(ENDS.includes(answer.error?.code ?? null), JSON.stringify(answer));
  }
  assertEquals([...Deno.readDirSync(scene.at("outside"))].map(({ name }) => name), ["target.txt"]);
  assertEquals(scene.read("outside/target.txt"), `${SECRET}\n`);
  return answers;
}

boxTest("in the box, 1,000 reads see nothing through links that are swapped", async () => {
  const calls = Array.from({ length: ROUNDS }, (_, at): Call[] => [
    { tool: ["Read", "par/read"][at % 2]!, arguments: { path: "file" } },
    at % 3 === 0
      ? { tool: "Grep", arguments: { pattern: "h|i", path: "folder" } }
      : { tool: "Read", arguments: { path: "folder/target.txt" } },
  ]).flat();
  const answers = await runRace(calls);
  // Neither all refused nor all let: the race was on.
  assert(answers.some(({ ok }) => ok) && answers.some(({ ok }) => !ok));
});

boxTest("in the box, 1,000 writes change nothing through links that are swapped", async () => {
  const edit = { old: "inside", new: "inside" };
  const calls = Array.from({ length: ROUNDS }, (_, at): Call[] => [
    at % 2 === 0
      ? { tool: "Write", arguments: { path: "folder/target.txt", content: "inside\n", overwrite: true } }
      : { tool: "par/write", arguments: { path: `folder/new-${at % 8}.txt`, content: "inside\n" } },
    at % 2 === 0
      ? { tool: "par/edit", arguments: { path: "folder/target.txt", edits: [edit] } }
      : { tool: "Write", arguments: { path: "file", content: "inside\n", overwrite: true } },
  ]).flat();
  const answers = await runRace(calls);
  assert(answers.some(({ ok }) => ok) && answers.some(({ ok }) => !ok));
});
