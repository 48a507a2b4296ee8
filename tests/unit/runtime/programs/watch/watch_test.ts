import { assert, assertEquals, assertRejects } from "@std/assert";

import { makeProgramHost } from "../../../../../runtime/programs/process/make_program_host.ts";
import { findSystemPrograms } from "../../../../../runtime/programs/process/system_programs.ts";
import { DiskWatch } from "../../../../../runtime/programs/watch/disk_watch.ts";
import { OrphanReaper } from "../../../../../runtime/programs/watch/orphan_reaper.ts";
import { ProcessCounter } from "../../../../../runtime/programs/watch/process_counter.ts";
import { RunningLooks } from "../../../../../runtime/programs/watch/running_looks.ts";
import { killMarked, signalGroup } from "../../../../../runtime/programs/watch/signal_processes.ts";
import { readLines } from "../../../../../runtime/text/lines.ts";
import { boxTest, boxWorks } from "../../../../support/box.ts";
import { isAlive, makeMark, ownCounter, until } from "../../../../support/cli/processes.ts";
import { makeSleepers } from "../../../../support/cli/sleepers.ts";
import { launchScene, start } from "../../../../support/launch_scene.ts";
import { listed } from "../../../../support/listed.ts";
import { hasProgram } from "../../../../support/needed_programs.ts";
import { programCall, programScene, type SceneOptions } from "../../../../support/program_scene.ts";

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

Deno.test("add() looks while a program runs, one look at a time, and stop() waits for the last", async () => {
  const looks = new RunningLooks({ pauseMs: 1 });
  const { promise: third, resolve } = Promise.withResolvers<void>();
  let count = 0;
  let atOnce = 0;
  const inspect = async ({ running }: { running?: string } = {}) => {
    assertEquals([running, ++atOnce], ["near", 1]);
    await new Promise((done) => setTimeout(done));
    atOnce--;
    if (++count === 3) resolve();
    return [`line ${count}`];
  };
  const look = looks.add({ inspect });
  // A look alone keeps no process alive.
  const alive = setInterval(() => {}, 1_000);
  await third;
  clearInterval(alive);
  const lines = [...look.take(), ...await look.stop()];
  assertEquals(lines.slice(0, 3), ["line 1", "line 2", "line 3"]);
  assertEquals([look.take(), atOnce], [[], 0]);
});

boxTest("inspect() moves at the second look what a running program made, but for its rebase", async () => {
  using scene = launchScene({ "ws/.git/HEAD": "" });
  const make = "mkdir -p .vscode .git/rebase-merge; echo exec true > .git/rebase-merge/git-rebase-todo";
  const launch = await scene.prepare({ argv: ["sh", "-c", make] });
  await start(launch);
  assertEquals([await launch.inspect({ running: "near" }), scene.aside()], [[], []]);
  assertEquals([(await launch.inspect({ running: "near" })).length, scene.aside()], [1, [".vscode"]]);
  // What makes such files again and again gets no more time.
  Deno.writeTextFileSync(scene.at("ws/.envrc"), "");
  Deno.mkdirSync(scene.at("ws/a/b/c/.husky"), { recursive: true });
  assertEquals((await launch.inspect({ running: "near" })).length, 1);
  assertEquals((await launch.inspect({ running: "everywhere" })).length, 1);
  assertEquals((await launch.inspect()).length, 1);
  assertEquals(scene.aside().toSorted(), [".envrc", ".husky", ".vscode", "rebase-merge"]);
});

Deno.test("atOnce() waits for the look that goes on, and looks with what began last alone", async () => {
  const looks = new RunningLooks({ pauseMs: 5 });
  const order: string[] = [];
  let goOn = () => {};
  const began = Promise.withResolvers<void>();
  const first = looks.add({
    inspect({ running = "" } = {}) {
      order.push(`first ${running}`);
      return Promise.resolve([]);
    },
  });
  const look = looks.add({
    async inspect({ running = "" } = {}) {
      order.push(running);
      began.resolve();
      if (running === "near") await new Promise<void>((resolve) => goOn = resolve);
      order.push("done");
      return [];
    },
  });
  const alive = setInterval(() => {}, 1_000);
  await began.promise;
  const atOnce = looks.atOnce();
  goOn();
  await atOnce;
  clearInterval(alive);
  await Promise.all([first.stop(), look.stop()]);
  assertEquals(order, ["first near", "near", "done", "at once", "done"]);
});

boxTest("a program starts when what open ones have made is moved away", async () => {
  using scene = launchScene({ "ws/.git/config": "[core]\n", "ws/.git/HEAD": "" });
  const host = makeProgramHost({
    launcher: scene,
    judge: () => Promise.resolve(),
    limits: { processes: 64, free_disk_mb: 0 },
    searchPath: "/usr/bin:/bin",
  });
  const call = programCall();
  try {
    const { id } = await host.open({ argv: ["sh"] }, call);
    const script =
      "mkdir .git/info; echo x > .git/info/attributes; echo .. > .git/commondir; echo made; echo made >&2";
    await host.write(id, `${script}\n`, call);
    await host.read(id, { waitMs: 10_000, until: "made" }, call);
    const { stdout } = await host.run({ argv: ["ls", "-A", ".git", ".git/info"] }, call);
    assertEquals(stdout.head, ".git:\nHEAD\nconfig\ninfo\n\n.git/info:\n");
    assertEquals(scene.aside().toSorted(), ["attributes", "commondir"]);
  } finally {
    await host.end();
  }
});

const { setpriv, script } = findSystemPrograms("/usr/bin:/bin");
const FLAGS = listed(
  "--no-prompt, --no-check, --allow-read, --allow-write, --allow-run, --allow-sys, --allow-env",
);
const parent = new URL("../../../../fixtures/program_parent.ts", import.meta.url).pathname;

for (const place of ["boxed", "unboxed"]) {
  Deno.test({
    name: `Programs end with the process that started them, ${place}`,
    ignore: script === null || (place === "boxed" ? !boxWorks : setpriv === null),
    fn: () => killParent(place),
  });
}

async function killParent(place: string) {
  const mark = makeMark();
  await using child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...FLAGS, parent, place, JSON.stringify(mark.env)],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = readLines(child.stdout);
  const folder = (await lines.next()).value!;
  await until("the programs run", () => mark.pids().length >= 3);
  child.kill("SIGKILL");
  await lines.return(undefined);
  await until("the programs' end", () => mark.pids().length === 0);
  Deno.removeSync(folder, { recursive: true });
}

Deno.test("signalGroup() reaches a process that does not lead its group yet, unless it has ended", async () => {
  const child = new Deno.Command("sleep", { args: ["60"] }).spawn();
  signalGroup(child.pid, "SIGKILL", { hasEnded: true });
  const still = await Promise.race([child.status, Promise.resolve("runs")]);
  assertEquals(still, "runs");
  signalGroup(child.pid, "SIGTERM", { hasEnded: false });
  assertEquals((await child.status).signal, "SIGTERM");
});

Deno.test("signalGroup() reaches all of a group, also when its first process has ended", async () => {
  const child = new Deno.Command("sh", {
    args: ["-c", "sleep 60 & echo $!"],
    detached: true,
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  await child.status;
  signalGroup(child.pid, "SIGKILL", { hasEnded: true });
  // The pipe ends with the last process that holds it.
  assertEquals((await reader.read()).done, true);
});

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

for (const groups of [true, false]) {
  Deno.test({
    name: `ProcessCounter counts a program that started before its answer, control groups: ${groups}`,
    ignore: bash === null || Deno.build.os !== "linux",
    fn: () => countLate(groups),
  });
}

async function countLate(groups: boolean) {
  const mark = makeMark();
  const limits = { maxProcesses: 50, memoryMb: 4096, answerMs: 100 };
  const counter = new ProcessCounter({ bash: bash!, groups, ...limits });
  // It answers once: what follows does not wait for its start.
  await counter.expect("first");
  await counter.unwatch("first");
  const pid = ownCounter();
  Deno.kill(pid, "SIGSTOP");
  const name = crypto.randomUUID();
  assertEquals(await counter.expect(name), null);
  const program = new Deno.Command("/bin/sh", {
    args: ["-c", "for i in $(seq 100); do sleep 1000 & done; wait"],
    env: mark.env,
    detached: true,
  }).spawn();
  const over = Promise.withResolvers<string>();
  counter.watch(name, { pid: program.pid, alsoSession: true, onOver: over.resolve });
  Deno.kill(pid, "SIGCONT");
  assertEquals(await over.promise, "processes");
  await program.status;
  await until("the end of what it started", () => mark.pids().length === 0);
  await counter.unwatch(name);
  await counter.end();
}

Deno.test("killMarked() finds what is of a session, whatever name it gives itself", async () => {
  const named = String
    .raw`import ctypes, time; ctypes.CDLL(None).prctl(15, b"a\nb) S 1", 0, 0, 0); print(1, flush=True); time.sleep(1000)`;
  const child = new Deno.Command("setsid", {
    ...{ args: ["/usr/bin/python3", "-c", named], clearEnv: true, stdout: "piped" },
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  await killMarked({ mark: crypto.randomUUID(), terminalPid: child.pid }, { sh: "/bin/sh" });
  const isLeft = isAlive(child.pid);
  if (isLeft) child.kill("SIGKILL");
  assertEquals([isLeft, (await child.status).signal], [false, "SIGKILL"]);
  await reader.cancel();
});
