import { assertEquals } from "@std/assert";

import { compareResults } from "../../../../../runtime/agent/replay/compare_results.ts";
import type { RecordedResult } from "../../../../../runtime/state/sessions/recording_lines.ts";
import type { CallResult } from "../../../../../schemas/agent/trace.ts";

const THEN = { workspace: "/home/a/project", artifacts: "/home/a/project/.state/sessions/s1/artifacts" };
const NOW = { workspace: "/ci", artifacts: "/var/state/sessions/s2/artifacts" };

function recorded(changes: Partial<RecordedResult> = {}): RecordedResult {
  return { ok: true, content: "text", pictures: [], error: null, duration_ms: 1, ...changes };
}

function found(changes: Partial<CallResult> = {}): CallResult {
  return {
    id: "c",
    tool: "t",
    ok: true,
    content: "text",
    pictures: [],
    error: null,
    duration_ms: 9,
    ...changes,
  };
}

/** The content that was recorded, the content now, and what is told of it. */
const CONTENTS: readonly (readonly [was: string, is: string, told: string | null])[] = [
  ["a\nb", "a\nb", null],
  ["a\nb", "a\nc", 'line 2 was "b", is "c"'],
  ["a", "a\nb", 'line 2 was missing, is "b"'],
  ["a\nb", "a", 'line 2 was "b", is missing'],
  ["a\r\nb", "a\nb", 'line 1 was "a\\r", is "a"'],
  ["path: /home/a/project/x.ts", "path: /ci/x.ts", null],
  ["/home/a/other/x.ts", "/ci/x.ts", 'line 1 was "/home/a/other/x.ts", is "<workspace>/x.ts"'],
  [
    "kept: /home/a/project/.state/sessions/s1/artifacts/out.txt",
    "kept: /var/state/sessions/s2/artifacts/out.txt",
    null,
  ],
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
    const difference = compareResults(found({ content: is }), recorded({ content: was }), {
      now: NOW,
      then: THEN,
    });
    assertEquals(difference, told === null ? null : `the result is not the recorded one: ${told}`);
  }
});

Deno.test("compareResults() compares error codes and the number of pictures", () => {
  const error = { code: "not_found", message: "no", retryable: false, details: {} } as const;
  const machines = { now: NOW, then: THEN };
  assertEquals(
    compareResults(found({ ok: false, error, content: "no" }), recorded(), machines),
    "the result is not the recorded one: it was ok, is not_found",
  );
  const both = compareResults(found({ ok: false, error }), recorded({ ok: false, error }), machines);
  assertEquals(both, null);
  assertEquals(
    compareResults(found(), recorded({ pictures: [{ mime_type: "image/png", data: "" }] }), machines),
    "the result is not the recorded one: it had 1 pictures, has 0",
  );
});

Deno.test("compareResults() does not take the root folder for a part of every path", () => {
  const root = { workspace: "/", artifacts: "/" };
  assertEquals(
    compareResults(found({ content: "/a/b" }), recorded({ content: "a/b" }), { now: root, then: root }),
    'the result is not the recorded one: line 1 was "a/b", is "/a/b"',
  );
});

Deno.test("compareResults() takes time linear in the texts", () => {
  const machines = { now: NOW, then: THEN };
  for (const piece of ["0123456789abcdef-", "duration", "session_id", "/ci/", "session_id: ", "a"]) {
    const long = piece.repeat(2_000_000 / piece.length);
    const before = performance.now();
    compareResults(found({ content: long }), recorded({ content: `${long}b` }), machines);
    const took = performance.now() - before;
    assertEquals(took < 30_000, true, `${piece}: ${Math.round(took)} ms`);
  }
});
