import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import {
  applyChanges,
  chooseChanges,
  takeBackUnfinished,
} from "../../../../runtime/state/overlay/apply_overlay.ts";
import { changesOf } from "../../../../runtime/state/overlay/overlay_changes.ts";
import {
  holdOverlay,
  isUnended,
  listOverlays,
  makeOverlay,
  readManifest,
  removeOverlay,
  removeParts,
  workIn,
  writeManifest,
} from "../../../../runtime/state/overlay/overlay_store.ts";
import { factsOf } from "../../../../runtime/state/trees/entry_facts.ts";
import { placeEntries } from "../../../../runtime/state/trees/place_entries.ts";
import {
  beginRecord,
  holdRecords,
  listRecords,
  takeBack,
} from "../../../../runtime/state/undo/undo_store.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { inFolder } from "../../../support/cli/odd_tree.ts";

async function storeScene() {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  const [ws, state] = [`${root}/ws`, `${root}/state`];
  Deno.mkdirSync(ws);
  const { overlay } = await makeOverlay(state, { id: "one", workspace: ws, now: new Date() });
  const names = () => [...Deno.readDirSync(`${state}/overlays`)].map(({ name }) => name).sort();
  return { state, overlay, names, [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }) };
}

/** Waits until nobody in this process waits for a lock any more; who gave up waiting holds the file until it comes. */
async function lockIsLeft(path: string): Promise<void> {
  const script = `ls -l /proc/${Deno.pid}/fd | grep -F "${path}"`;
  while ((await new Deno.Command("sh", { args: ["-c", script] }).output()).success) { /* Look again. */ }
}

Deno.test("removeParts() removes what nobody works on, and no more", async () => {
  using at = await storeScene();
  const part = (name: string) => ({ ...at.overlay, folder: `${at.state}/overlays/.part-${name}` });
  for (const name of ["dead", "alive"]) Deno.mkdirSync(`${part(name).folder}/tree/shut`, { recursive: true });
  Deno.chmodSync(`${part("dead").folder}/tree/shut`, 0);
  {
    using _held = await holdOverlay(part("alive"));
    assertEquals(await removeParts(at.state), 1);
    assertEquals(at.names(), [".part-alive", "one"]);
  }
  await lockIsLeft(`${part("alive").folder}/lock`);
  assertEquals([await removeParts(at.state), at.names()], [1, ["one"]]);
});

Deno.test("an overlay is unended while a run works in it, and when that was killed there", async () => {
  using at = await storeScene();
  assertEquals(isUnended(at.overlay), false);
  await workIn(at.overlay, async () => {
    assertEquals(isUnended(at.overlay), true);
    assertEquals((await assertRejects(() => removeOverlay(at.overlay), ToolError)).code, "conflict");
  });
  await lockIsLeft(`${at.overlay.folder}/lock`);
  assertEquals(isUnended(at.overlay), false);
  await assertRejects(() => workIn(at.overlay, () => Promise.reject(new Error("killed"))));
  assertEquals(isUnended(at.overlay), true);
});

Deno.test("an overlay is gone with one step, and what is left of it is removed later", async () => {
  using at = await storeScene();
  await removeOverlay(at.overlay);
  assertEquals([listOverlays(at.state), at.names()], [[], []]);
});

async function scene(script: string) {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  const [ws, state] = [`${root}/ws`, `${root}/state`];
  Deno.mkdirSync(ws);
  await inFolder(ws, script);
  const { overlay } = await makeOverlay(state, { id: "one", workspace: ws, now: new Date() });
  const apply = async (...paths: string[]) =>
    await applyChanges(state, overlay, chooseChanges((await changesOf(overlay)).changes, paths), {
      now: new Date(),
    });
  const inode = (path: string) => factsOf(`${ws}/${path}`)?.ino;
  const read = (path: string) => Deno.readTextFileSync(`${ws}/${path}`);
  const end = { [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }) };
  return { ws, state, overlay, tree: overlay.tree, apply, inode, read, ...end };
}

Deno.test("a new name of a file becomes a hard link to the workspace's", async () => {
  using at = await scene("echo 1 > a");
  await inFolder(at.tree, "ln a b");
  await at.apply();
  assertEquals([at.read("b"), at.inode("b")], ["1\n", at.inode("a")]);
});

Deno.test("a new file is no hard link, though the system gave it the number of a file that is gone", async () => {
  using at = await scene("echo old > a");
  await inFolder(at.tree, "echo second > new; mv new a; echo third > b");
  // Which number a new file gets is the system's choice.
  const manifest = readManifest(at.overlay);
  const { ino } = factsOf(`${at.tree}/b`)!;
  const { original, copy } = manifest.get("a")!;
  manifest.set("a", { original, copy: { ...copy, ino } });
  writeManifest(at.overlay.folder, manifest);
  await at.apply("b");
  assertEquals([at.read("a"), at.read("b")], ["old\n", "third\n"]);
});

Deno.test("a new name of a file that was changed in its place brings the content that it has", async () => {
  using at = await scene("echo old > a; touch -d 2020-01-01 a");
  await inFolder(at.tree, "ln a b; echo new > a; touch -d 2020-01-01 a");
  await at.apply("b");
  assertEquals([at.read("a"), at.read("b")], ["old\n", "new\n"]);
});

Deno.test("a change is seen that leaves size and time, also in the second of the copy", async () => {
  using at = await scene("echo 1 > a; touch -d 2020-01-01 a");
  await inFolder(at.tree, "echo 2 > a; touch -d 2020-01-01 a");
  await at.apply();
  assertEquals(at.read("a"), "2\n");
});

/** An apply of one file that has not come to its end. */
async function beginApply({ ws, state }: { ws: string; state: string }) {
  const head = { session: "one", workspace: ws, time: new Date().toISOString(), by: "apply" } as const;
  const record = beginRecord(state, head);
  await record.keep([`${ws}/a`]);
  await inFolder(ws, "echo new > a");
  return record;
}

Deno.test("an apply that ends while somebody waits for it is not taken back", async () => {
  using at = await scene("echo old > a");
  const record = await beginApply(at);
  const taken = takeBackUnfinished(at.state, at.ws);
  await record.close();
  assertEquals([await taken, at.read("a")], [0, "new\n"]);
});

/** As if an apply had begun long ago: the system gives each change the time that it is. */
function begunLongAgo(state: string, { isAlive }: { isAlive: boolean }): void {
  for (const { name } of Deno.readDirSync(`${state}/undo`)) {
    const lines = `${state}/undo/${name}/changes.jsonl`;
    Deno.writeTextFileSync(lines, Deno.readTextFileSync(lines).replace(/"at":\d+/g, '"at":0'));
    if (!isAlive) Deno.utimeSync(`${state}/undo/${name}/alive`, 0, 0);
  }
}

Deno.test("an interrupted apply is taken back, what changed since with force alone", async () => {
  using at = await scene("echo old > a; echo old > b");
  await (await beginApply(at)).abandon();
  begunLongAgo(at.state, { isAlive: true });
  assertEquals([await takeBackUnfinished(at.state, at.ws), at.read("a")], [1, "old\n"]);
  await (await beginApply(at)).abandon();
  await inFolder(at.ws, "echo mine > a");
  begunLongAgo(at.state, { isAlive: false });
  // Looking twice changes nothing about it.
  for (let n = 0; n < 2; n++) {
    const error = await assertRejects(() => takeBackUnfinished(at.state, at.ws), ToolError);
    assertEquals([error.code, at.read("a")], ["conflict", "mine\n"]);
    assertStringIncludes(error.message, "undo --force one");
  }
  assertEquals([await takeBackUnfinished(at.state, at.ws, { force: true }), at.read("a")], [1, "old\n"]);
});

function folders() {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  for (const name of ["from", "to"]) Deno.mkdirSync(`${root}/${name}`);
  const end = { [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }) };
  const placer = { token: "00000000", isDead: (token: string) => Promise.resolve(token !== "11111111") };
  return { from: `${root}/from`, to: `${root}/to`, placer, ...end };
}

Deno.test("placeEntries() follows no link on its way, and clears what an interrupted one left", async () => {
  using at = folders();
  await inFolder(at.from, "mkdir d; echo new > d/a");
  await inFolder(at.to, "mkdir real; echo old > real/a; ln -s real d");
  // Another one is at work with the last.
  const temporaries = ["00000000", "22222222", "11111111"].map((token) =>
    `.bulkhead-place-${token}-0123abcd.tmp`
  );
  for (const name of temporaries) Deno.writeTextFileSync(`${at.to}/${name}`, "");

  const want = factsOf(`${at.from}/d/a`);
  const error = await assertRejects(() => placeEntries([{ path: "d/a", want }], at), ToolError);
  assertEquals([error.code, Deno.readTextFileSync(`${at.to}/real/a`)], ["not_found", "old\n"]);
  await placeEntries([{ path: "d", want: factsOf(`${at.from}/d`) }, { path: "d/a", want }], at);
  assertEquals([...Deno.readDirSync(at.to)].map(({ name }) => name).sort(), [temporaries[2], "d", "real"]);
  assertEquals(Deno.readTextFileSync(`${at.to}/d/a`), "new\n");
});

Deno.test({
  name: "an apply and an undo leave files and folders to whom they belong, where root does them",
  ignore: Deno.uid() !== 0,
  async fn() {
    using at = await scene("mkdir d; echo 1 > d/a; echo 1 > b; chown -R 1000:1001 d b");
    const owners = () => ["d", "d/a", "b"].map((name) => factsOf(`${at.ws}/${name}`)?.owner);
    const before = owners();
    await inFolder(at.tree, "echo 2 > b; chown 0:0 b; rm -r d");
    await at.apply();
    assertEquals(owners(), [undefined, undefined, [1000, 1001]]);
    const [record] = listRecords(at.state);
    using held = await holdRecords([record!]);
    const { warnings } = await takeBack(held);
    assertEquals([owners(), warnings], [before, []]);
  },
});

Deno.test("placeEntries() makes no hard links of files that had one number one after the other", async () => {
  using at = folders();
  await inFolder(at.from, "echo 1 > a; echo longer > b");
  const [a, b] = [factsOf(`${at.from}/a`)!, factsOf(`${at.from}/b`)!];
  await placeEntries([{ path: "a", want: a }, { path: "b", want: { ...b, ino: a.ino } }], at);
  assertEquals(Deno.readTextFileSync(`${at.to}/a`), "1\n");
  assertEquals(Deno.readTextFileSync(`${at.to}/b`), "longer\n");
});

Deno.test("an apply changes nothing if something changed meanwhile, or fails in its middle", async () => {
  using at = await scene("echo 1 > a; echo 1 > b; mkdir d; echo 1 > d/c");
  await inFolder(at.tree, "echo 2 > a; echo 2 > b; echo 2 > d/c");
  await inFolder(at.ws, "echo mine > b");
  const outdated = await assertRejects(() => at.apply(), ToolError, '"b" changed in the workspace since');
  assertEquals([outdated.code, at.read("a"), at.read("b")], ["conflict", "1\n", "mine\n"]);
  const { renameSync } = Deno;
  Deno.renameSync = (from, to) => {
    if (String(to).endsWith("/d/c")) throw new Deno.errors.PermissionDenied("closed");
    renameSync(from, to);
  };
  try {
    await assertRejects(() => at.apply("a", "d/c"), ToolError);
  } finally {
    Deno.renameSync = renameSync;
  }
  assertEquals([at.read("a"), at.read("d/c")], ["1\n", "1\n"]);
  await at.apply("a", "d/c");
  assertEquals([at.read("a"), at.read("d/c")], ["2\n", "2\n"]);
});

Deno.test("an apply brings no bits by which a file becomes its owner", async () => {
  using at = await scene("echo 1 > a");
  await inFolder(at.tree, "echo 2 > a; chmod 6755 a; echo 3 > b; chmod 4711 b");
  await at.apply();
  const modes = ["a", "b"].map((name) => (Deno.statSync(`${at.ws}/${name}`).mode! & 0o7777).toString(8));
  assertEquals(modes, ["755", "711"]);
});

Deno.test("makeOverlay() copies no folder that holds bulkhead's own files", async () => {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  const make = () => makeOverlay(`${root}/ws/state`, { id: "one", workspace: `${root}/ws`, now: new Date() });
  Deno.mkdirSync(`${root}/ws`);
  const { code } = await assertRejects(make, ToolError, "choose a smaller --workspace");
  assertEquals([code, [...Deno.readDirSync(`${root}/ws`)]], ["configuration", []]);
  Deno.removeSync(root, { recursive: true });
});
