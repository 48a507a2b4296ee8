import { assert, assertEquals } from "@std/assert";

import { DiskWatch } from "../../../../../runtime/programs/watch/disk_watch.ts";
import { findSystemPrograms } from "../../../../../runtime/programs/process/system_programs.ts";
import { boxWorks } from "../../../../support/box.ts";
import { counterOf, processesNaming, until } from "../../../../support/cli/processes.ts";
import { makeSleepers } from "../../../../support/cli/sleepers.ts";
import { programScene, type SceneOptions } from "../../../../support/program_scene.ts";
import { hasProgram } from "../../../../support/needed_programs.ts";

/** No other process of the machine has a name with this number. */
const SLEEP = `6543.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
const MANY = `i=0; while [ $i -lt 200 ]; do sleep ${SLEEP} & i=$((i + 1)); done; wait`;
const isRoot = Deno.uid() === 0;
const { bash } = findSystemPrograms("/usr/bin:/bin");

const WAYS = [true, false].flatMap((boxed) =>
  [true, false].map((groups) => ({
    name: `${boxed ? "in a box" : "without a box"}, ${groups ? "in control groups" : "one by one"}`,
    ignore: bash === null || (boxed && (!boxWorks || !isRoot)),
    scene: { boxed, groups, limits: { processes: 100, free_disk_mb: 0 } },
  }))
);

for (const { name, ignore, scene } of WAYS) {
  Deno.test({
    name: `The watchdog ends a program of too many processes, ${name}`,
    ignore,
    fn: () => endMany(scene),
  });

  Deno.test({
    name: `The watchdog ends a session of too many processes, ${name}`,
    ignore,
    fn: () => endSession(scene),
  });

  Deno.test({ name: `The watchdog counts orphans, ${name}`, ignore, fn: () => countOrphans(scene) });

  Deno.test({
    name: `The watchdog ends a program whose processes hold too much memory together, ${name}`,
    ignore: ignore || !hasProgram("tail"),
    fn: () => holdMuch(scene),
  });
}

async function endMany(options: SceneOptions) {
  await using scene = programScene(options);
  const end = await scene.sh(MANY, { timeoutMs: 20_000 });
  assertEquals([end.reason, end.exitCode], ["processes", 137]);
  assertEquals((await scene.sh("echo fine")).stdout.head, "fine\n");
  await until("no sleepers", () => processesNaming(SLEEP).length === 0);
}

/** Five processes, each within the bound. */
async function holdMuch(options: SceneOptions) {
  await using scene = programScene({
    ...options,
    limits: { processes: 100, free_disk_mb: 0, memory_mb: 150 },
  });
  const hold = "(head -c 70000000 /dev/zero; sleep 30) | tail -c 69000000";
  const end = await scene.sh(`for i in 1 2 3 4 5; do ${hold} & done; wait`, { timeoutMs: 25_000 });
  assertEquals(end.reason, "memory");
  assertEquals(
    (await scene.sh(`head -c 70000000 /dev/zero | tail -c 69000000 | wc -c`)).stdout.head,
    "69000000\n",
  );
}

async function endSession(options: SceneOptions) {
  await using scene = programScene(options);
  const { id } = await scene.host.open({ argv: ["sh"] }, scene.call());
  await scene.host.write(id, `${MANY}\n`, scene.call());
  const end = await scene.host.read(id, { waitMs: 20_000, until: "never" }, scene.call());
  assertEquals([end.reason, end.exitCode, end.alive], ["processes", 137, false]);
}

/** Their parents end at once, so no tree leads from the program to them. */
async function countOrphans(options: SceneOptions) {
  await using scene = programScene(options);
  const script =
    `i=0; while [ $i -lt 200 ]; do (sleep ${SLEEP} &); i=$((i + 1)); done; while :; do sleep 1; done`;
  assertEquals((await scene.sh(script, { timeoutMs: 20_000 })).reason, "processes");
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
  using sleepers = makeSleepers();
  // Hardly anybody else has this limit: its counter is known by it.
  const limit = 50 + crypto.getRandomValues(new Uint8Array(1))[0]! % 20;
  await using scene = programScene({ boxed: false, limits: { processes: limit, free_disk_mb: 0 } });
  const { id } = await scene.host.open({ argv: ["sh"] }, scene.call());
  const counter = counterOf(limit);
  Deno.kill(counter, "SIGSTOP");
  try {
    await scene.host.write(
      id,
      `(for i in $(seq 300); do ${sleepers.words} & done); echo wall; echo wall >&2\n`,
      scene.call(),
    );
    await scene.host.read(id, { waitMs: 20_000, until: "wall\n" }, scene.call());
    // Some may have been started without being sleepers yet.
    await until("a part of the bomb", () => sleepers.count() > limit);
    assert(sleepers.count() < limit * 4, `${sleepers.count()} processes`);
  } finally {
    Deno.kill(counter, "SIGCONT");
  }
  const end = await scene.host.read(id, { waitMs: 20_000, until: "never" }, scene.call());
  assertEquals([end.reason, end.alive], ["processes", false]);
  await sleepers.gone();
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

Deno.test({
  name: "A fork bomb in a box is ended, and the next program runs",
  // For others the launcher bounds the number of processes.
  ignore: !boxWorks || !isRoot || bash === null,
  fn: endBomb,
});

async function endBomb() {
  await using scene = programScene({ boxed: true, limits: { processes: 200, free_disk_mb: 0 } });
  const end = await scene.host.run(
    { argv: ["bash", "-c", `bomb() { bomb | bomb & }; bomb; wait; sleep ${SLEEP}`], timeoutMs: 20_000 },
    scene.call(),
  );
  assertEquals(end.reason, "processes");
  assertEquals((await scene.sh("echo fine")).stdout.head, "fine\n");
  await until("the bomb's processes are gone", () => processesNaming(SLEEP).length === 0);
}

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

const mayMount = hasProgram("unshare") && await new Deno.Command("unshare", {
  args: ["-m", "mount", "-t", "tmpfs", "none", "/mnt"],
  stderr: "null",
}).output().then(({ success }) => success, () => false);

Deno.test({ name: "The watchdog sees a real disk fill", ignore: !mayMount || !isRoot, fn: fillDisk });

async function fillDisk() {
  await using scene = programScene({ boxed: boxWorks, limits: { processes: 512, free_disk_mb: 8 } });
  const mount = (...args: string[]) =>
    new Deno.Command(args[0]!, { args: args.slice(1) }).outputSync().success;
  assert(mount("mount", "-t", "tmpfs", "-o", "size=32m", "none", scene.path));
  try {
    const fill = "for i in $(seq 1000); do head -c 1000000 /dev/zero >>file || exit 9; sleep 0.02; done";
    const end = await scene.sh(fill, { timeoutMs: 20_000 });
    assertEquals([end.reason, end.exitCode], ["disk", 137]);
    assertEquals((await scene.sh("rm file; echo fine")).stdout.head, "fine\n");
  } finally {
    mount("umount", scene.path);
  }
}

for (const boxed of [true, false]) {
  Deno.test({
    name: `A program takes neither all entries of a disk nor all bytes at once, ${
      boxed ? "boxed" : "unboxed"
    }`,
    ignore: !mayMount || !isRoot || (boxed && !boxWorks),
    fn: () => useUpDisk(boxed),
  });
}

async function useUpDisk(boxed: boolean) {
  await using scene = programScene({ boxed, limits: { processes: 512, free_disk_mb: 8 } });
  const mount = (...args: string[]) =>
    new Deno.Command(args[0]!, { args: args.slice(1) }).outputSync().success;
  assert(mount("mount", "-t", "tmpfs", "-o", "size=200m,nr_inodes=20000", "none", scene.path));
  try {
    const many = await scene.sh(
      "seq -f d%g 19000 | xargs -n 500 sh -c 'mkdir \"$@\"; sleep 0.02' sh; sleep 9",
    );
    assertEquals(many.reason, "disk");
    assert(
      many.warnings.some((text) =>
        text.includes(`${scene.path} was about to have no more room for more files`)
      ),
    );
    await scene.sh("rm -r d*");
    const large = await scene.sh(
      "head -c 100000000 /dev/zero >large; head -c 104000000 /dev/zero >more; sleep 9",
    );
    assertEquals(large.reason, "disk");
    assert(
      large.warnings.some((text) => text.includes(`${scene.path}/large (100 MB)`)),
      large.warnings.join(),
    );
    await scene.sh("rm large more");
    const whole = await scene.sh("fallocate -l 195M all");
    if (boxed) assert(whole.exitCode !== 0);
    const { stdout } = await scene.sh("fallocate -l 90M a 2>&1; fallocate -l 90M b 2>&1; stat -c %b a");
    if (boxed) assert(stdout.head.includes("not supported") && stdout.head.endsWith("0\n"), stdout.head);
  } finally {
    mount("umount", scene.path);
  }
}

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
