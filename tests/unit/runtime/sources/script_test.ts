import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";

import { createRunner, type RunnerOptions, type ScriptTool } from "../../../../runtime/mod.ts";
import { readScript } from "../../../../runtime/sources/script/describe_script.ts";
import { MAX_REPLY_BYTES, readReply } from "../../../../runtime/sources/script/read_reply.ts";
import { type ErrorCode, ToolError } from "../../../../schemas/error.ts";
import type { ClippedOutput } from "../../../../schemas/program.ts";
import { type Workspace, workspace } from "../../../support/run_tool.ts";

/** A script of bash; its tool is named as its file is. */
function bash(name: string, changes: Partial<ScriptTool> = {}): ScriptTool {
  return { name, path: `scripts/${name}.sh`, description: "Does it.", timeout_seconds: 10, ...changes };
}

/** A runner without the box, in which bash may be started by name. */
function open(
  ws: Workspace,
  scriptTools: readonly ScriptTool[],
  options: Partial<RunnerOptions> = {},
) {
  const given = { sandbox: "off" as const, config: false as const, allow: { run: ["bash"] }, scriptTools };
  return createRunner({ workspace: ws.path, ...given, ...options });
}

const SCORE = `read -r input
printf '{"got":%s,"tool":"%s"}' "$input" "$BULKHEAD_TOOL"
`;
const REPORT = `mkdir -p artifacts; echo '{}' > artifacts/report.json
printf '{"ok":true,"result":{"lines":3},"artifacts":[{"path":"artifacts/report.json","mime":"application/json"}],'
printf '"warnings":["two lines are empty"],"error":null}'
`;

Deno.test("a script gets its arguments as JSON and gives its result as JSON, alone or in an envelope", async () => {
  using ws = workspace({ "scripts/score.sh": SCORE, "scripts/report.sh": REPORT });
  const input_schema = {
    type: "object",
    properties: { text: { type: "string" }, max_score: { type: "integer", minimum: 1 } },
    required: ["text"],
    additionalProperties: false,
  };
  const events: string[] = [];
  await using runner = open(ws, [
    bash("score", { input_schema, output_schema: { type: "object", required: ["got"] } }),
    bash("report", { filesystem_write: true }),
    bash("loose", { path: "scripts/score.sh", input_schema: { type: "object", properties: { a: {} } } }),
  ], { onEvent: ({ type }) => void events.push(type) });
  const scored = await runner.call("score", { text: "tea", max_score: "20" });
  assertEquals(scored.result, { got: { text: "tea", max_score: 20 }, tool: "script/score" });
  assertEquals([scored.tool_name, scored.ok, scored.metadata.place], ["script/score", true, "process"]);
  assertStringIncludes(scored.warnings.join(), "read as 20");
  assertStringIncludes(scored.warnings.join(), "ran without a sandbox");
  assertEquals(events, ["tool.start", "program.start", "program.end", "tool.end"]);
  // A JSON Schema is open unless it says otherwise.
  assertEquals((await runner.call("loose", { a: 1, b: [2] })).result, {
    got: { a: 1, b: [2] },
    tool: "script/loose",
  });
  const report = await runner.call("script/report", {});
  assertEquals(report.result, { lines: 3 });
  assertEquals(report.artifacts, [{ name: "report.json", path: ws.at("artifacts/report.json"), bytes: 3 }]);
  assertStringIncludes(report.warnings.join(), "two lines are empty");
});

Deno.test("what does not fit the schemas of a script is an error with all its places", async () => {
  using ws = workspace({ "scripts/score.sh": SCORE, "scripts/touch.sh": "touch ran; echo 1" });
  const input_schema = {
    $schema: "http://json-schema.org/draft-04/schema#",
    type: "object",
    properties: { n: { type: "integer", minimum: 3, exclusiveMinimum: true }, m: { type: "string" } },
    required: ["n"],
  };
  await using runner = open(ws, [
    bash("score", { output_schema: { type: "object", properties: { got: { required: ["n"] } } } }),
    bash("touch", { input_schema, filesystem_write: true }),
  ]);
  const refused = await runner.call("touch", { n: 3, m: [1] });
  assertEquals(refused.error?.code, "invalid_input");
  assertStringIncludes(
    refused.error?.message ?? "",
    'does not fit its schema: #/n: must satisfy "minimum"; #/m: must be string',
  );
  assertEquals(ws.read("scripts/touch.sh").includes("touch"), true);
  await assertRejects(() => Deno.lstat(ws.at("ran")), Deno.errors.NotFound);
  const odd = await runner.call("score", { x: 1 });
  assertEquals([odd.error?.code, odd.ok, odd.result], ["output_invalid", false, null]);
  assertStringIncludes(odd.error?.message ?? "", '#/got: must have "n"');
});

Deno.test("a pattern of a schema that would take for ever holds nobody up", async () => {
  using ws = workspace({ "scripts/score.sh": SCORE });
  const slow = { type: "string", pattern: "^(a+)+$" };
  const input_schema = {
    type: "object",
    properties: { text: { anyOf: [{ type: "integer" }, slow] }, other: slow },
  };
  await using runner = open(ws, [bash("score", { input_schema })]);
  for (const name of ["text", "other"]) {
    const { error } = await runner.call("script/score", { [name]: `${"a".repeat(60)}!` });
    assertEquals(error?.code, "invalid_input");
  }
});

Deno.test("a script that hangs, is not there or names files that it may not ends with an error of its own", async () => {
  using ws = workspace({
    "scripts/hang.sh": "echo 'half way' >&2; sleep 60",
    "scripts/away.sh": `echo '{"ok":true,"result":1,"artifacts":["/etc/hostname"],"warnings":[]}'`,
    "scripts/lost.sh": `echo '{"ok":true,"result":1,"artifacts":["gone.txt"],"warnings":[]}'`,
  });
  await using runner = open(ws, [
    ...[bash("hang", { timeout_seconds: 3 }), bash("away"), bash("missing")],
    bash("lost", { filesystem_write: true }),
  ]);
  const failure = async (name: string) => {
    const { error } = await runner.call(`script/${name}`, {});
    return [error?.code, error?.details.reason, error?.message];
  };
  assertEquals(await failure("hang"), [
    "timeout",
    undefined,
    "script/hang was stopped: it took longer than 3000 ms, and had written to stderr: half way",
  ]);
  assertEquals((await failure("away")).slice(0, 2), ["permission_denied", "artifact"]);
  assertEquals((await failure("lost")).slice(0, 2), ["output_invalid", "artifact"]);
  assertEquals(await failure("missing"), [
    "not_found",
    undefined,
    `Cannot run script/missing: there is no file "${ws.at("scripts/missing.sh")}"; correct its path`,
  ]);
  const aborted = AbortSignal.abort();
  assertEquals((await runner.call("script/away", {}, { signal: aborted })).error?.code, "cancelled");
});

Deno.test("a script's mistakes are told when the runner is made or its tools are loaded, and names are taken once", async () => {
  using ws = workspace({ "scripts/score.sh": SCORE });
  const message = async (...scriptTools: ScriptTool[]) => {
    const { code, message } = await assertRejects(async () => {
      await using runner = open(ws, scriptTools);
      await runner.ready();
    }, ToolError);
    return [code, message];
  };
  assertEquals(await message({ ...bash("score"), path: "" }), [
    "invalid_input",
    'Cannot use the options of the runner: tool "score": path is "": write the path of the script',
  ]);
  const twice = "Two tools are named script/score, one is scripts/score.sh (scriptTools[0]), ";
  assertEquals(await message(bash("score"), bash("score", { name: " score ", path: "other.sh" })), [
    "configuration",
    `${twice}one is other.sh (scriptTools[1]): rename one of them`,
  ]);
  const [code, text] = await message(bash("score", { input_schema: { type: "object", required: 7 } }));
  assertEquals(code, "invalid_input");
  assertStringIncludes(text!, "input_schema of script/score");
});

Deno.test("a run cannot change its scripts, and the user's permissions hold for them", async () => {
  using ws = workspace({ "scripts/score.sh": SCORE, "scripts/lib/part.txt": "x" });
  const audit: string[] = [];
  await using runner = open(ws, [bash("score", { files: ["lib"] })], {
    permissions: { "script/*": ({ role }) => role === "reviewer" },
    toolLimits: { "script/score": { timeout_seconds: 5 } },
    audit: ({ tool, decision }) => void audit.push(`${tool} ${decision}`),
  });
  for (const path of ["scripts/score.sh", "scripts/lib/part.txt"]) {
    const written = await runner.call("Write", { path, content: "echo 1", overwrite: true });
    assertEquals(written.error?.code, "permission_denied", path);
  }
  const refused = await runner.call("script/score", {});
  assertEquals(refused.error?.code, "denied_by_policy");
  assert(audit.some((line) => line.startsWith("script/score refused")), audit.join());
});

function stream(head: string, changes: Partial<ClippedOutput> = {}): ClippedOutput {
  const bytes = new TextEncoder().encode(head).length;
  const whole = { omittedBytes: 0, omittedLines: 0, binary: false, replaced: 0, nuls: 0, overwritten: 0 };
  return { head, tail: "", bytes, ...whole, ...changes };
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

const CODES: Readonly<Record<string, ErrorCode>> = {
  ...{ exit_code: "external_failure", stderr: "external_failure", empty: "output_invalid" } as const,
  ...{ oversize: "limit_exceeded", malformed: "output_invalid" } as const,
};
const NO_JSON = "did not write one JSON value to stdout: it begins with";
const EMPTY = "wrote nothing to stdout: it must write its result there, as JSON";
const LARGE = "wrote 4194305 bytes to stdout: at most 4194304 are taken, write the rest to a file";
const large = stream("[", { bytes: MAX_REPLY_BYTES + 1, tail: "]" });
const FAILURES: readonly [ended: Ended, reason: string, message: string][] = [
  [{ exitCode: 3 }, "exit_code", "ended with exit code 3, without a word on stderr"],
  [
    { exitCode: 1, stdout: "Usage:\u202e score" },
    "exit_code",
    'ended with exit code 1, without a word on stderr; its stdout begins with "Usage:\\u202e score"',
  ],
  [
    { exitCode: 137, stderr: "half\n", stdout: "{}" },
    "exit_code",
    "was ended by SIGKILL, and wrote to stderr: half",
  ],
  [{ stderr: "no such column\n" }, "stderr", "wrote nothing to stdout, but to stderr: no such column"],
  ...["", " \n"].map((stdout): typeof FAILURES[number] => [{ stdout }, "empty", EMPTY]),
  [{ stdout: large }, "oversize", LARGE],
  [{ stdout: "score: 3", stderr: "log" }, "malformed", `${NO_JSON} "score: 3", and wrote to stderr: log`],
  [{ stdout: "{}\n{}" }, "malformed", `${NO_JSON} "{}\\n{}"`],
  [
    { stdout: stream('"\uFFFD"', { replaced: 1 }) },
    "malformed",
    "did not write one JSON value to stdout: it is not UTF-8",
  ],
];

Deno.test("each way to fail has an error of its own", () => {
  for (const [ended, reason, message] of FAILURES) {
    const stderr = ended.stderr?.trim();
    assertEquals(failure(ended), [reason, CODES[reason]!, `script/x ${message}`, stderr]);
  }
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
  const said = (
    why: string,
    code: ErrorCode = "external_failure",
  ) => ["failed", code, `script/x failed: ${why}`];
  assertEquals(failed("no rows"), said("no rows"));
  assertEquals(failed({ type: "ValueError", message: "no rows" }, 1), said("no rows"));
  assertEquals(failed({ code: "not_found", message: "no such row" }), said("no such row", "not_found"));
  assertEquals(failed(null), said("it does not say why"));
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

Deno.test("readReply() believes no success of a script that failed, and reads nothing that is nested without end", () => {
  const whole = JSON.stringify({ ok: true, result: 1, artifacts: [], warnings: [] });
  assertEquals(failure({ stdout: whole, exitCode: 3 }).slice(0, 2), ["exit_code", "external_failure"]);
  assertEquals(failure({ stdout: whole, exitCode: 3, reply: "envelope" })[0], "exit_code");
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  assertEquals(failure({ stdout: deep }).slice(0, 2), ["malformed", "output_invalid"]);
});

const SCORED = { name: "score", path: "score.py", description: "Score a text." };

function toolOf(said: Record<string, unknown>) {
  const read = readScript(said, "script_tools[0]");
  assert("tool" in read, JSON.stringify(read));
  return read;
}

function problemsOf(said: unknown): string[] {
  const read = readScript(said, "script_tools[0]");
  assert("problems" in read);
  return read.problems;
}

Deno.test("a script with the least that must be said touches nothing, and takes 30 seconds", () => {
  const { tool, script } = toolOf({ ...SCORED, name: " score " });
  assertEquals(tool.full_name, "script/score");
  assertEquals(tool.toolset, "script");
  assertEquals(tool.name, "score");
  assertEquals(script.name, "score");
  assertEquals(tool.needs, { run: "granted" });
  assertEquals(tool.limits, { timeout_ms: 30_000, concurrency: null });
  assertEquals([tool.permission, tool.read_only, tool.parallel], ["allow", true, false]);
  assertEquals([tool.input_schema, tool.output_schema], [{ type: "object" }, {}]);
});

Deno.test("what a script may touch is what its tool needs", () => {
  const needs = (said: Record<string, unknown>) => toolOf({ ...SCORED, ...said }).tool.needs;
  assertEquals(needs({ filesystem_read: true, commands: [] }), { read: "workspace", run: "granted" });
  assertEquals(needs({ filesystem_write: true, commands: ["git "] }), {
    read: "workspace",
    write: "workspace",
    run: "granted",
  });
  assertEquals(needs({ network: true }), { net: "granted", run: "granted" });
  assertEquals(needs({ network: ["example.com:443"] }), { net: ["example.com:443"], run: "granted" });
  assertEquals(needs({ network: false, filesystem_read: false }), { run: "granted" });
  assertEquals(toolOf({ ...SCORED, filesystem_write: true }).tool.read_only, false);
  assertEquals(toolOf({ ...SCORED, network: true }).tool.read_only, false);
});

Deno.test("a script's other fields are those of its tool", () => {
  const input_schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
  const { tool } = toolOf({
    ...{ ...SCORED, input_schema, output_schema: { type: "number" }, timeout_seconds: 2.5, concurrency: 2 },
    ...{ parallel: true, permission: { roles: ["reviewer"] } },
  });
  assertEquals(tool.limits, { timeout_ms: 2_500, concurrency: 2 });
  assertEquals([tool.parallel, tool.permission], [true, { roles: ["reviewer"] }]);
  assertEquals([tool.input_schema, tool.output_schema], [input_schema, { type: "number" }]);
});

Deno.test("each mistake names the tool, the field and what to write", () => {
  assertEquals(problemsOf("score.py"), ["script_tools[0]: write { name, path, description, … }"]);
  assertEquals(problemsOf({ name: "score", description: "Score a text." }), [
    'tool "score": path is missing: write the path of the script',
  ]);
  assertEquals(problemsOf({ ...SCORED, name: "  " }), [
    'the tool at script_tools[0]: name is "  ": write 1 to 64 letters, digits, "_" or "-", with a letter first',
  ]);
  assertEquals(problemsOf({ ...SCORED, description: "", timeout_seconds: -1 }), [
    'tool "score": description is missing: write what the tool does, a model reads it',
    'tool "score": timeout_seconds is -1: write a number of seconds, at most 86400',
  ]);
  assertEquals(problemsOf({ ...SCORED, interpreter: "python3", reply: "json", commands: ["/usr/bin/git"] }), [
    'tool "score": interpreter is "python3": write the words before the path, such as ["python3", "-I"]',
    'tool "score": reply is "json": write "bare" or "envelope"',
    'tool "score": commands has "/usr/bin/git": write the name of a program, as on PATH',
  ]);
  assertEquals(problemsOf({ ...SCORED, filesystem_read: "yes", file_system_write: true }), [
    'tool "score": file_system_write is not known: did you mean "filesystem_write"?',
    'tool "score": filesystem_read is "yes": write true or false',
  ]);
  assertEquals(problemsOf({ ...SCORED, network: ["http://example.com"] }).length, 1);
  assertEquals(problemsOf({ ...SCORED, input_schema: { type: "array" }, output_schema: true }), [
    'tool "score": output_schema is true: write a JSON Schema, an object',
    'tool "score": input_schema.type is "array": write "object", the arguments have names',
  ]);
});
