import { assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";

import { Journal } from "../../../../../runtime/programs/journal/journal.ts";
import type { LookAfter } from "../../../../../runtime/programs/protected/look_after.ts";
import { makeProgramHost } from "../../../../../runtime/programs/process/make_program_host.ts";
import { launchScene } from "../../../../support/launch_scene.ts";
import { programCall } from "../../../../support/program_scene.ts";

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
  assertMatch(record.warning ?? "", /^If bulkhead is killed while this program runs, no later run looks/);
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
