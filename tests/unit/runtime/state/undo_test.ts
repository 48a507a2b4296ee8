import { assertEquals, assertRejects } from "@std/assert";

import { runChanges } from "../../../../runtime/state/undo/run_changes.ts";
import {
  beginRecord,
  holdRecords,
  listRecords,
  removeOldRecords,
  sessionRecords,
  takeBack,
} from "../../../../runtime/state/undo/undo_store.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { inFolder, ODD_CHANGES, ODD_TREE, treeOf } from "../../../support/cli/odd_tree.ts";
import { workspace } from "../../../support/run_tool.ts";

async function scene(script: string) {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  const [ws, state] = [`${root}/ws`, `${root}/state`];
  Deno.mkdirSync(ws);
  await inFolder(ws, script);
  const begin = () =>
    beginRecord(state, { session: "s", workspace: ws, time: new Date().toISOString(), by: "run" });
  /** A run that keeps these names and changes them. */
  const change = async (names: readonly string[], script: string) => {
    const record = begin();
    await record.keep(names.map((name) => `${ws}/${name}`));
    await inFolder(ws, script);
    await record.settle();
    await record.close();
  };
  return { ws, state, begin, change, [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }) };
}

/** A record that nobody closes, as a kill leaves it. */
async function takeBackNewest(state: string, options: { force?: boolean } = {}) {
  using held = await holdRecords(listRecords(state).slice(0, 1));
  const { done, refused } = await takeBack(held, options);
  const told = refused.map(({ path, refused }) => `${path.split("/").at(-1)}: ${refused}`);
  return { done: done.length, refused: told };
}

Deno.test("a record takes back what programs changed, also when its run was killed", async () => {
  for (const isKilled of [false, true]) {
    using at = await scene(ODD_TREE);
    const before = await treeOf(at.ws);
    const record = at.begin();
    assertEquals(await record.beginProgram([at.ws]), null);
    await inFolder(at.ws, ODD_CHANGES);
    if (isKilled) await record.abandon();
    else {
      await record.endProgram({ isEnd: true });
      await record.close();
    }
    assertEquals((await takeBackNewest(at.state)).refused, []);
    assertEquals(await treeOf(at.ws), before, `killed: ${isKilled}`);
    assertEquals(listRecords(at.state)[0]!.isUndone, true);
  }
});

Deno.test("a record knows the run's changes from those of others, before, between and after", async () => {
  using at = await scene("echo 1 > a; echo 1 > b; echo 1 > c; echo 1 > d");
  const write = (name: string, text: string) => Deno.writeTextFileSync(`${at.ws}/${name}`, text);
  const record = at.begin();
  await record.beginProgram([at.ws]);
  write("a", "program\n");
  await record.endProgram({ isEnd: true });
  write("a", "mine, between\n");
  write("b", "mine, between\n");
  await record.beginProgram([at.ws]);
  write("b", "program\n");
  write("c", "program\n");
  await record.endProgram({ isEnd: true });
  await record.keep([`${at.ws}/n/e/w`]);
  Deno.mkdirSync(`${at.ws}/n/e`, { recursive: true });
  write("n/e/w", "tool\n");
  await record.settle();
  await record.close();
  write("c", "mine, later\n");
  const { refused } = await takeBackNewest(at.state);
  assertEquals(refused, [
    "a: something else changed it between two changes of the run",
    "c: it changed after the run had changed it",
  ]);
  const read = (name: string) => Deno.readTextFileSync(`${at.ws}/${name}`);
  const left = ["mine, between\n", "mine, between\n", "mine, later\n", "1\n"];
  assertEquals(["a", "b", "c", "d"].map(read), left);
  assertEquals([...Deno.readDirSync(at.ws)].some(({ name }) => name === "n"), false);
  assertEquals((await takeBackNewest(at.state, { force: true })).refused, []);
  assertEquals(["a", "b", "c", "d"].map(read), ["1\n", "mine, between\n", "1\n", "1\n"]);
});

Deno.test("a record says once that a folder is too large, and still keeps what tools change", async () => {
  using at = await scene("mkdir many; touch many/{1..20}; echo 1 > a");
  const { UndoRecord } = await import("../../../../runtime/state/undo/undo_record.ts");
  const head = { session: "s", workspace: at.ws, time: new Date().toISOString(), by: "run" } as const;
  const record = new UndoRecord(`${at.state}/undo/r`, { head, state: at.state, bounds: { entries: 10 } });
  const why = await record.beginProgram([at.ws]);
  assertEquals(why?.includes("it has more than 10 files"), true);
  assertEquals(await record.beginProgram([at.ws]), null);
  await record.keep([`${at.ws}/a`]);
  Deno.writeTextFileSync(`${at.ws}/a`, "2\n");
  await record.close();
  assertEquals((await takeBackNewest(at.state)).refused, []);
  assertEquals(Deno.readTextFileSync(`${at.ws}/a`), "1\n");
});

Deno.test("a record brings back the hard link that a tool's write has broken", async () => {
  using at = await scene("echo 1 > a; ln a hard; touch -d 2020-01-01 a");
  const before = await treeOf(at.ws);
  const record = at.begin();
  await record.keep([`${at.ws}/a`]);
  await inFolder(at.ws, "echo 2 > new; mv new a");
  await record.abandon();
  assertEquals((await takeBackNewest(at.state)).refused, []);
  assertEquals(await treeOf(at.ws), before);
});

Deno.test("a record takes back a link in the place of a folder, and touches nothing behind it", async () => {
  using at = await scene("mkdir d ../out; echo 1 > d/a; echo outside > ../out/made; mkdir ../out/a");
  const before = await treeOf(at.ws);
  const record = at.begin();
  await record.beginProgram([at.ws]);
  await record.keep([`${at.ws}/d/made`]);
  await inFolder(at.ws, "echo 2 > d/made; rm -r d; ln -s ../out d");
  await record.abandon();
  const outside = await treeOf(`${at.ws}/../out`);
  assertEquals((await takeBackNewest(at.state)).refused, []);
  assertEquals(await treeOf(at.ws), before);
  assertEquals(await treeOf(`${at.ws}/../out`), outside);
});

Deno.test("a record clears up what was copied and had not got its name yet", async () => {
  using at = await scene("mkdir d; echo 1 > d/a");
  const before = await treeOf(at.ws);
  const record = at.begin();
  await record.keep([`${at.ws}/d/a`]);
  await inFolder(at.ws, "echo 2 > d/.bulkhead-place-0123abcd-0123abcd.tmp");
  await record.abandon();
  await takeBackNewest(at.state);
  assertEquals(await treeOf(at.ws), before);
});

/** Two runs of one session, of which the second changes what the first one made. */
async function twoRuns(at: Awaited<ReturnType<typeof scene>>, { isKilled }: { isKilled: boolean }) {
  const run = async (script: string, isKilled: boolean) => {
    const record = at.begin();
    await record.beginProgram([at.ws]);
    await inFolder(at.ws, script);
    if (!isKilled) await record.endProgram({ isEnd: true });
    await (isKilled ? record.abandon() : record.close());
  };
  await run("echo 2 > a; rm gone; mkdir -p d/x/g; echo 1 > d/x/g/e; echo 1 > d/f", isKilled);
  await run("echo 3 > a; echo 3 > b; echo back > gone; rm d/x/g/e; echo 2 > d/f", false);
}

Deno.test("records of one session are taken back together, also where both changed a file and one was killed", async () => {
  for (const isKilled of [false, true]) {
    using at = await scene("echo 1 > a; echo 1 > b; echo 1 > gone; echo 1 > mine");
    const before = await treeOf(at.ws);
    await twoRuns(at, { isKilled });
    const records = listRecords(at.state);
    assertEquals(records.length, 2);
    {
      using held = await holdRecords(records);
      const { done, refused } = await takeBack(held);
      assertEquals(refused, [], `killed: ${isKilled}`);
      const shown = done.map(({ path, action }) => `${action} ${path.slice(at.ws.length + 1)}`);
      const removed = ["d", "d/f", "d/x", "d/x/g"].map((path) => `remove ${path}`);
      assertEquals(shown, ["restore a", "restore b", ...removed, "restore gone"]);
    }
    assertEquals(await treeOf(at.ws), before, `killed: ${isKilled}`);
    assertEquals(listRecords(at.state).map(({ isUndone }) => isUndone), [true, true]);
  }
  // What both leave as it is, is told once.
  using at = await scene("echo 1 > a; echo 1 > b; echo 1 > gone");
  await twoRuns(at, { isKilled: false });
  Deno.writeTextFileSync(`${at.ws}/a`, "mine\n");
  using held = await holdRecords(listRecords(at.state));
  assertEquals((await takeBack(held)).refused.map(({ path, refused }) => [path, refused]), [
    [`${at.ws}/a`, "it changed after the run had changed it"],
  ]);
});

Deno.test("taking back some records goes on wherever it was interrupted", async () => {
  const states = ["true", "echo 3 > a", "echo 2 > a; mkdir d", "mkdir d; echo 2 > d/f; rm gone", "rm b"];
  for (const state of states) {
    using at = await scene("echo 1 > a; echo 1 > b; echo 1 > gone; echo 1 > mine");
    const before = await treeOf(at.ws);
    await twoRuns(at, { isKilled: false });
    for (const isAgain of [false, true]) {
      const records = listRecords(at.state);
      using held = await holdRecords(records);
      assertEquals(held.records.map(({ isInterrupted }) => isInterrupted), [isAgain, isAgain]);
      assertEquals((await takeBack(held)).refused, []);
      assertEquals(await treeOf(at.ws), before, state);
      if (isAgain) continue;
      for (const { folder } of records) {
        const path = `${folder}/changes.jsonl`;
        Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replace('{"t":"undone"}\n', '{"t":'));
      }
      await inFolder(at.ws, state);
    }
  }
});

Deno.test("a record that went on since it was read is taken back as it is now", async () => {
  using at = await scene("echo 1 > a; echo 1 > b");
  const before = await treeOf(at.ws);
  const record = at.begin();
  const write = async (name: string) => {
    await record.keep([`${at.ws}/${name}`]);
    await inFolder(at.ws, `echo 2 > ${name}`);
    await record.settle();
  };
  await write("a");
  const early = listRecords(at.state);
  const error = await assertRejects(() => holdRecords(early), ToolError);
  assertEquals(error.code, "conflict");
  await write("b");
  await record.close();
  {
    using held = await holdRecords(early);
    await takeBack(held);
  }
  assertEquals(await treeOf(at.ws), before);
  using held = await holdRecords(early);
  assertEquals(held.records, []);
});

Deno.test("a folder that an interrupted undo had opened is closed again, also if something else is left", async () => {
  using at = await scene("mkdir shut; echo 1 > shut/in; echo 1 > mine; chmod 500 shut");
  await at.change(["shut/in", "mine"], "echo 2 > shut/in; echo 2 > mine");
  await inFolder(at.ws, "echo mine > mine; chmod 700 shut");
  assertEquals((await takeBackNewest(at.state)).refused, ["mine: it changed after the run had changed it"]);
  assertEquals(Deno.lstatSync(`${at.ws}/shut`).mode! & 0o777, 0o500);
  assertEquals(Deno.readTextFileSync(`${at.ws}/shut/in`), "1\n");
});

Deno.test("what somebody changed after a kill is left, however often undo is asked", async () => {
  using at = await scene("echo 1 > a; echo 1 > b");
  const record = at.begin();
  await record.beginProgram([at.ws]);
  await inFolder(at.ws, "echo 2 > a; echo 2 > b");
  await record.abandon();
  const [{ folder } = { folder: "" }] = listRecords(at.state);
  // As if it had been killed long ago, and both files were changed since.
  Deno.utimeSync(`${folder}/alive`, 0, 0);
  for (let n = 0; n < 2; n++) {
    assertEquals((await takeBackNewest(at.state)).refused, [
      "a: it changed after the run had changed it",
      "b: it changed after the run had changed it",
    ]);
  }
});

Deno.test("the newest records are kept, by their number and by what they keep together", async () => {
  using at = await scene("true");
  const folder = (n: number) => `${at.state}/undo/20260101${String(n).padStart(9, "0")}-00000000`;
  for (let n = 0; n < 52; n++) Deno.mkdirSync(folder(n), { recursive: true });
  const count = () => [...Deno.readDirSync(`${at.state}/undo`)].length;
  await removeOldRecords(at.state);
  assertEquals([count(), Deno.statSync(folder(2)).isDirectory], [50, true]);
  Deno.writeTextFileSync(`${folder(40)}/bytes`, String(5 * 1024 ** 3));
  await removeOldRecords(at.state);
  assertEquals([count(), Deno.statSync(folder(41)).isDirectory], [11, true]);
});

Deno.test("a record keeps nothing of bulkhead's own files", async () => {
  using at = await scene("true");
  const record = at.begin();
  await record.keep([`${at.state}/sessions/a`]);
  assertEquals([await record.beginProgram([at.state]), record.isUsed], [null, false]);
});

function filesScene(files: Record<string, string | Uint8Array>) {
  const root = workspace(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`ws/${name}`, text])),
  );
  const [state, ws] = [root.at("state"), root.at("ws")];
  let begun = Date.UTC(2026, 0, 1);
  const write = (name: string, text: string | Uint8Array) =>
    Deno.writeFileSync(`${ws}/${name}`, typeof text === "string" ? new TextEncoder().encode(text) : text);
  return {
    ...{ state, ws, write },
    // Records are named by their time.
    begin: (session = "s") =>
      beginRecord(state, { session, workspace: ws, time: new Date(++begun).toISOString(), by: "run" }),
    changes: () => runChanges(sessionRecords(state, "s")),
    [Symbol.dispose]: () => root[Symbol.dispose](),
  };
}

Deno.test("runChanges() tells what is other than before the run, while it is at work and after it", async () => {
  const bytes = { "bytes.bin": new Uint8Array([0, 1]) };
  using at = filesScene({ "a.txt": "one\ntwo\n", gone: "x\n", same: "s\n", ...bytes });
  const record = at.begin();
  await record.keep(["a.txt", "n/e/w", "gone", "same", "bytes.bin"].map((name) => `${at.ws}/${name}`));
  at.write("a.txt", "one\n2\n");
  Deno.mkdirSync(`${at.ws}/n/e`, { recursive: true });
  at.write("n/e/w", "new\x1b[2J\n");
  Deno.removeSync(`${at.ws}/gone`);
  at.write("bytes.bin", new Uint8Array([0, 2, 3]));
  const expected = [
    { path: "a.txt", status: "modified", added: 1, removed: 1 },
    { path: "bytes.bin", status: "modified", added: null, removed: null },
    { path: "gone", status: "deleted", added: 0, removed: 1 },
    { path: "n/e/w", status: "added", added: 1, removed: 0 },
  ] as const;
  const atWork = await at.changes();
  assertEquals(atWork.map(({ diff: _, ...rest }) => rest), [...expected]);
  await record.close();
  const changes = await at.changes();
  assertEquals(changes, atWork);
  assertEquals(
    changes.map(({ diff }) => diff).join(""),
    "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n" +
      "--- a/bytes.bin\n+++ b/bytes.bin\n2 bytes to 3 bytes: not shown\n" +
      "--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n" +
      "--- /dev/null\n+++ b/n/e/w\n@@ -0,0 +1 @@\n+new\n",
  );
});

Deno.test("what walls kept from a program is no change of its run, and secrets have names alone in any", async () => {
  for (const isAtWork of [false, true]) {
    using at = filesScene({ ".env": "KEY=old-value\n", "a.txt": "1\n", "id_rsa": "old-value\n" });
    const record = at.begin();
    await record.keep([`${at.ws}/id_rsa`]);
    at.write("id_rsa", "new-value\n");
    await record.settle();
    const shut = { paths: [`${at.ws}/.env`, `${at.ws}/id_rsa`], except: [] };
    assertEquals(await record.beginProgram([at.ws], shut), null);
    // The user does so while the program runs, and the program makes a file of its own with a secret's name.
    at.write(".env", "KEY=new-value\n");
    at.write(".env.local", "KEY=new-value\n");
    at.write("a.txt", "2\n");
    if (!isAtWork) await record.endProgram({ isEnd: true });
    const changes = await at.changes();
    assertEquals(changes.map(({ path, status }) => `${path} ${status}`), [
      ".env.local added",
      "a.txt modified",
      "id_rsa modified",
    ], `at work: ${isAtWork}`);
    assertEquals(/(?:old|new)-value/.test(JSON.stringify(changes)), false);
    await record.endProgram({ isEnd: true });
    await record.close();
    await takeBackNewest(at.state);
    const left = (name: string) => Deno.readTextFileSync(`${at.ws}/${name}`);
    assertEquals([left(".env"), left("a.txt"), left("id_rsa")], ["KEY=new-value\n", "1\n", "old-value\n"]);
  }
});

Deno.test("runChanges() compares with the state before the first record of several, and of this session alone", async () => {
  using at = filesScene({ a: "1\n" });
  for (const text of ["2\n", "3\n"]) {
    const record = at.begin();
    await record.keep([`${at.ws}/a`]);
    at.write("a", text);
    await record.close();
  }
  const other = at.begin("s2");
  await other.keep([`${at.ws}/b`]);
  at.write("b", "of another session\n");
  await other.close();
  const [change, ...rest] = await at.changes();
  assertEquals([change?.diff, rest], ["--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+3\n", []]);
  using held = await holdRecords(sessionRecords(at.state, "s"));
  await takeBack(held);
  assertEquals([sessionRecords(at.state, "s"), await at.changes()], [[], []]);
});

Deno.test("a folder that the run made stays if somebody else put something into it", async () => {
  using at = await scene("echo 1 > a");
  await at.change(["new", "new/own"], "mkdir new; echo run > new/own");
  await inFolder(at.ws, "echo mine > new/mine");
  assertEquals((await takeBackNewest(at.state)).refused, [
    "new: something is in it that the run did not make",
  ]);
  assertEquals([...Deno.readDirSync(`${at.ws}/new`)].map(({ name }) => name), ["mine"]);
});
