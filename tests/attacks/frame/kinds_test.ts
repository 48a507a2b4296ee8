import { assertEquals } from "@std/assert";

import { type Attack, KINDS } from "../attack.ts";
import { typescriptIn } from "../../support/source/source_tree.ts";
import { casesIn } from "./register.ts";

const folder = new URL("../", import.meta.url);
const files = typescriptIn("tests/attacks").filter((path) =>
  path.endsWith("_test.ts") && !path.startsWith("tests/attacks/frame/")
);
const README = await Deno.readTextFile(new URL("../../../runtime/walls/README.md", import.meta.url));
const GUIDE = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
/** Other tests of attacks would run a second time here. */
const hasCases = (file: string) => Deno.readTextFileSync(new URL(file, folder)).includes("attackTests(");
const cases: (Awaited<ReturnType<typeof casesIn>>[number] & { file: string })[] = [];
for (const path of files) {
  const file = path.slice("tests/attacks/".length);
  if (!hasCases(file)) continue;
  for (const given of await casesIn(new URL(file, folder))) cases.push({ ...given, file });
}

Deno.test("each attack has a number of its own, which begins with its kind", () => {
  const ids = cases.flatMap(({ kind, attacks }) => attacks.map(({ id }) => ({ kind, id })));
  const wrong = ids.filter(({ kind, id }) => !new RegExp(`^${kind}-[0-9]{2,3}$`).test(id));
  const twice = ids.filter(({ id }, at) => ids.findIndex((other) => other.id === id) !== at);
  assertEquals([wrong, twice], [[], []]);
});

Deno.test("a case says why it needs what not all machines have", () => {
  const unsaid = cases.flatMap(({ attacks }) => attacks).filter(({ needs = [], why }) =>
    needs.some((need) => need !== "sandbox" && !need.startsWith("program ")) && !why
  );
  assertEquals(unsaid.map(({ id }) => id), []);
});

Deno.test("a case does something and looks at something", () => {
  const idle = cases.flatMap(({ attacks }) => attacks).filter((attack) =>
    !attack.open && (!attack.calls?.length === !attack.act || !looks(attack))
  );
  assertEquals(idle.map(({ id }) => id), []);
});

function looks({ act, unchanged, absent, after, calls = [] }: Attack): boolean {
  const isSaid = calls.some(({ refusal = "any", says }) => refusal !== "any" || says !== undefined);
  return Boolean(act || unchanged || absent || after || isSaid);
}

Deno.test("the table of attacks in the README has every kind, with no more cases than there are", () => {
  const rows = [...README.matchAll(/^\| (\d+) +\| (.*?) +\| (\d+) +\|$/gm)];
  assertEquals(
    rows.map(([, kind, title]) => [Number(kind), title]),
    Object.entries(KINDS).map(([kind, title]) => [Number(kind), title]),
  );
  const wrong = rows.filter(([, kind, , count]) =>
    Number(count) > casesOf(Number(kind)) || Number(count) === 0
  );
  assertEquals(wrong.map(([, kind]) => `${kind}: ${casesOf(Number(kind))} cases`), []);
});

Deno.test("the table of the tests' README says in which files the cases of each kind are", () => {
  const rows = [...GUIDE.matchAll(/^\| (\d+) (.*?) +\| (.*?) +\|$/gm)].map(([, kind, title, places]) => ({
    ...{ kind: Number(kind), title },
    files: places!.replaceAll("`", "").split(", ").flatMap((place) =>
      place.endsWith("/") ? cases.map(({ file }) => file).filter((file) => file.startsWith(place)) : [place]
    ),
  }));
  assertEquals(
    rows.map(({ kind, title, files }) => [kind, title, [...new Set(files)].sort()]),
    Object.entries(KINDS).map(([kind, title]) => {
      const files = cases.filter((given) => given.kind === Number(kind)).map(({ file }) => file);
      return [Number(kind), title, [...new Set(files)].sort()];
    }),
  );
});

Deno.test("each weakness that a case states is in the README", () => {
  const text = README.replaceAll(/\s+/g, " ");
  const open = cases.flatMap(({ attacks }) => attacks).flatMap(({ open }) => open ?? []);
  assertEquals(open.filter((sentence) => !text.includes(sentence)), []);
});

function casesOf(kind: number): number {
  return cases.filter((file) => file.kind === kind).flatMap(({ attacks }) => attacks).length;
}
