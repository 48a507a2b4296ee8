import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";

import { serverAnswers } from "../../../../../runtime/sources/mcp/answers/answer_server.ts";
import { elicit } from "../../../../../runtime/sources/mcp/answers/elicit.ts";
import { CallTime } from "../../../../../runtime/sources/mcp/client/call_time.ts";
import { ListRest } from "../../../../../runtime/sources/mcp/client/list_rest.ts";
import { PendingAsks } from "../../../../../runtime/sources/mcp/client/pending_asks.ts";
import { type ClientPlan, ServerLink } from "../../../../../runtime/sources/mcp/client/server_link.ts";
import { laterName, publicNames, type ServerTool } from "../../../../../runtime/sources/mcp/public_names.ts";
import { cutText } from "../../../../../runtime/sources/mcp/tools/cut_text.ts";
import type { SourceHost } from "../../../../../runtime/sources/source.ts";
import type { Model } from "../../../../../schemas/agent/model.ts";
import type { Progress } from "../../../../../schemas/context.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { friendly } from "../../../../fixtures/mcp/friendly.ts";
import { modern } from "../../../../fixtures/mcp/modern.ts";
import { openWith } from "../../../../support/mcp/open_with.ts";
import { serverWire } from "../../../../support/mcp/server_wire.ts";

Deno.test("ListRest allows a burst, then one a second, and a long rest after a failure", () => {
  let now = 0;
  const rest = new ListRest(() => now);
  const burst = Array.from({ length: 20 }, () => rest.take());
  assertEquals(burst, Array(20).fill(0));
  assertEquals(rest.take(), 1_000);
  now = 400;
  assertEquals(rest.take(), 600);
  now = 1_000;
  assertEquals([rest.take(), rest.take()], [0, 1_000]);
  now = 100_000;
  assertEquals(Array.from({ length: 21 }, () => rest.take() === 0).filter(Boolean).length, 20);
  rest.fail();
  now += 59_000;
  assertEquals(rest.take(), 1_000);
  now += 1_000;
  assertEquals(rest.take(), 0);
});

const { signal } = new AbortController();

Deno.test("the time of a request goes on after a question, however often a server asks", async () => {
  const cancelled: number[] = [];
  const asks = new PendingAsks((id) => void cancelled.push(id));
  let questions = 0;
  const again = setInterval(() => {
    asks.hold(1);
    asks.hold(-1);
    if (++questions === 200) clearInterval(again);
  }, 10);
  const add = () => asks.add({ signal, time: new CallTime(100) }, () => {});
  const { code } = await assertRejects(add, ToolError);
  clearInterval(again);
  assertEquals([code, cancelled], ["timeout", [1]]);
  assert(questions < 200);
});

Deno.test("the time of a person is not that of a server", async () => {
  const asks = new PendingAsks(() => {});
  const told: string[] = [];
  asks.hold(1);
  const options = { signal, time: new CallTime(20), onQuestion: (state: string) => void told.push(state) };
  const answer = asks.add(options, (id) => setTimeout(() => asks.get(id)!.resolve("late"), 60));
  assertEquals([await answer, told], ["late", ["asked", "answered"]]);
});

Deno.test("requests that follow each other share the time of their call", async () => {
  const asks = new PendingAsks(() => {});
  const time = new CallTime(60);
  await assertRejects(() => asks.add({ signal, time }, () => {}), ToolError, "within 0.06 seconds");
  let late: ReturnType<typeof setTimeout> | undefined;
  const next = asks.add({ signal, time }, (id) => {
    late = setTimeout(() => asks.get(id)?.resolve("late"), 40);
  });
  await assertRejects(() => next, ToolError, "within 0.06 seconds");
  assert(late !== undefined);
  clearTimeout(late);
});

const PLAN: Omit<ClientPlan, "open"> = {
  offers: { sampling: true, elicitation: true },
  answer: ({ kind }) => Promise.reject(new ToolError("denied_by_policy", `no ${kind} here`)),
  onChanged() {},
};

Deno.test("ServerLink tells what a server is, how far a call is, and cancels it", async () => {
  await using client = await ServerLink.open({ ...PLAN, open: serverWire(friendly) }, { signal });
  const { protocol, name, has, instructions } = await client.facts();
  assertEquals([protocol, name, instructions], ["2025-11-25", "friendly", "Be friendly."]);
  assertEquals(has, { tools: true, resources: true, prompts: true });
  const told: Progress[] = [];
  const cancel = new AbortController();
  const slow = client.ask({ method: "tools/call", name: "slow", input: {} }, {
    ...{ signal: cancel.signal, time: new CallTime(60_000) },
    onProgress(progress) {
      told.push(progress);
      cancel.abort();
    },
  });
  assertEquals((await assertRejects(() => slow, ToolError)).code, "cancelled");
  assertEquals(told, [{ done: 1, total: 2, message: "half" }]);
  const counted: Progress[] = [];
  await client.ask({ method: "tools/call", name: "count", input: {} }, {
    ...{ signal, time: new CallTime(60_000), onProgress: (progress) => void counted.push(progress) },
  });
  // Progress is told now and then, and the last of it always.
  assertEquals(counted.at(-1), { done: 5, total: 5 });
  assert(counted.length < 5);
  const dead = client.ask({ method: "tools/call", name: "die", input: {} }, {
    ...{ signal, time: new CallTime(60_000) },
  });
  const { code, message } = await assertRejects(() => dead, ToolError);
  assertEquals([code, message], ["unavailable", "it ended with code 7; it said: I die now"]);
});

Deno.test("ServerLink speaks with a server that refuses all but the newest revision", async () => {
  await using client = await ServerLink.open({ ...PLAN, open: serverWire(modern) }, { signal });
  assertEquals((await client.facts()).protocol, "2026-07-28");
  const call = { method: "tools/call", name: "echo", input: { message: "hi" } } as const;
  const { content } = await client.ask(call, { signal, time: new CallTime(30_000) }) as { content: unknown };
  assertEquals(content, [{ type: "text", text: "hi" }]);
});

Deno.test("requests of a server to the model are bounded, also at once, withdrawn or failed", async () => {
  let requests = 0;
  const model: Model = {
    name: "test-model",
    complete() {
      requests++;
      return Promise.reject(new Error("it was paid for, and failed"));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  await using opened = await openWith({ servers: {}, model, confirm: () => Promise.resolve("run") });
  const server = { name: "notes" } as Parameters<typeof serverAnswers>[0];
  const answer = serverAnswers(server, { machine: opened.host } as unknown as SourceHost);
  const params = { messages: [{ role: "user", content: { type: "text", text: "What is 1 + 1?" } }] };
  const ask = () => answer({ kind: "sampling", params }, { signal: new AbortController().signal });
  await Promise.allSettled(Array.from({ length: 30 }, ask));
  await Promise.allSettled([ask()]);
  assertEquals(requests, 20);
});

Deno.test("publicNames() marks what would meet, but for the one that cleaning does not change", () => {
  const pairs = [[["a", "b_c"], ["a_b", "c"]], [["a", "x"], ["A", "X"]], [["a", "x.y"], [
    "a",
    "x y",
  ]]] as const;
  for (const [first, second] of pairs) {
    const names = namesOf(first, second);
    assertEquals(new Set(names).size, 2);
    for (const name of names) assertMatch(name, /_[a-z0-9]{7}$/);
    assertEquals(namesOf(second, first), names.toReversed());
  }
  assertEquals(namesOf(["my srv", "sum.all"]), ["mcp_my_srv_sum_all"]);
  const [marked, kept] = namesOf(["a", "x.y"], ["a", "x_y"]);
  assertEquals(kept, "mcp_a_x_y");
  assertMatch(marked!, /^mcp_a_x_y_[a-z0-9]{7}$/);
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
    assertEquals(other === plain, false);
    assertEquals(other.length <= 64, true);
    assertEquals(/^mcp_s_[A-Za-z0-9_-]+$/.test(other), true);
  }
});

Deno.test("publicNames() gives different, clean, short names to any tools", () => {
  const random = generator(7);
  const letters = ["a", "b", "A", "_", "-", ".", " ", "é", "/", "😀", "\u0000", "mcp_", "0"];
  const word = () => Array.from({ length: random() % 40 }, () => letters[random() % letters.length]).join("");
  for (let round = 0; round < 40; round++) {
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

Deno.test("cutText() keeps JSON whole, whatever its form", () => {
  const row = { id: 1, name: "x".repeat(50), tags: ["a", "b"] };
  const values: unknown[] = [
    Array.from({ length: 500 }, () => row),
    { text: "y".repeat(10_000), after: 1 },
    Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`field ${at}`, at])),
    { deep: { deeper: { deepest: Array(1_000).fill("\u0000\u{1f600}") } } },
    [[[["z".repeat(5_000)]]]],
  ];
  for (const value of values) {
    for (const limit of [100, 500, 3_000]) {
      const short = cutText(JSON.stringify(value), limit);
      assert(short.length <= limit, `${short.length} > ${limit}`);
      JSON.parse(short);
    }
  }
});

Deno.test("cutText() says how much is missing", () => {
  const cut = cutText(JSON.stringify({ text: "y".repeat(1_000) }), 150);
  assertEquals(cut, `{"text":"${"y".repeat(62)}…[938 more characters]"}`);
  assertEquals(cutText(JSON.stringify(Array(100).fill(7)), 60), '[7,7,7,7,7,7,7,"…[93 more items]"]');
  assertEquals(cutText("word ".repeat(100), 60).split("\n").length, 2);
});

/** How a form ends that a person answers so, and what they were asked. */
async function answered(params: unknown, ...answers: (string | null)[]) {
  const asked: string[] = [];
  const ask = ({ context }: { context?: string | undefined }) => {
    asked.push(context ?? "");
    return Promise.resolve(answers.shift() ?? null);
  };
  const { signal } = new AbortController();
  return { end: await elicit(params, { name: "srv", ask: ask as never, signal }), asked };
}
const form = (properties: Record<string, unknown>, required: string[] = []) => ({
  ...{ message: "Fill in", requestedSchema: { type: "object", properties, required } },
});
const TEXT = { type: "string" };

Deno.test("elicit() takes a yes alone for a yes, and sends nobody to an address", async () => {
  for (const word of ["yes", " Y "]) {
    assertEquals((await answered({ message: "?" }, word)).end, { action: "accept", content: {} });
  }
  for (const word of ["no", "yes, but", "ok", ""]) {
    assertEquals((await answered({ message: "?" }, word)).end, { action: "decline" });
  }
  assertEquals((await answered({ message: "?" }, null)).end, { action: "cancel" });
  const elsewhere = () => answered({ mode: "url", message: "?", url: "https://evil" });
  const { code } = await assertRejects(elsewhere, ToolError);
  assertEquals(code, "invalid_input");
});

Deno.test("elicit() asks field by field, three times at most, and for no endless form", async () => {
  const two = form({ a: TEXT, n: { type: "integer" } }, ["a"]);
  assertEquals((await answered(two, "x", "7")).end, { action: "accept", content: { a: "x", n: 7 } });
  assertEquals((await answered(two, "x", "")).end, { action: "accept", content: { a: "x" } });
  assertEquals((await answered(two, "")).end, { action: "decline" });
  const wrong = await answered(two, "x", "seven", "eight", "nine", "7");
  assertEquals([wrong.end, wrong.asked.length], [{ action: "decline" }, 4]);
  const many = (count: number) =>
    form(Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, TEXT])));
  assertEquals((await answered(many(20), ...Array.from({ length: 20 }, () => "x"))).asked.length, 20);
  const { code } = await assertRejects(() => answered(many(21)), ToolError, "at most 20 fields");
  assertEquals(code, "limit_exceeded");
});

Deno.test("a server is told of the workspace only where it may look into it", async () => {
  const rootsOf = async (grants: object, kind = "stdio") => {
    const server = { name: "srv", grants, transport: { kind } };
    const machine = { control: {}, home: "/home/me", grants: { workspace: "/ws" } };
    const answer = await serverAnswers(server as never, { machine } as never)(
      { kind: "roots", params: {} } as never,
      { signal: new AbortController().signal },
    );
    return (answer.roots as { uri: string }[]).map(({ uri }) => uri);
  };
  assertEquals([await rootsOf({ read: ["."] }), await rootsOf({ write: ["/"] })], [["file:///ws"], [
    "file:///ws",
  ]]);
  assertEquals(await rootsOf({}), []);
  assertEquals(await rootsOf({ read: ["/opt"] }), []);
  assertEquals(await rootsOf({ read: ["./sub"] }), []);
  assertEquals(await rootsOf({ read: ["."] }, "http"), []);
});

Deno.test("cutText() keeps its bound, and no half of a character", () => {
  for (const limit of [1, 7, 40, 41, 60, 100, 499]) {
    const rows = JSON.stringify({ a: "x".repeat(900), b: [..."y".repeat(300)] });
    for (const text of ["😀".repeat(300), rows, "[".repeat(100_000) + "]".repeat(100_000)]) {
      const cut = cutText(text, limit);
      assertEquals([cut.length <= Math.max(limit, 2), cut.isWellFormed()], [true, true], `${limit} ${cut}`);
    }
  }
});
