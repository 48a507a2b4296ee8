import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { createRunner, type RunnerOptions, type ScriptTool, ToolError } from "../../../../../runtime/mod.ts";
import { workspace } from "../../../../support/run_tool.ts";

/** A script of bash; its tool is named as its file is. */
function bash(name: string, changes: Partial<ScriptTool> = {}): ScriptTool {
  return { name, path: `scripts/${name}.sh`, description: "Does it.", timeout_seconds: 10, ...changes };
}

/** A runner without the box, in which bash may be started by name. */
function open(
  ws: ReturnType<typeof workspace>,
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
  ], { onEvent: ({ type }) => void events.push(type) });
  const scored = await runner.call("score", { text: "tea", max_score: "20" });
  assertEquals(scored.result, { got: { text: "tea", max_score: 20 }, tool: "script/score" });
  assertEquals([scored.tool_name, scored.ok, scored.metadata.place], ["script/score", true, "process"]);
  assertStringIncludes(scored.warnings.join(), "read as 20");
  assertStringIncludes(scored.warnings.join(), "ran without a sandbox");
  assertEquals(events, ["tool.start", "program.start", "program.end", "tool.end"]);
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

Deno.test("a script that fails, hangs or floods ends with an error of its own", async () => {
  using ws = workspace({
    "scripts/exit.sh": "echo 'no such column' >&2; exit 3",
    "scripts/hang.sh": "echo 'half way' >&2; sleep 60",
    "scripts/flood.sh": "head -c 5000000 /dev/zero | tr '\\0' ' '; head -c 3000000 /dev/zero >&2",
    "scripts/away.sh": `echo '{"ok":true,"result":1,"artifacts":["/etc/hostname"],"warnings":[]}'`,
    "scripts/lost.sh": `echo '{"ok":true,"result":1,"artifacts":["gone.txt"],"warnings":[]}'`,
  });
  await using runner = open(ws, [
    ...[bash("exit"), bash("hang", { timeout_seconds: 3 }), bash("flood"), bash("away"), bash("missing")],
    bash("lost", { filesystem_write: true }),
  ]);
  const failure = async (name: string) => {
    const { error } = await runner.call(`script/${name}`, {});
    return [error?.code, error?.details.reason, error?.message];
  };
  assertEquals(await failure("exit"), [
    "external_failure",
    "exit_code",
    "script/exit ended with exit code 3, and wrote to stderr: no such column",
  ]);
  assertEquals(await failure("hang"), [
    "timeout",
    undefined,
    "script/hang was stopped: it took longer than 3000 ms, and had written to stderr: half way",
  ]);
  assertEquals((await failure("flood")).slice(0, 2), ["limit_exceeded", "oversize"]);
  assertEquals((await failure("away")).slice(0, 2), ["permission_denied", "artifact"]);
  assertEquals((await failure("lost")).slice(0, 2), ["output_invalid", "artifact"]);
  assertEquals(await failure("missing"), [
    "not_found",
    undefined,
    `Cannot run script/missing: there is no file "${ws.at("scripts/missing.sh")}"; correct its path`,
  ]);
  const aborted = AbortSignal.abort();
  assertEquals((await runner.call("script/exit", {}, { signal: aborted })).error?.code, "cancelled");
});

Deno.test("a script's mistakes are told when its tools are loaded, and names are taken once", async () => {
  using ws = workspace({ "scripts/score.sh": SCORE });
  const message = async (...scriptTools: ScriptTool[]) => {
    await using runner = open(ws, scriptTools);
    const { code, message } = await assertRejects(() => runner.ready(), ToolError);
    return [code, message];
  };
  assertEquals(await message({ ...bash("score"), path: "" }), [
    "invalid_input",
    'tool "score": path is "": write the path of the script',
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
