import { assert, assertEquals } from "@std/assert";

import { Conversation } from "../../../runtime/agent/conversation/conversation.ts";
import { findCalls } from "../../../runtime/agent/text_calls/find_calls.ts";
import { compareResults } from "../../../runtime/agent/replay/compare_results.ts";
import { makeRedactor } from "../../../runtime/text/secrets/redact.ts";
import type { CallResult } from "../../../schemas/agent/trace.ts";
import { ask, START } from "../../support/agent_scene.ts";

/** Fails if four times as much takes more than eight times as long: with the square it would take sixteen. */
function assertLinear(what: string, work: (times: number) => void): void {
  const timeOf = (times: number) =>
    Math.min(...Array.from({ length: 5 }, () => {
      const started = performance.now();
      work(times);
      return performance.now() - started;
    }));
  work(1);
  const [some, more] = [timeOf(1), timeOf(4)];
  assert(more < 8 * some + 100, `${what}: ${some} ms, four times as much ${more} ms`);
}

/** Calls a function with texts of so many repetitions. */
function assertLinearIn(pieces: readonly string[], length: number, work: (text: string) => void): void {
  for (const piece of pieces) {
    assertLinear(JSON.stringify(piece), (times) => work(piece.repeat(times * length / piece.length)));
  }
}

Deno.test("makeRedactor() takes time linear in the length of hostile texts", () => {
  const redact = makeRedactor(["hunter2secret", "p@ss word!"]);
  const pieces = [
    ...["a", "eyJaaaaaaaaa-", "sk-", "-----BEGIN PRIVATE KEY-----", "a://b:", "a_", 'password="', "-u "],
    ...["authorization: ", "docker login ", "curl -b ", "cookie:", "mysql -u x ", "openssl -k htpasswd -b "],
    "adobe facebook twitter ",
  ];
  assertLinearIn(pieces, 250_000, redact);
  assertLinearIn(["x"], 250_000, (text) => void redact(`token='${text}`));
});

Deno.test("compareResults() takes time linear in the texts", () => {
  const places = { workspace: "/ci", artifacts: "/var/state/sessions/s2/artifacts" };
  const machines = { now: places, then: places };
  const rest = { ok: true, pictures: [], error: null, duration_ms: 1 };
  const pieces = ["0123456789abcdef-", "duration", "session_id", "/ci/", "session_id: ", "a"];
  assertLinearIn(pieces, 500_000, (text) => {
    compareResults(
      { ...rest, id: "c", tool: "t", content: text },
      { ...rest, content: `${text}b` },
      machines,
    );
  });
});

Deno.test("findCalls() takes time linear in the text", () => {
  const pieces = [
    ...[
      " ",
      "\n",
      "{",
      "<",
      "```\n",
      "<parameter=a>",
      "</s>",
      '{"',
      "'",
      "<tool_call>",
      "[TOOL_CALLS]",
      "a[ARGS]",
    ],
    ...[
      "word ",
      "a(b=",
      "<think>",
      "<|channel|>",
      "<b>x</b>",
      "`a` ",
      "commentary to=a {",
      "call:a{",
      "a\n{",
    ],
  ];
  for (const start of ["<function=a>", "{", "Hello.\n"]) {
    assertLinearIn(pieces, 100_000, (text) => void findCalls(start + text, () => true));
  }
});

Deno.test("Conversation takes the results of one reply in a time that is linear in their number", () => {
  for (const isBackwards of [false, true]) {
    assertLinear(isBackwards ? "backwards" : "in order", (times) => {
      const ids = Array.from({ length: 10_000 * times }, (_, at) => `c${at}`);
      const conversation = new Conversation(START);
      const tool_calls = ids.map((id) => ask("Read", {}, id));
      conversation.addReply({ content: "", tool_calls, finish: "tool_calls", usage: null });
      for (const id of isBackwards ? ids.toReversed().slice(0, 2_000 * times) : ids) {
        const rest: Omit<CallResult, "id"> = {
          ...{ tool: "set/Read", ok: true, content: id, pictures: [], error: null, duration_ms: 1 },
        };
        conversation.addResult({ id, ...rest });
      }
      assertEquals(conversation.hasOpenCalls, isBackwards);
    });
  }
});
