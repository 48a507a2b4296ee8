import { assert, assertEquals } from "@std/assert";

import { CallLine, type LinedCall, type Place } from "../../../../runtime/calls/call_line.ts";
import { callTool } from "../../../../runtime/calls/call_tool.ts";
import type { CatalogEntry } from "../../../../runtime/calls/catalog/catalog.ts";
import type { CallControl } from "../../../../runtime/calls/control.ts";
import { failedResult } from "../../../../runtime/calls/failed_result.ts";
import { planBlocks, type Schedulable, schedule } from "../../../../runtime/calls/schedule.ts";
import type { ManifestEntry } from "../../../../schemas/manifest.ts";
import type { ToolResult } from "../../../../schemas/result.ts";
import { entryOf } from "../../../support/manifest_entry.ts";
import { workspace } from "../../../support/run_tool.ts";
import { testMachine } from "../../../support/test_machine.ts";

const NEVER = new AbortController().signal;

/** A call by its name: R for parallel ones. */
const lined = (name: string, concurrency: number | null = null): LinedCall => (
  { parallel: name.startsWith("R"), toolName: name[0]!, concurrency }
);

/** A line, and which calls have their turn at each moment. */
function lineScene(maxParallel = 3) {
  const line = new CallLine(maxParallel);
  const running: string[] = [];
  const places = new Map<string, Place>();
  return {
    line,
    running,
    async enter(name: string, concurrency: number | null = null) {
      const place = await line.enter(lined(name, concurrency), NEVER);
      if (place === null) return false;
      places.set(name, place);
      running.push(name);
      return true;
    },
    leave(name: string) {
      running.splice(running.indexOf(name), 1);
      places.get(name)!.leave();
    },
  };
}

const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

Deno.test("CallLine keeps to a tool's own bound, and lets no more calls run than the host allows", async () => {
  const rows = [[1, ["R1"], ["R2"]], [null, ["R1", "R2"], ["R2", "R3"]]] as const;
  for (const [concurrency, before, after] of rows) {
    const { enter, leave, running } = lineScene(2);
    for (const name of ["R1", "R2", "R3"]) enter(name, concurrency);
    await turn();
    assertEquals(running, [...before]);
    leave("R1");
    await turn();
    assertEquals(running, [...after]);
  }
});

Deno.test("CallLine lets parallel calls pass one whose tool has its most calls running", async () => {
  const line = new CallLine(3);
  const first = await line.enter({ parallel: true, toolName: "slow", concurrency: 1 }, NEVER);
  let isSecond = false;
  const second = line.enter({ parallel: true, toolName: "slow", concurrency: 1 }, NEVER);
  second.then(() => isSecond = true);
  (await line.enter(lined("R1"), NEVER))!.leave();
  assertEquals(isSecond, false);
  // No call passes one that runs alone.
  let isThird = false;
  line.enter(lined("W1"), NEVER);
  line.enter(lined("R2"), NEVER).then(() => isThird = true);
  first!.leave();
  await second;
  await turn();
  assertEquals(isThird, false);
  assertEquals(await new CallLine(1).enter(lined("R3"), AbortSignal.abort()), null);
});

Deno.test("CallLine lets a call in the middle of another in, and no longer when that part has ended", async () => {
  const { line, enter, leave, running } = lineScene();
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

interface Call extends Schedulable {
  name: string;
}

const call = (name: string): Call => ({ name, parallel: name.startsWith("R") });

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

Deno.test("schedule() runs adjacent parallel calls at once and ends a block before the next", async () => {
  const { run, end, running } = stage();
  const calls = ["R1", "R2", "E1", "R3"].map((name) => call(name));
  const answers = schedule(source(calls), { run, maxParallel: 3 });
  const next = async () => (await answers.next()).value;
  const isRunning = async (...names: string[]) => (await turn(), assertEquals([...running], names));
  const first = next();
  await isRunning("R1", "R2");
  end("R2");
  await isRunning("R1");
  end("R1");
  assertEquals([await first, await next()], ["R1", "R2"]);
  const edit = next();
  await isRunning("E1");
  end("E1");
  assertEquals(await edit, "E1");
  end("R3");
  assertEquals(await next(), "R3");
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

const WRITES = { parallel: false, needs: { write: "granted" } } as const;

/** A machine whose tools run in the test itself. */
function scene(path: string, control: Partial<CallControl> = {}) {
  const noRooms = () => Promise.reject(new Error("no rooms here"));
  const { machine } = testMachine(path, noRooms, { control });
  const log: string[] = [];
  /** Makes a tool that notes its start and its end, and waits for `work` in between. */
  const tool = (name: string, facts: Partial<ManifestEntry>, work = async (_signal?: AbortSignal) => {}) => {
    const entry = entryOf(`test/${name}`, { parallel: true, asks: false, ...facts });
    const failed = failedResult(entry, { code: "internal", message: "", retryable: false, details: {} });
    const run = async (signal?: AbortSignal): Promise<ToolResult> => {
      log.push(`${name} starts`);
      await work(signal);
      log.push(`${name} ends`);
      return { ...failed, ok: true, error: null, text: name };
    };
    const offered: CatalogEntry = {
      tool: entry,
      carrier: {
        call: async (_tool, _input, { signal }) => ({
          result: await run(signal),
          facts: { targets: [], analyses: [], programs: [], connections: [] },
        }),
        explain: () =>
          Promise.resolve({ targets: [], analyses: [], warnings: [], preview: null, error: null }),
      },
    };
    return (options: { signal?: AbortSignal; onStart?: () => void } = {}) =>
      callTool(offered, {}, { machine, ...options });
  };
  return { tool, log };
}

Deno.test("callTool() runs what is not parallel alone, in the order of the calls, whoever makes them", async () => {
  using ws = workspace();
  const { tool, log } = scene(ws.path);
  const look = tool("look", {}, turn);
  const write = tool("write", WRITES, turn);
  await Promise.all([look(), look(), write(), write(), look()]);
  const one = (name: string) => [`${name} starts`, `${name} ends`];
  const looks = ["look starts", "look starts", "look ends", "look ends"];
  assertEquals(log, [...looks, ...one("write"), ...one("write"), ...one("look")]);
});

Deno.test("callTool() ends a waiting call at once when it is cancelled, and does not start it", async () => {
  using ws = workspace();
  const { tool, log } = scene(ws.path);
  const held = Promise.withResolvers<void>();
  const first = tool("first", {}, () => held.promise)();
  const stop = new AbortController();
  let isStarted = false;
  const waiting = tool("second", WRITES)({ signal: stop.signal, onStart: () => isStarted = true });
  const behind = tool("third", {})();
  await turn();
  assertEquals(log, ["first starts"]);
  stop.abort();
  assertEquals([(await waiting).error?.code, isStarted], ["cancelled", false]);
  assertEquals((await behind).ok, true);
  held.resolve();
  assertEquals((await first).ok, true);
  assertEquals(log, ["first starts", "third starts", "third ends", "first ends"]);
});

Deno.test("callTool() does not count a wait as time of the call", async () => {
  using ws = workspace();
  const audit: string[] = [];
  const { tool } = scene(ws.path, { audit: ({ time }) => audit.push(time) });
  const held = Promise.withResolvers<void>();
  const first = tool("first", WRITES, () => held.promise)();
  const second = tool("second", { ...WRITES, permission: "deny" })();
  const begun = Date.now();
  while (Date.now() < begun + 2) await turn();
  const before = Date.now();
  held.resolve();
  await first;
  await second;
  assertEquals(Date.parse(audit[1]!) >= before, true);
});

Deno.test("callTool() holds up nobody while a person is asked for consent, and waits again after it", async () => {
  using ws = workspace();
  const answer = Promise.withResolvers<boolean>();
  const { tool, log } = scene(ws.path, {
    confirm: () => answer.promise,
    permissions: ({ name }) => [name === "write" ? "confirm" : "allow"],
  });
  const written = tool("write", WRITES)();
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const other = tool("other", WRITES, () => (begun.resolve(), held.promise))();
  await begun.promise;
  const late = tool("late", WRITES)();
  await turn();
  answer.resolve(true);
  await turn();
  assertEquals(log, ["other starts"]);
  held.resolve();
  assertEquals([(await written).ok, (await other).ok, (await late).ok], [true, true, true]);
  const ends = ["other", "write", "late"].flatMap((name) => [`${name} starts`, `${name} ends`]);
  assertEquals(log, ends);
});

Deno.test("callTool() holds up nobody with a question to a person", async () => {
  using ws = workspace();
  const { tool, log } = scene(ws.path);
  const answer = Promise.withResolvers<void>();
  const asked = tool("ask", { parallel: false, asks: true, needs: {} }, () => answer.promise)();
  await tool("write", WRITES)();
  answer.resolve();
  await asked;
  assertEquals(log, ["ask starts", "write starts", "write ends", "ask ends"]);
  const stop = AbortSignal.abort();
  const { error } = await tool("ask", { parallel: false, asks: true, needs: {} })({ signal: stop });
  assertEquals(error?.code, "cancelled");
});

Deno.test("callTool() lets hooks, permissions and whoever confirms make calls themselves", async () => {
  using ws = workspace();
  const inner: (() => Promise<ToolResult>)[] = [];
  const call = async (name: string) => ((await inner[0]!()).ok ? name : "");
  const made: string[] = [];
  let depth = 0;
  const once = async (name: string) => {
    if (depth++ === 0) made.push(await call(name));
    depth--;
  };
  const { tool } = scene(ws.path, {
    hooks: [{ before: async () => await once("before"), after: async () => await once("after") }],
    permissions: () => [async () => {
      await once("permission");
      return "confirm" as const;
    }],
    confirm: async () => {
      await once("confirm");
      return true;
    },
  });
  inner.push(tool("inner", WRITES));
  assertEquals((await tool("outer", WRITES)()).ok, true);
  assertEquals(made, ["permission", "confirm", "before", "after"]);
});
