import { assertEquals, assertThrows } from "@std/assert";

import { MAX_REPLY_BYTES, readReply } from "../../../../../runtime/sources/script/read_reply.ts";
import { type ErrorCode, ToolError } from "../../../../../schemas/error.ts";
import type { ClippedOutput } from "../../../../../schemas/program.ts";

function stream(head: string, changes: Partial<ClippedOutput> = {}): ClippedOutput {
  const bytes = new TextEncoder().encode(head).length;
  return {
    head,
    tail: "",
    bytes,
    omittedBytes: 0,
    omittedLines: 0,
    binary: false,
    replaced: false,
    ...changes,
  };
}

interface Ended {
  stdout?: string | ClippedOutput;
  stderr?: string;
  exitCode?: number;
  reply?: "bare" | "envelope";
}

function read({ stdout = "", stderr = "", exitCode = 0, reply }: Ended) {
  const out = typeof stdout === "string" ? stream(stdout) : stdout;
  return readReply({ exitCode, stdout: out, stderr: stream(stderr) }, { name: "script/x", reply });
}

function failure(ended: Ended): [unknown, ErrorCode, string, unknown] {
  const thrown = () => {
    const { failure } = read(ended);
    if (failure !== null) throw failure;
  };
  const { details, code, message, retryable } = assertThrows(thrown, ToolError);
  assertEquals(retryable, false);
  return [details.reason, code, message, details.stderr];
}

const bare = (result: unknown) => ({ result, failure: null, artifacts: [], warnings: [] });

Deno.test("what a script writes is its result", () => {
  for (const value of [1, "two", null, false, [1, 2], { a: 1 }, {}]) {
    assertEquals(read({ stdout: `${JSON.stringify(value)}\n` }), bare(value));
  }
  assertEquals(read({ stdout: "\uFEFF{}", stderr: "a log" }), bare({}));
});

Deno.test("an envelope is told from a result that looks like one", () => {
  const envelope = {
    ok: true,
    result: { score: 2 },
    artifacts: [{ path: "a/b.json", mime: "application/json" }, "c.txt"],
    warnings: ["odd\nline", { n: 1 }],
    error: null,
  };
  const taken = {
    result: { score: 2 },
    failure: null,
    artifacts: ["a/b.json", "c.txt"],
    warnings: ["odd\\nline", '{"n":1}'],
  };
  assertEquals(read({ stdout: JSON.stringify(envelope) }), taken);
  assertEquals(read({ stdout: JSON.stringify(envelope), reply: "envelope" }), taken);
  assertEquals(read({ stdout: JSON.stringify(envelope), reply: "bare" }), bare(envelope));
  for (const value of [{ ok: true }, { ok: true, count: 3 }, { ok: "yes", result: 1 }]) {
    assertEquals(read({ stdout: JSON.stringify(value) }), bare(value));
  }
  assertEquals(read({ stdout: '{"ok":true,"result":7}' }), bare(7));
});

Deno.test("each way to fail has an error of its own", () => {
  assertEquals(failure({ exitCode: 3 }), [
    "exit_code",
    "external_failure",
    "script/x ended with exit code 3, without a word on stderr",
    undefined,
  ]);
  assertEquals(
    failure({ exitCode: 1, stdout: "Usage:\u202e score" })[2],
    'script/x ended with exit code 1, without a word on stderr; its stdout begins with "Usage:\\u202e score"',
  );
  assertEquals(failure({ exitCode: 137, stderr: "half\n", stdout: "{}" }), [
    "exit_code",
    "external_failure",
    "script/x was ended by SIGKILL, and wrote to stderr: half",
    "half",
  ]);
  assertEquals(failure({ stderr: "no such column\n" }), [
    "stderr",
    "external_failure",
    "script/x wrote nothing to stdout, but to stderr: no such column",
    "no such column",
  ]);
  for (const stdout of ["", " \n"]) {
    assertEquals(failure({ stdout }), [
      "empty",
      "output_invalid",
      "script/x wrote nothing to stdout: it must write its result there, as JSON",
      undefined,
    ]);
  }
  assertEquals(failure({ stdout: stream("[", { bytes: MAX_REPLY_BYTES + 1, tail: "]" }) }), [
    "oversize",
    "limit_exceeded",
    "script/x wrote 4194305 bytes to stdout: at most 4194304 are taken, write the rest to a file",
    undefined,
  ]);
  for (const [stdout, why] of [["score: 3", '"score: 3"'], ["{}\n{}", '"{}\\n{}"']] as const) {
    assertEquals(failure({ stdout, stderr: "log" }), [
      "malformed",
      "output_invalid",
      `script/x did not write one JSON value to stdout: it begins with ${why}, and wrote to stderr: log`,
      "log",
    ]);
  }
  assertEquals(failure({ stdout: stream('"\uFFFD"', { replaced: true }) }).slice(0, 2), [
    "malformed",
    "output_invalid",
  ]);
});

Deno.test("what is wrong with an envelope is told", () => {
  const message = (value: unknown, reply?: "envelope") =>
    failure({ stdout: JSON.stringify(value), ...(reply && { reply }) })[2];
  const lead = "script/x did not write an envelope: ";
  assertEquals(message({ ok: true, result: 1 }, "envelope"), `${lead}artifacts, warnings are missing`);
  assertEquals(message({ ok: 1 }, "envelope"), `${lead}ok must be true or false`);
  assertEquals(message([1], "envelope"), `${lead}write an object with ok, result, artifacts and warnings`);
  const said = { ok: true, result: 1, artifacts: [], warnings: [] };
  const wrong = "script/x wrote an envelope that ";
  assertEquals(message({ ...said, error: "no" }), `${wrong}has an error, although ok is true`);
  assertEquals(message({ ...said, artifacts: {} }), `${wrong}has no list as its artifacts`);
  assertEquals(
    message({ ...said, artifacts: ["a", { mime: "x" }] }),
    `${wrong}has no path in its artifacts[1]`,
  );
  assertEquals(message({ ...said, warnings: "none" }), `${wrong}has no list as its warnings`);
});

Deno.test("a script says itself why it failed, whatever its exit code", () => {
  const failed = (error: unknown, exitCode = 0) =>
    failure({ stdout: JSON.stringify({ ok: false, error }), exitCode }).slice(0, 3);
  assertEquals(failed("no rows"), ["failed", "external_failure", "script/x failed: no rows"]);
  assertEquals(failed({ type: "ValueError", message: "no rows" }, 1), [
    "failed",
    "external_failure",
    "script/x failed: no rows",
  ]);
  assertEquals(failed({ code: "not_found", message: "no such row" }), [
    "failed",
    "not_found",
    "script/x failed: no such row",
  ]);
  assertEquals(failed(null), ["failed", "external_failure", "script/x failed: it does not say why"]);
});

Deno.test("a script that says it failed keeps its warnings and files, and its words are seen as they are", () => {
  const envelope = { ok: false, error: { message: "no rows\u202e\nin a\u200b.csv\u001b[31m" } };
  const said = { ...envelope, result: null, artifacts: ["log.txt"], warnings: ["slow"] };
  const { failure, artifacts, warnings } = read({ stdout: JSON.stringify(said) });
  assertEquals(failure?.message, "script/x failed: no rows\\u202e\nin a\\u200b.csv");
  assertEquals([artifacts, warnings], [["log.txt"], ["slow"]]);
  const broken = read({ stdout: JSON.stringify({ ...said, artifacts: 3 }) });
  assertEquals([broken.failure?.message, broken.artifacts], [failure?.message, []]);
});
