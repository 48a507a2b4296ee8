import { assertEquals } from "@std/assert";

import { CallLine, type LinedCall, type Place } from "../../../../runtime/calls/call_line.ts";

const NEVER = new AbortController().signal;

/** A call by its name: R for parallel ones. */
const call = (name: string, concurrency: number | null = null): LinedCall => ({
  parallel: name.startsWith("R"),
  toolName: name[0]!,
  concurrency,
});

/** A line, and which calls have their turn at each moment. */
function scene(maxParallel = 3) {
  const line = new CallLine(maxParallel);
  const running: string[] = [];
  const places = new Map<string, Place>();
  return {
    line,
    running,
    async enter(name: string, { concurrency = null as number | null, signal = NEVER } = {}) {
      const place = await line.enter(call(name, concurrency), signal);
      if (place === null) return false;
      places.set(name, place);
      running.push(name);
      return true;
    },
    leave(name: string) {
      running.splice(running.indexOf(name), 1);
      places.get(name)!.leave();
    },
    place: (name: string) => places.get(name)!,
  };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("CallLine lets parallel calls run beside each other, and any other alone and in order", {
  permissions: "none",
}, async () => {
  const { enter, leave, running } = scene();
  for (const name of ["R1", "R2", "W1", "R3", "W2", "W3", "R4", "R5"]) enter(name);
  const steps: string[] = [];
  for (const done of ["R2", "R1", "W1", "R3", "W2", "W3"]) {
    await turn();
    steps.push(running.join());
    leave(done);
  }
  await turn();
  assertEquals([...steps, running.join()], ["R1,R2", "R1", "W1", "R3", "W2", "W3", "R4,R5"]);
});

Deno.test("CallLine keeps to a tool's own bound", {
  permissions: "none",
}, async () => {
  const { enter, leave, running } = scene(2);
  for (const name of ["R1", "R2", "R3"]) enter(name, { concurrency: 1 });
  await turn();
  assertEquals(running, ["R1"]);
  leave("R1");
  await turn();
  assertEquals(running, ["R2"]);
});

Deno.test("CallLine lets no more calls run than the host allows", { permissions: "none" }, async () => {
  const { enter, leave, running } = scene(2);
  for (const name of ["R1", "R2", "R3"]) enter(name);
  await turn();
  assertEquals(running, ["R1", "R2"]);
  leave("R2");
  await turn();
  assertEquals(running, ["R1", "R3"]);
});

Deno.test("CallLine lets parallel calls pass one whose tool has its most calls running", {
  permissions: "none",
}, async () => {
  const line = new CallLine(3);
  const first = await line.enter({ parallel: true, toolName: "slow", concurrency: 1 }, NEVER);
  let isSecond = false;
  const second = line.enter({ parallel: true, toolName: "slow", concurrency: 1 }, NEVER);
  second.then(() => isSecond = true);
  (await line.enter(call("R1"), NEVER))!.leave();
  assertEquals(isSecond, false);
  // No call passes one that runs alone.
  let isThird = false;
  line.enter(call("W1"), NEVER);
  line.enter(call("R2"), NEVER).then(() => isThird = true);
  first!.leave();
  await second;
  await turn();
  assertEquals(isThird, false);
});

Deno.test("CallLine lets a waiting call go at once when its signal aborts, and those behind it in", {
  permissions: "none",
}, async () => {
  const { enter, running } = scene();
  const stop = new AbortController();
  await enter("R1");
  const writer = enter("W1", { signal: stop.signal });
  const reader = enter("R2");
  await turn();
  assertEquals(running, ["R1"]);
  stop.abort();
  assertEquals([await writer, await reader], [false, true]);
  assertEquals(running, ["R1", "R2"]);
  assertEquals(await enter("R3", { signal: stop.signal }), false);
});

Deno.test("CallLine holds up nobody while a call has left, and takes it back before later ones", {
  permissions: "none",
}, async () => {
  const { enter, leave, running, place } = scene();
  await enter("W1");
  place("W1").leave();
  await enter("W2");
  enter("W3");
  let isBack = false;
  const back = place("W1").comeBack().then((came) => isBack = came);
  await turn();
  assertEquals([running, isBack], [["W1", "W2"], false]);
  leave("W2");
  await back;
  await turn();
  assertEquals(running, ["W1"]);
  leave("W1");
  await turn();
  assertEquals(running, ["W3"]);
});

Deno.test("CallLine lets a call in the middle of another in, and no longer when that part has ended", async () => {
  const { line, enter, leave, running } = scene();
  await enter("W1");
  const { promise: later, resolve } = Promise.withResolvers<void>();
  let left: Promise<boolean> | undefined;
  await line.inside(async () => {
    left = later.then(() => enter("W2"));
    await enter("R1");
    let isAlone = false;
    const alone = enter("W3").then(() => isAlone = true);
    await turn();
    // Calls inside keep the same order among themselves.
    assertEquals(isAlone, false);
    leave("R1");
    await alone;
    await line.inside(() => enter("W4"));
    for (const name of ["W4", "W3"]) leave(name);
  });
  resolve();
  await turn();
  assertEquals(running, ["W1"]);
  leave("W1");
  assertEquals(await left, true);
});
