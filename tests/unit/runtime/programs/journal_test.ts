import { assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";

import { finishRecords } from "../../../../runtime/programs/journal/finish_records.ts";
import { Journal } from "../../../../runtime/programs/journal/journal.ts";
import { makeProgramHost } from "../../../../runtime/programs/process/make_program_host.ts";
import { launchScene } from "../../../support/launch_scene.ts";
import { programCall } from "../../../support/program_scene.ts";
import type { LookAfter } from "../../../../runtime/programs/protected/look_after.ts";

async function lookAfter(scene: ReturnType<typeof launchScene>): Promise<LookAfter> {
  return (await scene.prepare({ argv: ["sh", "-c", "true"] })).after!;
}

Deno.test("open() writes a private record before the program starts, and close() removes it", async () => {
  using scene = launchScene({ "ws/.vscode/a": "" }, { boxed: false, flags: { allow: { run: ["sh"] } } });
  const journal = new Journal(join(scene.at("home"), "state/running"));
  assertEquals(journal.names(), []);
  const record = journal.open("run.1", await lookAfter(scene));
  assertEquals([record.warning, journal.names()], [null, ["run.1.json"]]);
  const path = join(journal.folder!, "run.1.json");
  const { pid, mark, baseline, writable } = JSON.parse(Deno.readTextFileSync(path));
  assertEquals([pid, mark, writable], [Deno.pid, "run.1", [scene.at("ws")]]);
  assertEquals(Object.keys(baseline.entries), [scene.at("ws/.vscode"), scene.at("ws/.vscode/a")]);
  assertEquals((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  record.close();
  assertEquals(journal.names(), []);
});

Deno.test("open() notes nothing of a program that can write nothing, and warns where nothing can be noted", async () => {
  using scene = launchScene({ "home/file": "" }, { boxed: false, flags: { allow: { run: ["sh"] } } });
  assertEquals(new Journal(scene.at("home")).open("a", null).warning, null);
  assertEquals(new Journal(scene.at("home")).names(), []);
  const record = new Journal(scene.at("home/file/x")).open("a", await lookAfter(scene));
  assertMatch(record.warning ?? "", /^Nothing looks after programs of a killed bulkhead: /);
  record.close();
});

Deno.test("a record stands while its program runs, and no longer", async () => {
  using scene = launchScene({}, { boxed: false, flags: { allow: { run: ["sh"] } } });
  const journal = new Journal(join(scene.at("home"), "running"));
  const limits = { processes: 64, free_disk_mb: 0 };
  const judge = () => Promise.resolve();
  const host = makeProgramHost({ launcher: scene, judge, limits, searchPath: "/usr/bin:/bin", journal });
  const { id } = await host.open({ argv: ["sh"] }, programCall());
  assertEquals(journal.names().length, 1);
  await host.close(id, { graceMs: 0 }, programCall());
  assertEquals(journal.names(), []);
  await host.end();
});

/** A workspace with a record whose owner is dead, written `agoMs` before now. */
async function killedScene({ agoMs = 0 } = {}) {
  const flags = { allow: { run: ["sh"] } };
  const scene = launchScene({ "ws/.vscode/mine.json": "", "ws/sub/": "" }, { boxed: false, flags });
  const journal = new Journal(scene.at("home/running"));
  const open = journal.open("dead.1", (await scene.prepare({ argv: ["sh", "-c", "true"] })).after);
  const path = join(journal.folder!, "dead.1.json");
  const record = { ...JSON.parse(Deno.readTextFileSync(path)), pid: 2 ** 22, time: Date.now() - agoMs };
  const told: string[] = [];
  return {
    ...{ scene, journal, told, path },
    /** As a killed process leaves it. */
    leave() {
      open.close();
      Deno.writeTextFileSync(path, JSON.stringify(record));
    },
    finish: () =>
      finishRecords(journal.names(), {
        folder: journal.folder!,
        searchPath: "/usr/bin:/bin",
        asideFolder: () => Promise.resolve(scene.at("aside")),
        tell: (line) => told.push(line),
      }),
    [Symbol.dispose]: () => scene[Symbol.dispose](),
  };
}

Deno.test("finishRecords() moves what a killed run's program left, and keeps what was there", async () => {
  using killed = await killedScene();
  const { scene, told, journal } = killed;
  killed.leave();
  Deno.writeTextFileSync(scene.at("ws/.vscode/tasks.json"), "");
  Deno.writeTextFileSync(scene.at("ws/sub/.envrc"), "");
  await killed.finish();
  assertEquals(scene.aside().toSorted(), [".envrc", "tasks.json"]);
  assertEquals(journal.names(), []);
  const killedIn = `A run in "${scene.at("ws")}" was killed while its program ran: looked at what it left`;
  assertEquals(told[0], killedIn);
  assertMatch(told.slice(1).join("\n"), /Moved ".*tasks.json" to .*\nMoved ".*\.envrc" to /);
  assertEquals([...Deno.readDirSync(scene.at("ws/.vscode"))].map(({ name }) => name), ["mine.json"]);
});

Deno.test("finishRecords() leaves a record alone whose run lives", async () => {
  using killed = await killedScene();
  Deno.writeTextFileSync(killed.scene.at("ws/.envrc"), "");
  await killed.finish();
  assertEquals([killed.told, killed.scene.aside(), killed.journal.names()], [[], [], ["dead.1.json"]]);
  killed.leave();
  await killed.finish();
  assertEquals([killed.scene.aside(), killed.journal.names()], [[".envrc"], []]);
});

Deno.test("finishRecords() leaves alone what was made after the program's death", async () => {
  using killed = await killedScene({ agoMs: 60_000 });
  const { scene, path, told } = killed;
  killed.leave();
  const died = Date.now() - 30_000;
  Deno.utimeSync(path, new Date(died), new Date(died));
  Deno.writeTextFileSync(scene.at("ws/.envrc"), "the user's own");
  await killed.finish();
  const { birthtime } = Deno.statSync(scene.at("ws/.envrc"));
  // Some disks do not tell when a file was made.
  assertEquals(scene.aside(), birthtime === null ? [".envrc"] : []);
  assertEquals(told.length, birthtime === null ? 2 : 1);
});

Deno.test("finishRecords() removes the record of a program that had not begun", async () => {
  using killed = await killedScene();
  killed.leave();
  Deno.writeTextFileSync(killed.path, '{"v":1,"pi');
  await killed.finish();
  assertEquals([killed.told, killed.journal.names()], [[], []]);
});
