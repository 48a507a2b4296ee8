import { assert, assertEquals } from "@std/assert";

import { DiskWatch } from "../../../../../runtime/programs/watch/disk_watch.ts";
import { findSystemPrograms } from "../../../../../runtime/programs/process/system_programs.ts";
import { boxWorks } from "../../../../support/box.ts";
import { makeMark, ownCounter, until } from "../../../../support/cli/processes.ts";
import { makeSleepers } from "../../../../support/cli/sleepers.ts";
import { programScene, type SceneOptions } from "../../../../support/program_scene.ts";
import { hasProgram } from "../../../../support/needed_programs.ts";

const MANY = "i=0; while [ $i -lt 200 ]; do sleep 1000 & i=$((i + 1)); done; wait";
/** Their parents end at once, so no tree leads from the program to them. */
const ORPHANS = "i=0; while [ $i -lt 200 ]; do (sleep 1000 &); i=$((i + 1)); done; while :; do sleep 1; done";
const isRoot = Deno.uid() === 0;
const { bash } = findSystemPrograms("/usr/bin:/bin");

for (const [boxed, groups] of [[true, true], [true, false], [false, true], [false, false]] as const) {
  const way = `${boxed ? "in" : "without"} a box, ${groups ? "in control groups" : "one by one"}`;
  const ignore = bash === null || (boxed && (!boxWorks || !isRoot));
  const scene = { boxed, groups, limits: { processes: 100, free_disk_mb: 0 } };
  const watchdogTest = (what: string, fn: () => Promise<void>) =>
    Deno.test({ name: `The watchdog ${what}, ${way}`, ignore, fn });

  watchdogTest("ends a program of too many processes", () => endMany(scene, MANY));
  watchdogTest("counts orphans", () => endMany(scene, ORPHANS));
  // These differ by none of both.
  if (boxed !== groups) continue;
  watchdogTest("ends a session of too many processes", () => endSession(scene));
  if (hasProgram("tail")) {
    watchdogTest("ends a program whose processes hold too much memory together", () => holdMuch(scene));
  }
}

async function endMany(options: SceneOptions, script: string) {
  const mark = makeMark();
  await using scene = programScene(options);
  const end = await scene.sh(script, { env: mark.env, timeoutMs: 20_000 });
  assertEquals([end.reason, end.exitCode], ["processes", 137]);
  assertEquals((await scene.sh("echo fine")).stdout.head, "fine\n");
  await until("no sleepers", () => mark.pids().length === 0);
}

/** Five processes, each within the bound. */
async function holdMuch(options: SceneOptions) {
  const limits = { processes: 100, free_disk_mb: 0, memory_mb: 150 };
  await using scene = programScene({ ...options, limits });
  const hold = "(head -c 70000000 /dev/zero; sleep 30) | tail -c 69000000";
  const end = await scene.sh(`for i in 1 2 3 4 5; do ${hold} & done; wait`, { timeoutMs: 25_000 });
  assertEquals(end.reason, "memory");
  const next = await scene.sh("head -c 70000000 /dev/zero | tail -c 69000000 | wc -c");
  assertEquals(next.stdout.head, "69000000\n");
}

async function endSession(options: SceneOptions) {
  await using scene = programScene(options);
  const { id } = await scene.host.open({ argv: ["sh"] }, scene.call());
  await scene.host.write(id, `${MANY}\n`, scene.call());
  const end = await scene.host.read(id, { waitMs: 20_000, until: "never" }, scene.call());
  assertEquals([end.reason, end.exitCode, end.alive], ["processes", 137, false]);
}

/** Where control groups of the old kind are, root may make them below its own. */
const hasGroups = isRoot && bash !== null && await new Deno.Command("sh", {
  args: [
    "-c",
    'group=/sys/fs/cgroup/pids$(sed -n "s/^[0-9]*:pids://p" /proc/self/cgroup)/test-$$; mkdir $group && rmdir $group',
  ],
  stderr: "null",
}).output().then(({ success }) => success);

Deno.test({
  name: "A program that leaves its session and clears its environment ends with its call",
  ignore: !hasGroups,
  async fn() {
    using sleepers = makeSleepers();
    await using scene = programScene({ boxed: false });
    const hasLeft = "until grep -q sleep /proc/$!/comm; do :; done";
    const { exitCode } = await scene.sh(`env -i setsid ${sleepers.words} >/dev/null 2>&1 & ${hasLeft}`);
    assertEquals(exitCode, 0);
    await sleepers.gone();
  },
});

Deno.test({
  name: "A fork bomb stays small even if nobody counts its processes",
  ignore: !hasGroups,
  fn: boundUncounted,
});

async function boundUncounted() {
  const limit = 50;
  const mark = makeMark();
  await using scene = programScene({ boxed: false, limits: { processes: limit, free_disk_mb: 0 } });
  const { id } = await scene.host.open({ argv: ["sh"], env: mark.env }, scene.call());
  const counter = ownCounter();
  Deno.kill(counter, "SIGSTOP");
  try {
    const bomb = "(for i in $(seq 300); do sleep 1000 & done); echo wall; echo wall >&2\n";
    await scene.host.write(id, bomb, scene.call());
    await scene.host.read(id, { waitMs: 20_000, until: "wall\n" }, scene.call());
    await until("a part of the bomb", () => mark.pids().length > limit);
    assert(mark.pids().length < limit * 4, `${mark.pids().length} processes`);
  } finally {
    Deno.kill(counter, "SIGCONT");
  }
  const end = await scene.host.read(id, { waitMs: 20_000, until: "never" }, scene.call());
  assertEquals([end.reason, end.alive], ["processes", false]);
  await until("the end of the bomb", () => mark.pids().length === 0);
}

Deno.test({
  name: "What a program leaves in memory does not count against the next one",
  ignore: !hasGroups,
  async fn() {
    const left = `/dev/shm/bulkhead-test-${crypto.randomUUID()}`;
    // With room for the next program, not for what was left beside it.
    const limits = { processes: 100, free_disk_mb: 0, memory_mb: 100 };
    await using scene = programScene({ boxed: false, limits });
    try {
      assertEquals((await scene.sh(`head -c 120000000 /dev/zero >${left}`)).exitCode, 0);
      const held = await scene.sh("head -c 70000000 /dev/zero | tail -c 69000000 | wc -c");
      assertEquals([held.stdout.head, held.reason], ["69000000\n", "exited"]);
    } finally {
      Deno.removeSync(left);
    }
  },
});

Deno.test("The watchdog ends a program that fills a disk", async () => {
  let free = 1_000_000;
  const lookAtDisk = () => ({ bytes: free, entries: Infinity });
  await using scene = programScene({
    boxed: false,
    limits: { processes: 512, free_disk_mb: 1024 },
    lookAtDisk,
  });
  const running = scene.sh("echo $$ >started; sleep 60", { timeoutMs: 20_000 });
  await until("the program runs", () => [...Deno.readDirSync(scene.path)].length > 0);
  free = 499_999;
  const end = await running;
  assertEquals([end.reason, end.exitCode], ["disk", 137]);
});

Deno.test("DiskWatch takes the smaller of its minimum and half of what is free", async () => {
  const free = new Map<string, number | null>([["/big", 100 * 1024 * 1024], ["/small", 1_000], [
    "/gone",
    null,
  ]]);
  const look = (path: string) => {
    const bytes = free.get(path) ?? null;
    return bytes === null ? null : { bytes, entries: Infinity };
  };
  const watch = new DiskWatch({ minFreeMb: 10, look });
  const full: string[] = [];
  const stops = [...free.keys()].map((path) => watch.watch([path], (disk) => full.push(disk.path)));
  free.set("/big", 10 * 1024 * 1024);
  free.set("/small", 499);
  await until("the small one is full", () => full.length > 0);
  assertEquals(full, ["/small"]);
  free.set("/big", 10 * 1024 * 1024 - 1);
  await until("the big one is full", () => full.length > 1);
  assertEquals(full, ["/small", "/big"]);
  for (const stop of stops) stop();
});
