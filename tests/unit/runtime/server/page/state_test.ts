import { assertEquals } from "@std/assert";

import { addEvents } from "../../../../../runtime/server/page/state/add_events.ts";
import { demoEvents } from "../../../../../runtime/server/page/state/demo_events.ts";
import { permissionChips } from "../../../../../runtime/server/page/state/permission_chips.ts";
import { grantsOf, permissionFieldsOf } from "../../../../../runtime/server/page/state/permission_fields.ts";
import { readRoute, runAddress } from "../../../../../runtime/server/page/state/route.ts";
import {
  type Item,
  NO_EVENTS,
  type Transcript,
} from "../../../../../runtime/server/page/state/transcript.ts";
import {
  agoWords,
  durationWords,
  endWords,
  errorLine,
  inputWords,
  listedValues,
  rowFacts,
  usageWords,
} from "../../../../../runtime/server/page/state/words.ts";
import type { NumberedEvent, ServedEvent } from "../../../../../runtime/server/runs/runs.ts";
import { AGENT_TERMINATIONS } from "../../../../../schemas/agent/agent.ts";
import type { ToolResult } from "../../../../../schemas/result.ts";

const TIME = "2026-01-01T00:00:00.000Z";

function numbered(events: readonly unknown[], from = 1): NumberedEvent[] {
  return events.map((event, at) => ({ n: from + at, time: TIME, event: event as ServedEvent }));
}

function shown(...events: unknown[]): Transcript {
  return addEvents(NO_EVENTS, numbered(events));
}

const result = (part: Partial<ToolResult> = {}): ToolResult => ({
  ...{ tool_name: "a/b", ok: true, result: null, text: "done" },
  ...{ images: [], artifacts: [], warnings: [], error: null, metadata: { duration_ms: 5, place: "worker" } },
  ...part,
});
const start = (id: number) => ({ type: "tool.start", id, tool: "a/b", arguments: { path: "x" } });
const end = (id: number) => ({ type: "tool.end", id, result: result() });
const kinds = ({ items }: Transcript) => items.map(({ kind }) => kind);
const calls = ({ items }: Transcript) => items.flatMap((item) => item.kind === "call" ? [item.call] : []);

Deno.test("text comes in pieces, begins anew after a broken stream, and ends with its turn", () => {
  const pieces = [{ type: "text.delta", text: "He" }, { type: "text.delta", text: "llo" }];
  const texts = (transcript: Transcript) =>
    transcript.items.map((item: Item) => item.kind === "text" ? item.text : item.kind);
  assertEquals(texts(shown(...pieces)), ["Hello"]);
  assertEquals(texts(shown(...pieces, { type: "text.delta", text: "Hi", restart: true })), ["Hi"]);
  const turn = { type: "turn.start", n: 2, input_tokens: 1 };
  assertEquals(texts(shown(...pieces, turn, ...pieces)), ["Hello", "Hello"]);
  const dropped = { type: "text.delta", text: "", restart: true };
  assertEquals(texts(shown(...pieces, dropped, turn)), []);
});

Deno.test("an event that came before is left out, in whatever batches they come", () => {
  const events = numbered([{ type: "text.delta", text: "a" }, { type: "text.delta", text: "b" }, start(1)]);
  const whole = addEvents(NO_EVENTS, events);
  const apart = events.reduce((transcript, event) => addEvents(transcript, [event]), NO_EVENTS);
  assertEquals(apart, whole);
  assertEquals(addEvents(whole, events) === whole, true);
  assertEquals(addEvents(addEvents(NO_EVENTS, events.slice(0, 2)), events), whole);
});

Deno.test("a call has its programs, its refusals and its result, also when others run at once", () => {
  const program = { type: "program.start", id: 2, program: 1, argv: ["ls", "-l"], cwd: "/", sandboxed: true };
  const ended = { type: "program.end", id: 2, program: 1, exit_code: 1, reason: "exited", duration_ms: 2 };
  const refused = { type: "permission", id: 1, decision: "refused", kind: "net", target: "a.example" };
  const transcript = shown(
    ...[start(1), start(2), program, ended, { ...refused, flag: "--allow-net=a.example" }],
    ...[{ type: "tool.progress", id: 1, message: "half" }, end(1)],
  );
  const [first, second] = calls(transcript);
  assertEquals(first?.refusals, [{
    text: "No permission to reach a.example",
    flag: "--allow-net=a.example",
  }]);
  assertEquals([first?.result?.text, first?.progress], ["done", null]);
  assertEquals(second?.programs, [{ program: 1, words: "ls -l", sandboxed: true, end: "exit code 1" }]);
  assertEquals([...transcript.open.keys()], [2]);
});

Deno.test("what is denied has no flag that would allow it", () => {
  const denied = { type: "permission", id: 1, decision: "refused", kind: "write", flag: "--deny-write" };
  const [call] = calls(shown(start(1), { ...denied, target: "/ws" }));
  assertEquals(call?.refusals, [{
    text: "No permission to write /ws: it is denied, by the server or for this run",
    flag: null,
  }]);
});

Deno.test("a run that goes on may use the numbers of its calls again", () => {
  const runStart = { type: "run.start", run_id: "r", command: "agent" };
  const runEnd = { type: "run.end", exit_code: 130, termination_reason: "interrupted", usage: {} };
  const transcript = shown(runStart, start(1), runEnd, runStart, start(1), end(1));
  assertEquals(kinds(transcript), ["call", "end", "note", "call"]);
  assertEquals(calls(transcript).map(({ result }) => result !== null), [false, true]);
});

Deno.test("an older transcript stays as it was, and lines that did not change stay the same", () => {
  const before = shown(start(1), end(1), start(2));
  const kept = structuredClone(before);
  const after = addEvents(before, numbered([end(2)], 4));
  assertEquals(before, kept);
  assertEquals(after.items[0] === before.items[0], true);
});

Deno.test("the end tells the answer unless the model just said it", () => {
  const said = { type: "text.delta", text: "All done." };
  const runEnd = { type: "run.end", exit_code: 0, termination_reason: "completed", usage: {} };
  const answers = (transcript: Transcript) =>
    transcript.items.flatMap((item) => item.kind === "end" ? [item.end.answer] : []);
  assertEquals(answers(shown(said, { ...runEnd, answer: "All done." })), [null]);
  assertEquals(answers(shown(said, { ...runEnd, answer: "Another" })), ["Another"]);
});

Deno.test("the plan and the place in the queue are the newest ones", () => {
  const plan = (title: string) => ({ type: "plan", plan: { id: "p", title, steps: [] } });
  const queued = [{ type: "run.queued", ahead: 2 }, { type: "run.queued", ahead: 1 }];
  assertEquals(shown(...queued).ahead, 1);
  assertEquals(shown(...queued, { type: "run.start" }).ahead, null);
  assertEquals(shown(plan("a"), plan("b")).plan?.title, "b");
});

Deno.test("events that come together copy what is there once, not each for itself", () => {
  const calls = (from: number, count: number) =>
    numbered(
      Array.from({ length: count }, (_, at) => [start(from + at), end(from + at)]).flat(),
      2 * from + 1,
    );
  const before = addEvents(NO_EVENTS, calls(0, 1_000));
  const { [Symbol.iterator]: iterate } = Array.prototype;
  let steps = 0;
  Array.prototype[Symbol.iterator] = function* (this: unknown[]) {
    for (let at = 0; at < this.length; at++, steps++) yield this[at];
  } as typeof iterate;
  let after = before;
  try {
    after = addEvents(before, calls(1_000, 100));
  } finally {
    Array.prototype[Symbol.iterator] = iterate;
  }
  assertEquals([after.items.length, steps > 1_000 && steps < 5_000], [1_100, true], `${steps} steps`);
});

Deno.test("an answer is told as what it is: words, or what was decided", () => {
  const asked = (kind: string) => ({ type: "question", question: { id: "q", kind, text: "?", tool: null } });
  const noted = (...events: unknown[]) =>
    shown(...events).items.map((item) => item.kind === "note" && item.text);
  const answered = (answer: string | null) => ({ type: "question.end", id: "q", answer });
  assertEquals(noted(asked("question"), answered("once")), ["Answered: once"]);
  assertEquals(noted(asked("consent"), answered("once")), ["Allowed once."]);
  assertEquals(noted(asked("consent"), answered("no")), ["Refused."]);
  assertEquals(noted(asked("consent"), answered(null)), ["Nobody waits for an answer any more."]);
});

Deno.test("the address says what is shown", () => {
  assertEquals(readRoute(""), { at: "new" });
  assertEquals(readRoute("#/"), { at: "new" });
  assertEquals(readRoute("#/runs"), { at: "list" });
  assertEquals(readRoute("#/runs/a/b"), { at: "new" });
  assertEquals(readRoute("#/runs/%E0"), { at: "new" });
});

Deno.test("the address of a run leads back to it", () => {
  for (const id of ["2026-01-01_ab", "a b/c?d#e"]) {
    assertEquals(readRoute(runAddress(id)), { at: "run", id });
  }
});

Deno.test("times are told in the unit that fits", () => {
  assertEquals([12.4, 3_440, 125_000, 299_900].map(durationWords), [
    "12 ms",
    "3.4 s",
    "2 min 5 s",
    "5 min 0 s",
  ]);
  const now = Date.parse("2026-01-02T00:00:00Z");
  const times = [
    "2026-01-01T23:59:30Z",
    "2026-01-01T23:50:00Z",
    "2026-01-01T20:00:00Z",
    "2025-12-01T00:00:00Z",
  ];
  assertEquals(times.map((time) => agoWords(time, now)), ["now", "10 min ago", "4 h ago", "2025-12-01"]);
  assertEquals(agoWords("never", now), "");
});

Deno.test("what a run used is told as far as it is known", () => {
  const used = { input_tokens: 1_234, cached_tokens: 0, output_tokens: 5, calls: 1 };
  const paid = { ...used, cost: 0.01234, estimated: false };
  assertEquals(usageWords(paid), "1.2k tokens in, 5 out, 1 call, $0.0123");
  const guessed = { ...used, cached_tokens: 1_000, calls: 2, cost: null, estimated: true };
  assertEquals(usageWords(guessed), "about 1.2k tokens in (1.0k cached), 5 out, 2 calls");
  assertEquals(usageWords({ ...paid, input_tokens: 0, output_tokens: 0, calls: 0, cost: 0 }), "");
  assertEquals(usageWords(null), "");
});

Deno.test("a row tells how long a run took, what it changed and when it began, as far as it is known", () => {
  const now = Date.parse("2026-01-02T00:00:00Z");
  const created = "2026-01-01T23:58:00Z";
  const rows = [
    [{ seconds: 12.3, changed: 3, created }, "12 s · 3 files · 2 min ago"],
    [{ seconds: 0.5, changed: 1, created }, "500 ms · 1 file · 2 min ago"],
    [{ seconds: 125, changed: 0, created }, "2 min 5 s · 2 min ago"],
    [{ seconds: null, changed: null, created }, "2 min ago"],
  ] as const;
  for (const [row, words] of rows) assertEquals(rowFacts(row, now).join(" · "), words);
});

Deno.test("ends and errors are told in plain words", () => {
  for (const reason of Object.keys(AGENT_TERMINATIONS)) {
    assertEquals(/_|^It failed/.test(endWords(reason)) && reason !== "internal", false, reason);
  }
  const message = "\nnot found: /work/shop/README.md\nmore of it";
  assertEquals(errorLine({ code: "not_found", message }, "/work/shop"), "not found: README.md");
  assertEquals(errorLine({ code: "not_found", message: "" }, "/work"), "not found");
});

const SHOP = "/work/shop";
const GRANTED = {
  policy: "coder",
  allow: { read: [SHOP, "/data/big"], write: [SHOP], net: ["public"], run: [] },
  deny: { read: [], write: [], net: [], run: [] },
  secrets: [],
  programs: { boxed: true, net: [] },
};

Deno.test("chips tell what a run may touch, and less where its request does without", () => {
  const chips = (...given: Parameters<typeof permissionChips>) =>
    permissionChips(...given).map(({ words }) => words);
  const [reads, closed] = ["reads shop, big", "secrets closed"];
  const rows: [Parameters<typeof permissionChips>, string[]][] = [
    [[GRANTED, SHOP], [
      reads,
      "writes shop",
      "tools: public web",
      "programs: in a sandbox, no network",
      closed,
    ]],
    [
      [GRANTED, SHOP, {
        deny_read: [".env"],
        deny_write: true,
        deny_net: ["a.example"],
        deny_run: true,
        tools: ["a"],
      }],
      [
        `${reads} but not .env`,
        "writes nothing",
        "tools: public web but not a.example",
        "programs: none",
        closed,
        "only 1 tools",
      ],
    ],
    [
      [{ ...GRANTED, secrets: [`${SHOP}/keys`], programs: { boxed: false, net: "host" } }, `${SHOP}/sub`, {
        policy: "read-only-no-net",
      }],
      [
        "reads sub, big",
        "writes nothing",
        "tools: no network",
        "programs: no sandbox, only those that are named, the network of this machine",
        "secrets open in keys",
      ],
    ],
  ];
  for (const [given, words] of rows) assertEquals(chips(...given), words);
});

Deno.test("what a run did without stands in the fields again", () => {
  const grants = {
    policy: "read-only" as const,
    deny_read: [".env", "a"],
    deny_net: true as const,
    tools: ["x/Read"],
  };
  assertEquals(grantsOf(permissionFieldsOf(grants)), grants);
  assertEquals(grantsOf(permissionFieldsOf(null)), undefined);
});

Deno.test("the recording of the demo is shown as a run", async () => {
  const recording = await Deno.readTextFile(
    new URL("../../../../../scripts/demo/agent.jsonl", import.meta.url),
  );
  const transcript = addEvents(NO_EVENTS, demoEvents(recording));
  assertEquals(calls(transcript).filter(({ result }) => result?.ok === false).length, 1);
  assertEquals([kinds(transcript)[0], kinds(transcript).at(-1)], ["said", "end"]);
});

Deno.test("what a call was asked stands in one line", () => {
  assertEquals(inputWords({ path: "a.ts", text: "one\ntwo", list: [1], n: 3 }), "a.ts  one  3");
  assertEquals(inputWords({ text: "x".repeat(300) }).length, 120);
  assertEquals(inputWords(null), "");
});

Deno.test("several values of a field are split by commas and lines", () => {
  assertEquals(listedValues(" a, b\n\nc ,"), ["a", "b", "c"]);
});
