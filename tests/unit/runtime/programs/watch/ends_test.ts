import { assertEquals, assertRejects } from "@std/assert";

import { findSystemPrograms } from "../../../../../runtime/programs/process/system_programs.ts";
import { OrphanReaper } from "../../../../../runtime/programs/watch/orphan_reaper.ts";
import { ProcessCounter } from "../../../../../runtime/programs/watch/process_counter.ts";
import { signalGroup, signalProcess } from "../../../../../runtime/programs/watch/signal_processes.ts";
import { readLines } from "../../../../../runtime/text/lines.ts";
import { listed } from "../../../../support/listed.ts";
import { boxWorks } from "../../../../support/box.ts";
import { makeMark, ownCounter, until } from "../../../../support/cli/processes.ts";

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

Deno.test("signalProcess() says nothing about what has ended", async () => {
  const child = new Deno.Command("true", { detached: true }).spawn();
  await child.status;
  assertEquals(signalProcess(child.pid, "SIGTERM"), undefined);
  assertEquals(signalProcess(-child.pid, "SIGKILL"), undefined);
});

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

const { bash } = findSystemPrograms("/usr/bin:/bin");

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
