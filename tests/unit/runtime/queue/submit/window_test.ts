import { assert, assertEquals } from "@std/assert";

import { chooseLane } from "../../../../../runtime/queue/submit/choose_lane.ts";
import { Window } from "../../../../../runtime/queue/submit/window.ts";

Deno.test("Window lets in so many, in the order in which they came, and forgets who left the line", async () => {
  const window = new Window();
  window.resize(2);
  const stays = new AbortController().signal;
  const leaves = new AbortController();
  const inside: number[] = [];
  const enter = async (number: number, signal = stays) => {
    const place = await window.enter(signal);
    if (place) inside.push(number);
    return place;
  };
  const [first] = await Promise.all([enter(1), enter(2)]);
  const waiting = [enter(3, leaves.signal), enter(4), enter(5)];
  leaves.abort();
  assertEquals([await waiting[0], inside], [null, [1, 2]]);
  first?.[Symbol.dispose]();
  await waiting[1];
  assertEquals(inside, [1, 2, 4]);
  window.resize(3);
  await waiting[2];
  assertEquals(inside, [1, 2, 4, 5]);
});

Deno.test("chooseLane() takes the lane that is least busy for its places", () => {
  const lanes = [{ lane: "small", places: 2, busy: 1 }, { lane: "large", places: 8, busy: 3 }];
  assertEquals(chooseLane(lanes, new Map())?.lane, "large");
  assertEquals(chooseLane(lanes, new Map([["large", 6]]))?.lane, "small");
  assert(chooseLane([], new Map()) === null);
});
