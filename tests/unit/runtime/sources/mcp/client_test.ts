import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";

import { serverAnswers } from "../../../../../runtime/sources/mcp/answers/answer_server.ts";
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
  const { code } = await assertRejects(
    () => asks.add({ signal, time: new CallTime(100) }, () => {}),
    ToolError,
  );
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

Deno.test("cutText() leaves what is short enough", () => {
  assertEquals(cutText('{"a": 1}', 8), '{"a": 1}');
});

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
  assertEquals(
    cutText(JSON.stringify({ text: "y".repeat(1_000) }), 150),
    `{"text":"${"y".repeat(62)}…[938 more characters]"}`,
  );
  assertEquals(cutText(JSON.stringify(Array(100).fill(7)), 60), '[7,7,7,7,7,7,7,"…[93 more items]"]');
  assertEquals(cutText("word ".repeat(100), 60).split("\n").length, 2);
});

Deno.test("cutText() survives JSON that is nested without an end", () => {
  const text = "[".repeat(100_000) + "]".repeat(100_000);
  assert(cutText(text, 1_000).length <= 1_000);
});
