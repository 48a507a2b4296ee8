import { assertEquals } from "@std/assert";
import { basename, join } from "@std/path";

import {
  makeArtifactFolder,
  removeOldRuns,
  runsOfWorkspace,
} from "../../../../runtime/state/artifact_folder.ts";

/** A folder that is removed with the test. */
function scratch() {
  const path = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bulkhead-test-" }));
  return { path, [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }) };
}

Deno.test("makeArtifactFolder() makes a private folder with the first file, and numbers taken names", async () => {
  using root = scratch();
  const made: string[] = [];
  const path = join(root.path, "run");
  const onMade = (folder: string) => Promise.resolve(void made.push(folder));
  const artifacts = makeArtifactFolder(() => path, { onMade });
  assertEquals([artifacts.made, [...Deno.readDirSync(root.path)]], [null, []]);
  const names: string[] = [];
  for (let n = 0; n < 3; n++) {
    const { path, file } = await artifacts.open("stdout.txt");
    file.close();
    names.push(basename(path));
  }
  assertEquals(names, ["stdout.txt", "stdout-2.txt", "stdout-3.txt"]);
  assertEquals([artifacts.made, made], [path, [path]]);
  assertEquals(Deno.statSync(path).mode! & 0o777, 0o700);
  assertEquals(Deno.statSync(join(path, "stdout.txt")).mode! & 0o777, 0o600);
  assertEquals(basename(await artifacts.folder("aside")).startsWith("aside-"), true);
});

Deno.test("makeArtifactFolder() does not follow a link that takes a name", async () => {
  using root = scratch();
  const target = join(root.path, "target");
  Deno.writeTextFileSync(target, "kept");
  const artifacts = makeArtifactFolder(() => join(root.path, "run"));
  (await artifacts.open("a")).file.close();
  Deno.symlinkSync(target, join(root.path, "run", "b"));
  const { path, file } = await artifacts.open("b");
  file.writeSync(new TextEncoder().encode("new"));
  file.close();
  assertEquals([basename(path), Deno.readTextFileSync(target)], ["b-2", "kept"]);
});

Deno.test("makeArtifactFolder() makes one folder for files that are opened at once", async () => {
  using root = scratch();
  let asked = 0;
  const artifacts = makeArtifactFolder(() => join(root.path, `run-${++asked}`));
  const opened = await Promise.all(["stdout.txt", "stderr.txt"].map((name) => artifacts.open(name)));
  for (const { file } of opened) file.close();
  assertEquals([asked, [...Deno.readDirSync(root.path)].length], [1, 1]);
});

Deno.test("removeOldRuns() removes what is older, and nothing else", async () => {
  using root = scratch();
  const [old, recent] = [crypto.randomUUID(), crypto.randomUUID()];
  const past = new Date("2001-01-01");
  for (const name of [old, recent, "another's"]) {
    Deno.mkdirSync(join(root.path, name, "inside"), { recursive: true });
    if (name !== recent) Deno.utimeSync(join(root.path, name), past, past);
  }
  await removeOldRuns(root.path, { olderThan: new Date("2002-01-01") });
  assertEquals(
    Array.from(Deno.readDirSync(root.path), ({ name }) => name).sort(),
    [recent, "another's"].sort(),
  );
  await removeOldRuns(join(root.path, "absent"), { olderThan: past });
});

Deno.test("runs of one workspace share a folder, which file tools may read", async () => {
  using root = scratch();
  const [one, other] = [join(root.path, "one"), join(root.path, "other")];
  for (const path of [one, other]) Deno.mkdirSync(path);
  const runs = join(root.path, "runs");
  const shared = runsOfWorkspace(runs, one)!;
  assertEquals([runsOfWorkspace(runs, one), runsOfWorkspace(runs, other) === shared], [shared, false]);
  const artifacts = makeArtifactFolder(() => join(shared, crypto.randomUUID()), { shared: { found: null } });
  assertEquals(artifacts.readable, null);
  (await artifacts.open("a")).file.close();
  assertEquals(artifacts.readable, shared);
  Deno.utimeSync(artifacts.made!, new Date("2001-01-01"), new Date("2001-01-01"));
  await removeOldRuns(runs, { olderThan: new Date("2002-01-01") });
  assertEquals([...Deno.readDirSync(shared)], []);
});
