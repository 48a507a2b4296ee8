import { assertEquals } from "@std/assert";

import { compareRequest } from "../../../../../runtime/agent/replay/compare_request.ts";
import { compareResults } from "../../../../../runtime/agent/replay/compare_results.ts";
import type { RecordedResult } from "../../../../../runtime/state/sessions/recording_lines.ts";
import type { CallResult } from "../../../../../schemas/agent/trace.ts";

const TOOL = { name: "Read", description: "Reads a file", parameters: { type: "object", properties: {} } };
const EARLIER = {
  task: "Look at /then/a",
  request: { system: "Today is 2026-01-31.\nThe workspace is /then.", tools: [TOOL] },
  places: { workspace: "/then", artifacts: "" },
};
const LATER = {
  task: "Look at /now/a",
  request: { system: "Today is 2026-12-01.\nThe workspace is /now.", tools: [TOOL] },
  places: { workspace: "/now", artifacts: "" },
};
const same = (text: string) => text;
const compare = (now: Partial<typeof LATER>, then: Partial<typeof EARLIER> = {}) =>
  compareRequest({ ...LATER, ...now }, { ...EARLIER, ...then }, same).difference;

Deno.test("compareRequest() leaves out dates and folders", { permissions: "none" }, () => {
  assertEquals(compareRequest(LATER, EARLIER, same), { difference: null, warning: null });
  assertEquals(compare({ task: null as never }, { task: "other" }), null);
});

Deno.test("compareRequest() names the first difference", { permissions: "none" }, () => {
  const tools = (change: Partial<typeof TOOL>) => ({
    request: { ...LATER.request, tools: [{ ...TOOL, ...change }] },
  });
  const differences: [Partial<typeof LATER>, string][] = [
    [{ task: "Look at b" }, 'the task is another one: line 1 was "Look at <workspace>/a", is "Look at b"'],
    [tools({ name: "Write" }), "the tool Read was offered, and is not any more"],
    [
      { request: { ...LATER.request, tools: [TOOL, { ...TOOL, name: "Write" }] } },
      "the tool Write is offered, and was not",
    ],
    [
      tools({ description: "Reads" }),
      'the description of Read is another one: line 1 was "Reads a file", is',
    ],
    [tools({ parameters: { type: "object", properties: { path: {} } } }), "the schema of Read"],
    [
      { request: { ...LATER.request, system: "Today is 2026-12-01.\nThe workspace is small." } },
      'the system prompt is another one: line 2 was "The workspace is <workspace>.", is "The workspace is small."',
    ],
  ];
  for (const [now, told] of differences) assertEquals(compare(now)?.slice(0, told.length), told);
});

Deno.test("compareRequest() says what an earlier recording does not have", { permissions: "none" }, () => {
  const { difference, warning } = compareRequest(LATER, { ...EARLIER, request: null }, same);
  assertEquals([difference, warning?.includes("cannot compare them")], [null, true]);
});

const THEN = { workspace: "/home/a/project", artifacts: "/home/a/project/.state/sessions/s1/artifacts" };
const NOW = { workspace: "/ci", artifacts: "/var/state/sessions/s2/artifacts" };

const MACHINES = { now: NOW, then: THEN };

function recorded(changes: Partial<RecordedResult> = {}): RecordedResult {
  return { ok: true, content: "text", pictures: [], error: null, duration_ms: 1, ...changes };
}

const found = (changes: Partial<CallResult> = {}): CallResult => (
  { id: "c", tool: "t", ...recorded(), pictures: [], duration_ms: 9, ...changes }
);

/** The content that was recorded, the content now, and what is told of it. */
const CONTENTS: readonly (readonly [was: string, is: string, told: string | null])[] = [
  ["a\nb", "a\nb", null],
  ["a\nb", "a\nc", 'line 2 was "b", is "c"'],
  ["a", "a\nb", 'line 2 was missing, is "b"'],
  ["a\nb", "a", 'line 2 was "b", is missing'],
  ["a\r\nb", "a\nb", 'line 1 was "a\\r", is "a"'],
  ["path: /home/a/project/x.ts", "path: /ci/x.ts", null],
  ["/home/a/project/x, /home/a/project/y", "/ci/x, /ci/y", null],
  ["/home/a/other/x.ts", "/ci/x.ts", 'line 1 was "/home/a/other/x.ts", is "<workspace>/x.ts"'],
  [`kept: ${THEN.artifacts}/out.txt`, `kept: ${NOW.artifacts}/out.txt`, null],
  ["duration_ms: 12\nsession_id: t-1", "duration_ms: 7.5\nsession_id: t-2", null],
  ['{"duration":0.012}', '{"duration":3}', null],
  ["id 0b8c1f60-7a3c-4d5e-9f10-1234567890ab", "id 00000000-7a3c-4d5e-9f10-1234567890ab", null],
  ["timeout 30 s", "timeout 60 s", 'line 1 was "timeout 30 s", is "timeout 60 s"'],
  [
    `${"x".repeat(500)}A${"y".repeat(500)}`,
    `${"x".repeat(500)}B${"y".repeat(500)}`,
    `line 1 was "…${"x".repeat(20)}A${"y".repeat(59)}…", is "…${"x".repeat(20)}B${"y".repeat(59)}…"`,
  ],
  ["\x1b[2Ja", "b", 'line 1 was "a", is "b"'],
];

Deno.test("compareResults() tells the first line that differs, and no difference of machines", () => {
  for (const [was, is, told] of CONTENTS) {
    const difference = compareResults(found({ content: is }), recorded({ content: was }), MACHINES);
    assertEquals(difference, told === null ? null : `the result is not the recorded one: ${told}`);
  }
});

Deno.test("compareResults() compares error codes and the number of pictures", () => {
  const error = { code: "not_found", message: "no", retryable: false, details: {} } as const;
  const wanted = "the result is not the recorded one: it was ok, is not_found";
  assertEquals(compareResults(found({ ok: false, error, content: "no" }), recorded(), MACHINES), wanted);
  assertEquals(compareResults(found({ ok: false, error }), recorded({ ok: false, error }), MACHINES), null);
  const pictured = recorded({ pictures: [{ mime_type: "image/png", data: "" }] });
  const fewer = "the result is not the recorded one: it had 1 pictures, has 0";
  assertEquals(compareResults(found(), pictured, MACHINES), fewer);
});

Deno.test("compareResults() does not take the root folder for a part of every path", () => {
  const root = { workspace: "/", artifacts: "/" };
  const [now, then] = [found({ content: "/a/b" }), recorded({ content: "a/b" })];
  const told = 'the result is not the recorded one: line 1 was "a/b", is "/a/b"';
  assertEquals(compareResults(now, then, { now: root, then: root }), told);
});
