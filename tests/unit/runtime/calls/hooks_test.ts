import { assert, assertEquals, assertThrows } from "@std/assert";

import { type HookCall, type Hooks, runAfter, runBefore } from "../../../../runtime/calls/hooks.ts";
import { programHooks } from "../../../../runtime/calls/program_hooks.ts";
import { trustedPrograms } from "../../../../runtime/walls/files/trusted_path.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { ToolResult } from "../../../../schemas/result.ts";
import { isAlive, until } from "../../../support/cli/processes.ts";
import { workspace } from "../../../support/run_tool.ts";
import { toolResult } from "../../../support/tool_result.ts";

const { signal } = new AbortController();
const call: HookCall = { tool: "test/x", input: { path: "a" }, workspace: "/ws", signal };
/** What an answer of another form is told. */
const odd = (what: string) =>
  `a hook failed: hooks.before gave ${what}: it must give nothing, { refuse: "why" } or { input: … }`;
const oddAfter = (what: string) =>
  `hooks.after gave ${what}: it must give nothing, or a whole result: { ...result, text: … }`;

const RESULT = toolResult({ result: { a: 1 }, text: "text" });
const FIELDS = "tool_name, ok, result, text, images";

Deno.test("runBefore() chains changes and stops at the first refusal", async () => {
  const seen: unknown[] = [];
  const hooks: Hooks[] = [
    { before: ({ input }) => void seen.push(input) },
    {},
    { before: ({ input }) => ({ input: { ...input as object, a: 1 } }) },
    { before: ({ input }) => Promise.resolve({ input: { ...input as object, b: 2 } }) },
  ];
  assertEquals(await runBefore(hooks, call), { input: { path: "a", a: 1, b: 2 }, refusal: null });
  const [refuse, late] = [() => ({ refuse: "not today" }), () => void seen.push("reached")];
  const refusing = [...hooks, { before: refuse }, { before: late }];
  assertEquals((await runBefore(refusing, call)).refusal, "not today");
  assertEquals(seen, [{ path: "a" }, { path: "a" }]);
});

Deno.test("runBefore() takes failures, late answers and odd ones for refusals", async () => {
  const answers: readonly (readonly [Hooks["before"], string])[] = [
    [() => Promise.reject(new Error("broken")), "a hook failed: broken"],
    [() => new Promise(() => {}), "a hook failed: it took longer than 50 ms"],
    [(() => "yes") as never, odd('"yes"')],
    [(() => ({ refuse: true })) as never, odd("an object with refuse")],
    [(() => ({ refused: "x" })) as never, odd("an object with refused")],
  ];
  for (const [before, refusal] of answers) {
    const outcome = await runBefore([{ before: before! }], call, { limitMs: 50 });
    assertEquals(outcome.refusal, refusal);
  }
});

Deno.test("runBefore() ends when the call is cancelled, and tells the hook", async () => {
  const cancel = new AbortController();
  let heard = false;
  const before = ({ signal }: HookCall) =>
    new Promise<void>(() => signal.addEventListener("abort", () => heard = true));
  const outcome = runBefore([{ before }], { ...call, signal: cancel.signal });
  cancel.abort();
  assertEquals((await outcome).refusal, "a hook failed: the call was cancelled");
  assert(heard);
});

Deno.test("hooks work on copies", async () => {
  const input = { path: "a" };
  const before = ({ input }: HookCall) => void ((input as { path: string }).path = "b");
  assertEquals((await runBefore([{ before }], { ...call, input })).input, { path: "a" });
  const after = (_: HookCall, result: ToolResult) => void (result.text = "changed");
  assertEquals(await runAfter([{ after }], call, { result: RESULT }), RESULT);
});

Deno.test("runAfter() chains results and withholds them when a hook fails", async () => {
  const add = (text: string): Hooks => ({ after: (_, result) => ({ ...result, text: result.text + text }) });
  const added = await runAfter([add(" one"), add(" two")], call, { result: RESULT });
  assertEquals(added, { ...RESULT, text: "text one two" });
  const failing: readonly (readonly [Hooks["after"], string])[] = [
    [() => Promise.reject(new Error("broken")), "broken"],
    [(() => ({ text: "x" })) as never, oddAfter("an object with text")],
    [
      (() => ({ ...RESULT, ok: false })) as never,
      'hooks.after gave a result whose "ok" is false, which its "error" contradicts',
    ],
    [() => new Promise(() => {}), "it took longer than 50 ms"],
  ];
  for (const [after, problem] of failing) {
    assertEquals(await runAfter([{ after: after! }], call, { result: RESULT, limitMs: 50 }), { problem });
  }
});

const OPTIONS = {
  programs: () => trustedPrograms("/usr/bin:/bin", { workspace: null, allow: { write: [] } }),
  home: "/nonexistent",
  lang: "C.UTF-8",
};
const sh = (script: string, ...args: string[]) => ["sh", "-c", script, "hook", ...args];

Deno.test("programHooks() gives one JSON object on stdin and a bare environment", async () => {
  using ws = workspace();
  const script = `cat > "$1"; env | sort > "$2"; pwd >> "$2"`;
  const [hook] = programHooks({ before: [sh(script, ws.at("in"), ws.at("env"))] }, OPTIONS);
  assertEquals((await runBefore([hook!], call)).refusal, null);
  const told = { v: 1, when: "before", tool: "test/x", input: { path: "a" }, workspace: "/ws" };
  assertEquals(JSON.parse(ws.read("in")), told);
  // The shell itself adds these.
  const added = /^(PWD|OLDPWD|SHLVL|_)=/;
  const lines = ws.read("env").trim().split("\n").filter((line) => !added.test(line));
  assertEquals(lines, ["HOME=/nonexistent", "LANG=C.UTF-8", "PATH=/usr/bin:/bin", "/"]);
});

Deno.test("programHooks() understands every answer before a call", async () => {
  const input = { path: "a" };
  const answers: readonly (readonly [script: string, unknown, refusal: string | null])[] = [
    ["", input, null],
    ["echo '{}'", input, null],
    [`echo '{"refuse":"no"}'`, input, "no"],
    [`echo '{"input":{"path":"b"}}'`, { path: "b" }, null],
    ["echo first >&2; echo second >&2; exit 3", input, "first"],
    ["exit 3", input, 'the hook "/usr/bin/sh" ended with code 3'],
    [`printf '\\033[31mred\\n' >&2; exit 1`, input, "red"],
    [`echo '{"result":{}}'`, input, odd("an object with result")],
    ["echo '[]'", input, odd("a list")],
    [
      "echo '{'",
      input,
      'a hook failed: Broken JSON in the hook\'s answer, line 2 column 1: expected a name in double quotes or "}"\n  \n  ^',
    ],
    // What it leaves behind does not hold it up.
    ["sleep 100 & exit 0", input, null],
    // It need not read what it is told.
    ["exec <&-; echo '{}'", input, null],
  ];
  for (const [script, changed, refusal] of answers) {
    const outcome = await runBefore(programHooks({ before: [sh(script)] }, OPTIONS), call);
    const told = refusal?.replace("/usr/bin/sh", shPath()) ?? null;
    assertEquals(outcome, { input: changed, refusal: told }, script);
  }
});

Deno.test("programHooks() passes arguments that are longer than a pipe holds", async () => {
  const input = { content: "x".repeat(300_000) };
  const [hook] = programHooks({ before: [sh("cat > /dev/null")] }, OPTIONS);
  assertEquals((await runBefore([hook!], { ...call, input })).refusal, null);
  const [deaf] = programHooks({ before: [sh("exit 0")] }, OPTIONS);
  assertEquals((await runBefore([deaf!], { ...call, input })).refusal, null);
});

Deno.test("programHooks() changes text and result after a call, or withholds them", async () => {
  const answers: readonly (readonly [script: string, unknown])[] = [
    ["", RESULT],
    [`echo '{"result":{"text":"hidden"}}'`, { ...RESULT, text: "hidden" }],
    [`echo '{"result":{"result":null}}'`, { ...RESULT, result: null }],
    ...[`echo '{"refuse":"no"}'`, `echo '{"result":{"ok":false}}'`].map((script) =>
      [script, { problem: 'it must give "result" with "text" or "result" in it, or nothing' }] as const
    ),
    [`echo '{"result":{"text":5}}'`, { problem: oddAfter(`an object with ${FIELDS}`) }],
    ["echo why >&2; exit 1", { problem: "why" }],
  ];
  for (const [script, expected] of answers) {
    const hooks = programHooks({ after: [sh(script)] }, OPTIONS);
    assertEquals(await runAfter(hooks, call, { result: RESULT }), expected, script);
  }
});

Deno.test("programHooks() ends a program and its children when the time is up", async () => {
  using ws = workspace();
  const script = `sleep 100 & echo $! > "$1"; mv "$1" "$2"; wait`;
  const [hook] = programHooks({ before: [sh(script, ws.at("new"), ws.at("pid"))] }, OPTIONS);
  const outcome = await runBefore([hook!], call, { limitMs: 1_000 });
  assertEquals(outcome.refusal, "a hook failed: it took longer than 1000 ms");
  const child = Number(ws.read("pid"));
  // Killed, it is gone as soon as its new parent has asked for it.
  await until("the end of the child", () => !isAlive(child));
});

Deno.test("programHooks() refuses what it cannot find", () => {
  for (const program of ["no-such-program-here", "./hook", "bin/hook", "/no/such/hook", "/usr", ""]) {
    const { code, message } = assertThrows(() => programHooks({ before: [[program]] }, OPTIONS), ToolError);
    const told = `No program "${program}" for a hook: name one that is on PATH, or an absolute path`;
    assertEquals([code, message], ["configuration", told]);
  }
});

function shPath(): string {
  return ["/usr/bin/sh", "/bin/sh"].find((path) => Deno.statSync(path).isFile)!;
}
