import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";

import { HeldNames } from "../../../../runtime/state/held_names.ts";
import { diskSession } from "../../../../runtime/state/tool_state.ts";

const NEVER = new AbortController().signal;

/** Lets everything happen that waits for nothing else. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

Deno.test("HeldNames gives a name to one after the other, and other names at once", {
  permissions: "none",
}, async () => {
  const names = new HeldNames();
  const order: number[] = [];
  const take = async (name: string, number: number) => {
    const hold = await names.hold(name, NEVER);
    order.push(number);
    return hold;
  };
  const first = await take("a", 1);
  const [second, third] = [take("a", 2), take("a", 3)];
  (await take("b", 4))[Symbol.dispose]();
  assertEquals(order, [1, 4]);
  first[Symbol.dispose]();
  const two = await second;
  await settle();
  assertEquals(order, [1, 4, 2]);
  two[Symbol.dispose]();
  (await third)[Symbol.dispose]();
  assertEquals(order, [1, 4, 2, 3]);
});

Deno.test("HeldNames lets those in who stand behind one that gave up", { permissions: "none" }, async () => {
  const names = new HeldNames();
  const first = await names.hold("a", NEVER);
  const stop = new AbortController();
  const second = names.hold("a", stop.signal);
  const third = names.hold("a", NEVER);
  stop.abort(new Error("enough"));
  await assertRejects(() => second, Error, "enough");
  let isIn = false;
  third.then(() => isIn = true);
  await settle();
  assertEquals(isIn, false);
  first[Symbol.dispose]();
  (await third)[Symbol.dispose]();
});

/** Deno 2.6 can only wait for the system's locks: a wait that was given up ends by itself, some time later. */
const canTryLocks = "tryLock" in Deno.FsFile.prototype;

Deno.test("a session on disk holds names against other processes, and leaves no lock behind", {
  sanitizeOps: canTryLocks,
}, async () => {
  const root = await Deno.makeTempDir({ prefix: "bulkhead-test-" });
  try {
    const folder = join(root, "s");
    // As two processes: each has names of its own.
    const [one, other] = [diskSession(folder), diskSession(folder)];
    const add = async (session: typeof one) => {
      using _ = await session.hold!("t", "count", NEVER);
      const count = Number(await session.get("t", "count") ?? 0);
      await session.set("t", "count", count + 1);
    };
    await Promise.all(Array.from({ length: 40 }, (_, at) => add(at % 2 === 0 ? one : other)));
    assertEquals(await one.get("t", "count"), 40);
    const hold = await one.hold!("t", "count", NEVER);
    await assertRejects(() => other.hold!("t", "count", AbortSignal.timeout(30)), DOMException);
    hold[Symbol.dispose]();
    (await other.hold!("t", "count", NEVER))[Symbol.dispose]();
    assertEquals([...Deno.readDirSync(folder)].length, 1);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
