import { assert, assertEquals } from "@std/assert";

import { planBlocks, type Schedulable, schedule } from "../../../../runtime/calls/schedule.ts";

interface Call extends Schedulable {
  name: string;
}

const call = (name: string, rest: Partial<Call> = {}): Call => ({
  name,
  parallel: name.startsWith("R"),
  ...rest,
});

async function* source(calls: readonly Call[]): AsyncGenerator<Call> {
  yield* calls;
}

/** Calls that end when the test says so, with what is running at each moment. */
function stage() {
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const end = (name: string) => {
    if (!ends.has(name)) ends.set(name, Promise.withResolvers());
    return ends.get(name)!;
  };
  const running = new Set<string>();
  return {
    running,
    end: (name: string) => end(name).resolve(),
    async run({ name }: Call): Promise<string> {
      running.add(name);
      await end(name).promise;
      running.delete(name);
      return name;
    },
  };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("schedule() runs adjacent parallel calls at once and ends a block before the next", async () => {
  const { run, end, running } = stage();
  const calls = ["R1", "R2", "E1", "R3"].map((name) => call(name));
  const answers = schedule(source(calls), { run, maxParallel: 3 });
  const first = answers.next();
  await turn();
  assertEquals([...running], ["R1", "R2"]);
  end("R2");
  await turn();
  assertEquals([...running], ["R1"]);
  end("R1");
  assertEquals((await first).value, "R1");
  assertEquals((await answers.next()).value, "R2");
  const edit = answers.next();
  await turn();
  assertEquals([...running], ["E1"]);
  end("E1");
  assertEquals((await edit).value, "E1");
  end("R3");
  assertEquals((await answers.next()).value, "R3");
  assertEquals((await answers.next()).done, true);
});

Deno.test("schedule() gives a result while it waits for the next call", async () => {
  const { run, end } = stage();
  const gate = Promise.withResolvers<void>();
  const slow = (async function* () {
    yield call("R1");
    await gate.promise;
    yield call("R2");
  })();
  const answers = schedule(slow, { run, maxParallel: 3 });
  end("R1");
  assertEquals((await answers.next()).value, "R1");
  gate.resolve();
  end("R2");
  assertEquals((await answers.next()).value, "R2");
});

Deno.test("schedule() takes no more calls than its results are read for", async () => {
  let taken = 0;
  const many = (async function* () {
    for (; taken < 1_000; taken++) yield call(`R${taken}`);
  })();
  const answers = schedule(many, { run: ({ name }) => Promise.resolve(name), maxParallel: 2 });
  await answers.next();
  for (let n = 0; n < 50; n++) await turn();
  assert(taken < 50, `took ${taken}`);
  await answers.return(undefined);
});

Deno.test("planBlocks() groups as schedule() runs", { permissions: "none" }, () => {
  const blocks = planBlocks(["R1", "R2", "E1", "E2", "R3"].map((name) => call(name)));
  assertEquals(blocks.map((block) => block.map(({ name }) => name)), [["R1", "R2"], ["E1"], ["E2"], ["R3"]]);
});
