import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";

import { mutated, placeProblem } from "../../../../scripts/mutate/mutation.ts";
import { MUTATIONS } from "../../../../scripts/mutate/mutations/mod.ts";

const ROOT = fromFileUrl(new URL("../../../../", import.meta.url));

Deno.test("each mutation has one place in the sources, and a name of its own", () => {
  assertEquals(MUTATIONS.flatMap((mutation) => placeProblem(ROOT, mutation) ?? []), []);
  const names = MUTATIONS.map(({ id }) => id);
  assertEquals(names.filter((id, at) => names.indexOf(id) < at || !/^[a-z]+(-[a-z0-9]+)+$/.test(id)), []);
  assertEquals(MUTATIONS.filter(({ caughtBy }) => caughtBy.length === 0), []);
});

Deno.test("placeProblem() tells of a text that is not there once, and of a file that is gone", () => {
  const mutation = {
    id: "a-b",
    file: "deno.json",
    find: '"workspace"',
    replace: "",
    promise: "",
    caughtBy: [],
  };
  const problem = (more: Partial<typeof mutation>) => placeProblem(ROOT, { ...mutation, ...more });
  assertEquals(problem({}), null);
  assertEquals(problem({ find: "nowhere" }), 'a-b: "nowhere" stands 0 times in deno.json, and must once');
  assertEquals(problem({ file: "gone.ts" }), "a-b: there is no file gone.ts");
});

Deno.test("mutated() replaces one text by another as it is", () => {
  const mutation = { id: "a-b", file: "", find: "b", replace: "$&", promise: "", caughtBy: [] };
  assertEquals(mutated("abc", mutation), "a$&c");
});
