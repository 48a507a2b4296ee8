import { assertEquals, assertMatch } from "@std/assert";

import { laterName, publicNames, type ServerTool } from "../../../../../runtime/sources/mcp/public_names.ts";

Deno.test("publicNames() keeps names that can be kept", () => {
  assertEquals(namesOf(["files", "read"], ["files", "list-all"], ["my_web", "get"]), [
    "mcp_files_read",
    "mcp_files_list-all",
    "mcp_my_web_get",
  ]);
});

Deno.test("publicNames() marks what cleaning changes, and what would meet", () => {
  for (
    const [first, second] of [[["a", "b_c"], ["a_b", "c"]], [["a", "x"], ["A", "X"]], [["a", "x.y"], [
      "a",
      "x y",
    ]]]
  ) {
    const names = namesOf(first as [string, string], second as [string, string]);
    assertEquals(new Set(names).size, 2);
    for (const name of names) assertMatch(name, /_[a-z0-9]{7}$/);
    assertEquals(namesOf(second as [string, string], first as [string, string]), names.toReversed());
  }
  assertMatch(namesOf(["файлы", "прочесть"])[0]!, /^mcp__[a-z0-9_]+$/);
  const long = namesOf(["s", "t".repeat(100)], ["s", "t".repeat(101)]);
  assertEquals(long.map((name) => name.length), [64, 64]);
});

Deno.test("laterName() names a tool as publicNames() does, and takes no name away", () => {
  const later = (tool: string, ...taken: string[]) => laterName({ server: "s", tool }, new Set(taken));
  assertEquals(later("read"), "mcp_s_read");
  assertEquals(later("read", "mcp_s_read"), null);
  assertEquals(later("READ", "mcp_s_read"), null);
  for (const name of ["read it", "é", "t".repeat(100)]) {
    const [plain] = namesOf(["s", name]);
    assertEquals(later(name), plain);
    const other = later(name, plain!.toLowerCase())!;
    assertEquals([other === plain, other.length <= 64, /^mcp_s_[A-Za-z0-9_-]+$/.test(other)], [
      false,
      true,
      true,
    ]);
  }
});

Deno.test("publicNames() gives different, clean, short names to any tools", () => {
  const random = generator(7);
  const letters = ["a", "b", "A", "_", "-", ".", " ", "é", "/", "😀", "\u0000", "mcp_", "0"];
  const word = () => Array.from({ length: random() % 40 }, () => letters[random() % letters.length]).join("");
  for (let round = 0; round < 200; round++) {
    const tools = new Map(Array.from({ length: 60 }, () => {
      const pair = [word(), word()] as const;
      return [JSON.stringify(pair), pair];
    }));
    const names = namesOf(...tools.values());
    assertEquals(new Set(names.map((name) => name.toLowerCase())).size, tools.size);
    for (const name of names) assertMatch(name, /^mcp_[A-Za-z0-9_-]{1,60}$/);
  }
});

function namesOf(...pairs: (readonly [string, string])[]): string[] {
  return publicNames(pairs.map(([server, tool]): ServerTool => ({ server, tool })));
}

/** Always the same numbers. */
function generator(seed: number): () => number {
  let state = seed;
  return () => state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 8;
}
