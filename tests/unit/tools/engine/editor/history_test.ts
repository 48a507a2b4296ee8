import { assertEquals } from "@std/assert";

import type { SessionState } from "../../../../../schemas/context.ts";
import {
  dropLastEdit,
  hashText,
  lastEdit,
  type PastEdit,
  recordEdit,
} from "../../../../../tools/engine/editor/history.ts";

function session(): SessionState {
  const state = new Map<string, string>();
  return {
    get: (key) => Promise.resolve(state.has(key) ? JSON.parse(state.get(key)!) : undefined),
    set: (key, value) => Promise.resolve(void state.set(key, JSON.stringify(value))),
    alone: (_, work) => work(),
  };
}

function edit(path: string, after: string, removed = ""): PastEdit {
  return { path, after, reversal: { at: 0, removed, added: 0 } };
}

Deno.test("recordEdit() keeps the edits of each file apart", async () => {
  const state = session();
  for (const [path, after] of [["/a", "1"], ["/b", "2"], ["/a", "3"]] as const) {
    assertEquals(await recordEdit(state, edit(path, after), { levels: 50 }), true);
  }
  assertEquals((await lastEdit(state, "/a"))?.after, "3");
  await dropLastEdit(state, "/a");
  assertEquals((await lastEdit(state, "/a"))?.after, "1");
  await dropLastEdit(state, "/a");
  assertEquals(await lastEdit(state, "/a"), null);
  assertEquals((await lastEdit(state, "/b"))?.after, "2");
});

Deno.test("recordEdit() drops the oldest edits beyond the levels of a file", async () => {
  const state = session();
  for (const after of ["1", "2", "3"]) await recordEdit(state, edit("/a", after), { levels: 2 });
  const left = [];
  for (let last = await lastEdit(state, "/a"); last; last = await lastEdit(state, "/a")) {
    left.push(last.after);
    await dropLastEdit(state, "/a");
  }
  assertEquals(left, ["3", "2"]);
});

Deno.test("recordEdit() drops the oldest edits of all files beyond the total size", async () => {
  const state = session();
  const bounds = { levels: 50, maxUnits: 1_000 };
  await recordEdit(state, edit("/a", "1", "x".repeat(300)), bounds);
  await recordEdit(state, edit("/b", "2", "x".repeat(300)), bounds);
  assertEquals(await lastEdit(state, "/a"), null);
  assertEquals((await lastEdit(state, "/b"))?.after, "2");
  assertEquals(await recordEdit(state, edit("/b", "3", "x".repeat(1_000)), bounds), false);
  assertEquals(await lastEdit(state, "/b"), null);
});

Deno.test("hashText() is the SHA-256 of the UTF-8 bytes", async () => {
  assertEquals(await hashText("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
