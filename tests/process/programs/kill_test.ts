import { assert, assertEquals } from "@std/assert";

import { boxWorks, SANDBOXES } from "../../support/box.ts";
import { start } from "../../support/program.ts";
import { descendants, isAlive, until, untilBusy } from "../../support/cli/processes.ts";
import { type Call, makeScene, type Scene } from "../../support/cli/scene.ts";
import { random, rounds, TIER } from "../../support/tier.ts";

/**
 * Rounds that kill at a random moment, and rounds that kill when a file is seen half written: those go on until one
 * kill came in time.
 */
const ROUNDS = { random: rounds(1, 20), seen: rounds(1, 20), most: 40 };
/** Longest time after the first call, short enough that most kills hit while it works. */
const KILL_MS = 400;
const BODY = "0123456789abcdef\n".repeat(200_000);
const VERSIONS = [`first\n${BODY}`, `second\n${BODY}`];

const WRITES: readonly Call[] = [1, 0, 1, 0, 1, 0, 1, 0].map((version) => ({
  tool: "Write",
  arguments: { path: "big.txt", content: VERSIONS[version], overwrite: true },
}));

/** Longest time of a batch on a busy machine, in milliseconds. */
const BATCH_MS = 50_000;

const EDITS: readonly Call[] = Array.from({ length: 40 }, (_, at) => ({
  tool: "Edit",
  arguments: {
    path: "big.txt",
    patch: at % 2 === 0 ? "@@ -1 +1 @@\n-first\n+second\n" : "@@ -1 +1 @@\n-second\n+first\n",
  },
}));

function temporaryFiles(scene: Scene): string[] {
  return [...Deno.readDirSync(scene.ws)].map(({ name }) => name).filter((name) => name !== "big.txt");
}

/** When a batch is killed. On a busy machine it may end before that. */
type Moment = (hasEnded: () => boolean) => Promise<void>;

/** Starts a batch, kills it at some moment, and waits until its rooms have gone with it. */
async function killBatch(scene: Scene, box: string, moment: Moment): Promise<void> {
  const running = start(["batch", scene.at("calls.jsonl"), `--sandbox=${box}`], { cwd: scene.ws });
  // Its room is there then, and serves all that comes.
  await running.nextLine();
  const rooms = descendants(running.pid).map(({ pid }) => pid);
  let hasEnded = false;
  const ended = running.ended().then(() => hasEnded = true);
  await moment(() => hasEnded);
  running.kill("SIGKILL");
  await ended;
  await until("the end of the rooms", () => !rooms.some(isAlive));
}

/** Each tool behind one wall at a landing, behind both before a release. */
const KILLED = (["Write", "Edit"] as const).flatMap((name, at) =>
  SANDBOXES.map((box) => ({ name, box, calls: name === "Write" ? WRITES : EDITS }))
    .filter(({ box }) => TIER === "soak" || box === SANDBOXES[at % SANDBOXES.length])
);

for (const { name, box, calls } of KILLED) {
  Deno.test(`a killed ${name} leaves the old file or the new one, whole, --sandbox=${box}`, async () => {
    using scene = makeScene({ "calls.jsonl": calls.map((call) => `${JSON.stringify(call)}\n`).join("") });
    const atRandom = () =>
      new Promise<void>((resolve) => {
        setTimeout(resolve, random() * KILL_MS);
      });
    const seen: Moment = (hasEnded) => {
      const before = temporaryFiles(scene);
      const isSeen = () => temporaryFiles(scene).some((name) => !before.includes(name));
      return until("a half written file", () => isSeen() || hasEnded(), BATCH_MS, 0);
    };
    let cutShort = 0;
    for (
      let round = 0;
      round < ROUNDS.random + ROUNDS.seen || (cutShort === 0 && round < ROUNDS.most);
      round++
    ) {
      scene.write("ws/big.txt", VERSIONS[0]!);
      await killBatch(scene, box, round < ROUNDS.random ? atRandom : seen);
      const content = scene.read("ws/big.txt");
      if (temporaryFiles(scene).length > 0) cutShort++;
      assert(VERSIONS.includes(content), `torn in round ${round}: ${content.length} characters`);
    }
    assert(cutShort > 0, "every kill came between two writes");
    const { code } = await scene.call("Write", { path: "other.txt", content: "x" }, [`--sandbox=${box}`]);
    assertEquals([code, temporaryFiles(scene)], [0, ["other.txt"]]);
  });
}

Deno.test("a room that is killed fails its call alone, and the next call gets a new room", async () => {
  using scene = makeScene({ "ws/runaway.txt": `${"a".repeat(10_000)}!\n`, "ws/a.txt": "hello\n" });
  const running = start(["batch", "-"], { cwd: scene.ws });
  const runaway = { tool: "par/grep", arguments: { pattern: "^(a+)+\\1$", path: "runaway.txt" } };
  await running.write(`${JSON.stringify(runaway)}\n`);
  Deno.kill((await untilBusy(running.pid)).pid, "SIGKILL");
  const first = JSON.parse(await running.nextLine() ?? "");
  assertEquals([first.ok, first.error.code], [false, "internal"]);
  for (const pattern of ["hell", "nothing"]) {
    await running.write(`${JSON.stringify({ tool: "par/grep", arguments: { pattern, path: "a.txt" } })}\n`);
    assertEquals(JSON.parse(await running.nextLine() ?? "").ok, true);
  }
  await running.closeInput();
  const { code, stderr } = await running.ended();
  const how = boxWorks ? "exit code 137" : "SIGKILL";
  const told = `bulkhead: call 1 (par/grep) failed: internal: The room ended unexpectedly: ${how}\n`;
  assertEquals([code, stderr], [1, `${told}3 calls: 2 ok, 1 failed\n`]);
});

Deno.test("no room outlives a program that is killed", async () => {
  for (const box of SANDBOXES) {
    using scene = makeScene({ "ws/runaway.txt": `${"a".repeat(10_000)}!\n` });
    const running = start(["call", "Grep", "pattern=^(a+)+\\1$", `--sandbox=${box}`], { cwd: scene.ws });
    await untilBusy(running.pid);
    const below = descendants(running.pid).map(({ pid }) => pid);
    running.kill("SIGKILL");
    await running.ended();
    await until("the end of the rooms", () => !below.some(isAlive));
  }
});
