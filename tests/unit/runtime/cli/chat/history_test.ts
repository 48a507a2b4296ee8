import { assertEquals } from "@std/assert";
import { join } from "@std/path";

import { makeHistory, openHistory } from "../../../../../runtime/cli/chat/history.ts";

const asIs = (text: string) => text;

function scene() {
  const folder = Deno.makeTempDirSync();
  return {
    path: join(folder, "state", "history.jsonl"),
    folder,
    [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }),
  };
}

Deno.test("openHistory() keeps entries between programs, for the user alone", () => {
  using place = scene();
  const { history, problem } = openHistory(place.path, (text) => text.replaceAll("key", "***"));
  assertEquals(problem, null);
  for (const entry of ["one", "one", " secret", "", "two\nlines", "a key", "one"]) history.add(entry);
  assertEquals(history.entries, ["one", "two\nlines", "a key", "one"]);
  assertEquals((Deno.statSync(place.path).mode ?? 0) & 0o777, 0o600);
  assertEquals(openHistory(place.path, asIs).history.entries, ["one", "two\nlines", "a ***", "one"]);
  // A torn line and a foreign one are left out.
  Deno.writeTextFileSync(place.path, '{"a":1}\n"tor', { append: true });
  assertEquals(openHistory(place.path, asIs).history.entries.length, 4);
});

Deno.test("openHistory() bounds what it keeps", () => {
  using place = scene();
  const { history } = openHistory(place.path, asIs);
  for (let n = 0; n < 1_600; n++) history.add(`entry ${n}`);
  history.add("x".repeat(10_001));
  const { entries } = openHistory(place.path, asIs).history;
  assertEquals([entries.length, entries[0], entries.at(-1)], [1_000, "entry 600", "entry 1599"]);
  assertEquals(Deno.readTextFileSync(place.path).split("\n").length, 1_001);
  assertEquals((Deno.statSync(place.path).mode ?? 0) & 0o777, 0o600);
  assertEquals([...Deno.readDirSync(join(place.folder, "state"))].length, 1);
});

Deno.test("openHistory() uses no file that others could have made, and closes one that others can read", () => {
  using place = scene();
  Deno.mkdirSync(join(place.folder, "state"));
  const other = join(place.folder, "other");
  Deno.writeTextFileSync(other, '"theirs"\n');
  Deno.symlinkSync(other, place.path);
  const { history, problem } = openHistory(place.path, asIs);
  history.add("mine");
  assertEquals([history.entries, problem], [["mine"], `"${place.path}" is no file of yours alone`]);
  assertEquals(Deno.readTextFileSync(other), '"theirs"\n');
  Deno.removeSync(place.path);
  Deno.writeTextFileSync(place.path, '"old"\n');
  Deno.chmodSync(place.path, 0o644);
  assertEquals(openHistory(place.path, asIs).history.entries, ["old"]);
  assertEquals((Deno.statSync(place.path).mode ?? 0) & 0o777, 0o600);
});

Deno.test("makeHistory() remembers", { permissions: "none" }, () => {
  const history = makeHistory(["a"]);
  history.add("b");
  assertEquals(history.entries, ["a", "b"]);
});
