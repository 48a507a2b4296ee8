import { assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { factsOf } from "../../../../../runtime/state/trees/entry_facts.ts";
import { placeEntries } from "../../../../../runtime/state/trees/place_entries.ts";
import { walkTree } from "../../../../../runtime/state/trees/walk_tree.ts";
import { inFolder, ODD_CHANGES, ODD_TREE, treeOf } from "../../../../support/cli/odd_tree.ts";

/** All paths of two trees, each with what the first one has there. */
async function allOf(from: string, to: string) {
  const [wanted, there] = [(await walkTree(from))!.entries, (await walkTree(to))!.entries];
  const paths = new Set([...wanted.keys(), ...there.keys()]);
  return [...paths].map((path) => ({ path, want: wanted.get(path) ?? null }));
}

function folders() {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  for (const name of ["from", "to"]) Deno.mkdirSync(`${root}/${name}`);
  return {
    from: `${root}/from`,
    to: `${root}/to`,
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

Deno.test("placeEntries() makes one tree what another one is, whatever is in them", async () => {
  using at = folders();
  await inFolder(at.from, `${ODD_TREE}\n${ODD_CHANGES}`);
  await inFolder(at.to, ODD_TREE);
  const { from, to } = at;
  await placeEntries(await allOf(from, to), { from, to });
  assertEquals(await treeOf(to), await treeOf(from));
  // Repeated, it changes nothing.
  await placeEntries(await allOf(from, to), { from, to });
  assertEquals(await treeOf(to), await treeOf(from));
});

Deno.test("placeEntries() follows no link on its way, and clears what an interrupted one left", async () => {
  using at = folders();
  await inFolder(at.from, "mkdir d; echo new > d/a");
  await inFolder(at.to, "mkdir real; echo old > real/a; ln -s real d; touch .bulkhead-place-0123abcd.tmp");
  const want = factsOf(`${at.from}/d/a`);
  const error = await assertRejects(() => placeEntries([{ path: "d/a", want }], at), ToolError);
  assertEquals([error.code, Deno.readTextFileSync(`${at.to}/real/a`)], ["not_found", "old\n"]);
  await placeEntries([{ path: "d", want: factsOf(`${at.from}/d`) }, { path: "d/a", want }], at);
  assertEquals([...Deno.readDirSync(at.to)].map(({ name }) => name).sort(), ["d", "real"]);
  assertEquals(Deno.readTextFileSync(`${at.to}/d/a`), "new\n");
});

Deno.test("placeEntries() makes no hard links of files that had one number one after the other", async () => {
  using at = folders();
  await inFolder(at.from, "echo 1 > a; echo longer > b");
  const [a, b] = [factsOf(`${at.from}/a`)!, factsOf(`${at.from}/b`)!];
  await placeEntries([{ path: "a", want: a }, { path: "b", want: { ...b, ino: a.ino } }], at);
  assertEquals(Deno.readTextFileSync(`${at.to}/a`), "1\n");
  assertEquals(Deno.readTextFileSync(`${at.to}/b`), "longer\n");
});
