import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { fromFileUrl } from "@std/path";

import { createRunner, type RunnerOptions, toolSchemas } from "../../../runtime/mod.ts";
import type { AuditRecord } from "../../../schemas/audit.ts";
import { ToolError } from "../../../schemas/error.ts";
import { codeOf } from "../../support/refusal.ts";
import { type Workspace, workspace } from "../../support/run_tool.ts";

const ENTRY = new URL("../../../runtime/mod.ts", import.meta.url);

/** A runner without the box, so that it works everywhere. */
function runner(ws: Workspace, options: Partial<RunnerOptions> = {}) {
  const env = { ...Deno.env.toObject(), ...options.env };
  return createRunner({ sandbox: "off", ...options, workspace: ws.path, env });
}

/** Runs an example of the manual in a workspace, from outside of the repository. */
async function runExample(
  ws: Workspace,
  block: string,
  permissions = ["read", "write", "run", "env", "sys", "net"],
): Promise<{ said: string; failure: string }> {
  const source = block.replace('"./runtime/mod.ts"', JSON.stringify(ENTRY.href));
  Deno.writeTextFileSync(ws.at("example.ts"), source);
  const config = fromFileUrl(new URL("../../../deno.json", import.meta.url));
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-check", "--no-prompt", `--config=${config}`, "--unstable-worker-options"],
      ...permissions.map((name) => `--allow-${name}`),
      ws.at("example.ts"),
    ],
    cwd: ws.path,
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder();
  return { said: text.decode(stdout), failure: text.decode(stderr) };
}

Deno.test("createRunner() works as its example says", async () => {
  using ws = workspace({ "notes.md": "# Notes\n", "plan.txt": "secret\n" });
  const [, block = ""] = /```ts\n([\s\S]*?)```/.exec(Deno.readTextFileSync(ENTRY)) ?? [];
  const { said, failure } = await runExample(ws, block.replace(/^ \* ?/gm, ""));
  assert(said.startsWith("true {"), failure);
  assert(said.endsWith("\ndenied_by_policy\n"), said);
});

Deno.test("createRunner() refuses by permissions, grants and hooks, and tells the audit", async () => {
  using ws = workspace({ "a.txt": "canary-value\n" });
  const audit: AuditRecord[] = [];
  await using run = runner(ws, {
    policy: "read-only",
    permissions: { "harness/*": "allow", "harness/Glob": ({ role }) => role === "finder" },
    role: "finder",
    hooks: [{ before: ({ tool }) => tool === "harness/Grep" ? { refuse: "no searching" } : undefined }],
    audit: (record) => {
      audit.push(record);
      throw new Error("nobody's failure");
    },
    env: { MY_TOKEN: "canary-value" },
  });
  const calls: readonly (readonly [string, unknown, string | null])[] = [
    ["Read", { path: "a.txt" }, null],
    ["harness/Glob", { pattern: "*" }, null],
    ["Grep", { pattern: "canary-value" }, "denied_by_policy"],
    ["Write", { path: "b.txt", content: "x" }, "permission_denied"],
  ];
  for (const [tool, input, code] of calls) {
    const result = await run.call(tool, input);
    assertEquals(result.error?.code ?? null, code, `${tool}: ${result.text}`);
  }
  assertEquals(audit.map(({ tool, decision, rule }) => [tool, decision, rule]), [
    ["harness/Read", "allowed", null],
    ["harness/Glob", "allowed", null],
    ["harness/Grep", "refused", "hook"],
    ["harness/Write", "refused", null],
  ]);
  assertEquals(audit[2]?.arguments, { pattern: "[redacted]" });
  assertEquals(new Set(audit.map(({ run_id }) => run_id)).size, 1);
  assertEquals(run.tools().some(({ full_name }) => full_name === "harness/Read"), true);
});

Deno.test("createRunner() asks whoever is there to be asked", async () => {
  using ws = workspace({ "a.txt": "a\n" });
  const permissions = { "harness/Read": "confirm" } as const;
  const asked: string[] = [];
  await using alone = runner(ws, { permissions });
  await using attended = runner(ws, {
    permissions,
    confirm: ({ tool }) => Promise.resolve(asked.push(tool) > 0),
  });
  assertEquals((await alone.call("Read", { path: "a.txt" })).error?.code, "denied_by_policy");
  assertEquals((await attended.call("Read", { path: "a.txt" })).ok, true);
  assertEquals(asked, ["harness/Read"]);
});

Deno.test("createRunner() loses no line of calls that are made at once, and keeps a shell to one command", async () => {
  using ws = workspace({ "p.txt": Array.from({ length: 10 }, (_, n) => `${n}\n`).join("") });
  await using run = runner(ws, { allow: { run: true }, maxParallel: 10 });
  const edits = Array.from({ length: 10 }, (_, n) => `@@ -${n + 1} +${n + 1} @@\n-${n}\n+new ${n}\n`);
  // Two runners have no line in common: only the file itself is between them.
  await using other = runner(ws);
  const done = await Promise.all(
    edits.map((patch, n) => (n % 2 === 0 ? run : other).call("Edit", { path: "p.txt", patch })),
  );
  assertEquals(done.filter(({ ok }) => ok).length, 10);
  assertEquals(ws.read("p.txt"), edits.map((_, n) => `new ${n}\n`).join(""));
  await run.call("manus/bash", { command: "true" });
  const commands = ["read -t 0.3 x; echo a got=$x", "echo b"];
  const both = await Promise.all(commands.map((command) => run.call("manus/bash", { command })));
  assertEquals(both.map(({ result }) => (result as { output: string }).output.trim()), ["a got=", "b"]);
});

Deno.test("createRunner() ends calls that are cancelled, also those that wait", async () => {
  using ws = workspace({ "a.txt": "a\n" });
  await using run = runner(ws, { maxParallel: 1 });
  const cancel = new AbortController();
  const calls = [1, 2, 3].map(() => run.call("Read", { path: "a.txt" }, { signal: cancel.signal }));
  cancel.abort();
  const codes = (await Promise.all(calls)).map(({ error }) => error?.code);
  assertEquals(codes, Array(3).fill("cancelled"));
});

Deno.test("createRunner() refuses names that are no tool's, and relative folders", async () => {
  using ws = workspace();
  await using run = runner(ws);
  const circle: Record<string, unknown> = {};
  circle.path = circle;
  for (const [name, input] of [["Raed", {}], ["Read", circle], ["Read", 5n]] as const) {
    assertEquals(await codeOf(() => run.call(name, input)), "invalid_input");
  }
  assertEquals((await run.call("Read", undefined)).error?.code, "invalid_input");
  const misspelt = assertThrows(() => runner(ws, { permissions: { "harness/Bsh": "deny" } }), ToolError);
  assertEquals(misspelt.message.startsWith('Unknown tool "harness/Bsh"'), true);
  const bare = assertThrows(() => runner(ws, { permissions: { Read: "deny" } }), ToolError);
  assertEquals(bare.message, 'Name "Read" in full: "harness/Read"');
  assertThrows(() => createRunner({ workspace: "ws" }), TypeError);
});

Deno.test("createRunner() holds a policy of one's own as one thing: rules, filter, bounds, write and network", async () => {
  using ws = workspace({ "a.txt": "a\n" });
  await using run = runner(ws, {
    policy: {
      name: "mine",
      base: "coder",
      deny: ["git push"],
      filter: (command) =>
        "script" in command && command.script.includes("nothing") ? { refuse: "no" } : undefined,
      write: false,
      net: false,
      programs: { cpu_seconds: 7 },
    },
    allow: { run: true, write: true },
    toolLimits: { "manus/python_execute": { timeout_seconds: 0.3 } },
    config: false,
  });
  const said = [["ulimit -t", "\n7\n"], ["echo nothing", 'policy "mine" refuses it: no'], [
    "git push",
    'policy "mine" denies "git push"',
  ]];
  for (const [command, text = ""] of said) {
    assertStringIncludes((await run.call("Bash", { command })).text, text);
  }
  const write = await run.call("Write", { path: "b.txt", content: "x" });
  assertEquals([write.error?.code, write.error?.details.reason], ["permission_denied", "denied"]);
  const late = await run.call("python_execute", { code: "import time; time.sleep(20)" });
  assertEquals(late.error?.code, "timeout");
});

Deno.test("toolSchemas() gives the tools of a choice in every form, as the manual says", () => {
  const names = ["Read", "par/bash=shell"];
  const [read, shell] = toolSchemas(names) as { function: { name: string; parameters: { type: string } } }[];
  assertEquals([read?.function.name, shell?.function.name], ["Read", "shell"]);
  assertEquals(read?.function.parameters.type, "object");
  for (const [format, field] of [["anthropic", "input_schema"], ["mcp", "inputSchema"]] as const) {
    const found = toolSchemas(names, { format }).map((tool) => [tool.name, field in tool]);
    assertEquals(found, [["Read", true], ["shell", true]]);
  }
  const manual = Deno.readTextFileSync(new URL("../../../runtime/README.md", import.meta.url));
  const said = 'const tools = toolSchemas(["Read", "par/bash=shell"], { format: "anthropic" });';
  assertStringIncludes(manual, said);
  assertStringIncludes(manual, 'console.log(tools.map(({ name }) => name)); // [ "Read", "shell" ]');
  assertEquals(toolSchemas(["Read"], { format: "json-schema" })[0]?.title, "Read");
  const par = toolSchemas([], { toolsets: ["par"], format: "mcp" });
  assertEquals(par.some(({ name }) => name === "calculator"), true);
  assertEquals(toolSchemas().length > 10, true);
  const unknown = assertThrows(() => toolSchemas(["Raed"]), ToolError);
  assertEquals([unknown.code, unknown.message.includes("bulkhead tools")], ["invalid_input", false]);
  assertThrows(() => toolSchemas(["Read"], { toolsets: ["par"] }), TypeError);
});

Deno.test("createRunner() needs no permission for variables if they are given", async () => {
  using ws = workspace({ "notes.md": "# Notes\n" });
  const { PATH, HOME, DENO_DIR, XDG_CACHE_HOME } = Deno.env.toObject();
  const env = JSON.stringify({ PATH, HOME, DENO_DIR, XDG_CACHE_HOME });
  const block = `import { createRunner } from "./runtime/mod.ts";
    await using runner = createRunner({ workspace: Deno.cwd(), env: ${env} });
    console.log((await runner.call("Read", { path: "notes.md" })).ok);`;
  const { said, failure } = await runExample(ws, block, ["read", "write", "run", "sys", "net"]);
  assertEquals(said, "true\n", failure);
});
