import { assert, assertEquals } from "@std/assert";

import { readScript } from "../../../../runtime/sources/script/describe_script.ts";

const SCORE = { name: "score", path: "score.py", description: "Score a text." };

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
  const { tool, script } = toolOf({ ...SCORE, name: " score " });
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
  const needs = (said: Record<string, unknown>) => toolOf({ ...SCORE, ...said }).tool.needs;
  assertEquals(needs({ filesystem_read: true, commands: [] }), { read: "workspace", run: "granted" });
  assertEquals(needs({ filesystem_write: true, commands: ["git "] }), {
    read: "workspace",
    write: "workspace",
    run: "granted",
  });
  assertEquals(needs({ network: true }), { net: "granted", run: "granted" });
  assertEquals(needs({ network: ["example.com:443"] }), { net: ["example.com:443"], run: "granted" });
  assertEquals(needs({ network: false, filesystem_read: false }), { run: "granted" });
  assertEquals(toolOf({ ...SCORE, filesystem_write: true }).tool.read_only, false);
  assertEquals(toolOf({ ...SCORE, network: true }).tool.read_only, false);
});

Deno.test("a script's other fields are those of its tool", () => {
  const input_schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
  const { tool } = toolOf({
    ...{ ...SCORE, input_schema, output_schema: { type: "number" }, timeout_seconds: 2.5, concurrency: 2 },
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
  assertEquals(problemsOf({ ...SCORE, name: "  " }), [
    'the tool at script_tools[0]: name is "  ": write 1 to 64 letters, digits, "_" or "-", with a letter first',
  ]);
  assertEquals(problemsOf({ ...SCORE, description: "", timeout_seconds: -1 }), [
    'tool "score": description is missing: write what the tool does, a model reads it',
    'tool "score": timeout_seconds is -1: write a number of seconds, at most 86400',
  ]);
  assertEquals(problemsOf({ ...SCORE, interpreter: "python3", reply: "json", commands: ["/usr/bin/git"] }), [
    'tool "score": interpreter is "python3": write the words before the path, such as ["python3", "-I"]',
    'tool "score": reply is "json": write "bare" or "envelope"',
    'tool "score": commands has "/usr/bin/git": write the name of a program, as on PATH',
  ]);
  assertEquals(problemsOf({ ...SCORE, filesystem_read: "yes", file_system_write: true }), [
    'tool "score": file_system_write is not known: did you mean "filesystem_write"?',
    'tool "score": filesystem_read is "yes": write true or false',
  ]);
  assertEquals(problemsOf({ ...SCORE, network: ["http://example.com"] }).length, 1);
  assertEquals(problemsOf({ ...SCORE, input_schema: { type: "array" }, output_schema: true }), [
    'tool "score": output_schema is true: write a JSON Schema, an object',
    'tool "score": input_schema.type is "array": write "object", the arguments have names',
  ]);
});
