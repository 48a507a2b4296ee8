import { assertEquals, assertRejects } from "@std/assert";

import { makeSharedNetwork } from "../../../../../runtime/programs/apart/shared_network.ts";
import type { ProgramWay } from "../../../../../runtime/programs/network/program_network.ts";

/** A network whose ways can break. */
function network() {
  const taken: { who: string | null; isWhole: boolean; ends: number }[] = [];
  const open = (who: string | null): Promise<ProgramWay> => {
    const way = { who, isWhole: true, ends: 0 };
    taken.push(way);
    const pid = taken.length;
    return Promise.resolve({
      pid,
      get isWhole() {
        return way.isWhole;
      },
      connections: () => Promise.resolve([]),
      admit: () => Promise.resolve(),
      end: () => Promise.resolve({ connections: [], isWhole: way.ends++ === 0 }),
    });
  };
  return { taken, expect() {}, take: open, takeClosed: () => open(null) };
}

Deno.test("makeSharedNetwork() gives all programs one way, until it breaks", async () => {
  for (const isClosed of [false, true]) {
    const made = network();
    const shared = makeSharedNetwork(made, { isClosed });
    const ways = await Promise.all([shared.take("a"), shared.take("b"), shared.take("c")]);
    assertEquals(ways.map(({ pid }) => pid), [1, 1, 1]);
    await ways[0]!.end({ clean: true });
    assertEquals((await shared.take("d")).pid, 1);
    assertEquals(made.taken, [{ who: isClosed ? null : "a", isWhole: true, ends: 0 }]);
    made.taken[0]!.isWhole = false;
    assertEquals(ways.map(({ isWhole }) => isWhole), [false, false, false]);
    assertEquals((await Promise.all([shared.take("e"), shared.take("f")])).map(({ pid }) => pid), [2, 2]);
  }
});

Deno.test("makeSharedNetwork() tries again after a failure", async () => {
  const made = network();
  let fails = true;
  const shared = makeSharedNetwork({
    ...made,
    take: (who) => fails ? Promise.reject(new Error("no way")) : made.take(who),
  }, { isClosed: false });
  await assertRejects(() => shared.take("a"), Error, "no way");
  fails = false;
  assertEquals((await shared.take("a")).pid, 1);
});
