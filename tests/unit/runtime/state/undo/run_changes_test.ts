import { assertEquals } from "@std/assert";

import { runChanges } from "../../../../../runtime/state/undo/run_changes.ts";
import {
  beginRecord,
  holdRecords,
  sessionRecords,
  takeBack,
} from "../../../../../runtime/state/undo/undo_store.ts";
import { workspace } from "../../../../support/run_tool.ts";

function scene(files: Record<string, string | Uint8Array>) {
  const root = workspace(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`ws/${name}`, text])),
  );
  const [state, ws] = [root.at("state"), root.at("ws")];
  const write = (name: string, text: string | Uint8Array) =>
    Deno.writeFileSync(`${ws}/${name}`, typeof text === "string" ? new TextEncoder().encode(text) : text);
  return {
    ...{ state, ws, write },
    begin: (session = "s") =>
      beginRecord(state, { session, workspace: ws, time: new Date().toISOString(), by: "run" }),
    changes: () => runChanges(sessionRecords(state, "s")),
    [Symbol.dispose]: () => root[Symbol.dispose](),
  };
}

Deno.test("runChanges() tells what is other than before the run, while it is at work and after it", async () => {
  using at = scene({ "a.txt": "one\ntwo\n", gone: "x\n", same: "s\n", "bytes.bin": new Uint8Array([0, 1]) });
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

Deno.test("runChanges() compares with the state before the first record of several, and of this session alone", async () => {
  using at = scene({ a: "1\n" });
  for (const text of ["2\n", "3\n"]) {
    const record = at.begin();
    await record.keep([`${at.ws}/a`]);
    at.write("a", text);
    await record.close();
    // Records are named by their time.
    await new Promise((resolve) => setTimeout(resolve, 2));
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
