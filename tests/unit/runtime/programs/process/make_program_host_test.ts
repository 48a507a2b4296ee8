import { assert, assertEquals, assertRejects } from "@std/assert";

import { MarkReader, type ShellPrompt } from "../../../../../runtime/programs/process/shell_protocol.ts";
import { StartReportReader } from "../../../../../runtime/programs/process/start_report.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { SHELL_MARK } from "../../../../../schemas/program.ts";
import { boxTest } from "../../../../support/box.ts";
import { isAlive, makeMark, until } from "../../../../support/cli/processes.ts";
import { hasProgram } from "../../../../support/needed_programs.ts";
import { placedTest, type ProgramScene, programScene } from "../../../../support/program_scene.ts";

const programTest = placedTest("ProgramHost.run()");

programTest("returns output, exit code and facts", async (scene, boxed) => {
  const end = await scene.sh("pwd; echo to stderr >&2; exit 3");
  assertEquals([end.exitCode, end.reason, end.kept], [3, "exited", []]);
  assertEquals([end.stdout.head, end.stderr.head], [`${scene.path}\n`, "to stderr\n"]);
  assertEquals(end.warnings, ["a warning", "found"]);
  assertEquals(scene.warnings, ["a warning", "found"]);
  const [{ duration_ms, ...program } = { duration_ms: -1 }] = scene.programs;
  assert(duration_ms >= 0);
  const argv = ["sh", "-c", "pwd; echo to stderr >&2; exit 3"];
  const bytes = scene.path.length + 11;
  assertEquals(program, { argv, cwd: scene.path, boxed, exit_code: 3, bytes });
}, { warnings: ["a warning"], inspect: () => Promise.resolve(["found"]) });

programTest("starts a program in its folder with its variables and nothing else", async (scene, boxed) => {
  Deno.mkdirSync(scene.at("sub dir"));
  const end = await scene.sh('pwd; echo "$MINE"; env | cut -d= -f1 | sort | tr "\\n" " "', {
    cwd: scene.at("sub dir"),
    env: { MINE: "a 'value'" },
  });
  const [folder, mine, all = ""] = end.stdout.head.split("\n");
  const names = all.split(" ").filter((name) => !["", "_", "OLDPWD"].includes(name));
  assertEquals([folder, mine], [scene.at("sub dir"), "a 'value'"]);
  const expected = ["HOME", "LANG", "MINE", "PATH", "PWD", "TERM"];
  assertEquals(names, boxed ? expected : ["BULKHEAD_PROGRAM", ...expected]);
});

programTest("gives stdin, and an empty one where there is none", async (scene) => {
  const megabyte = "line of input\n".repeat(75_000);
  const counted = await scene.sh("wc -c", { stdin: megabyte });
  assertEquals(Number(counted.stdout.head), megabyte.length);
  const echoed = await scene.host.run({ argv: ["cat"], stdin: megabyte }, scene.call());
  assertEquals(echoed.stdout.bytes, megabyte.length);
  const ignored = await scene.host.run({ argv: ["true"], stdin: megabyte }, scene.call());
  assertEquals([ignored.exitCode, ignored.reason], [0, "exited"]);
  assertEquals((await scene.sh("wc -c")).stdout.head.trim(), "0");
});

programTest("says not_found for what cannot be started", async (scene, boxed) => {
  const run = () => scene.host.run({ argv: ["no-such-program"] }, scene.call());
  // Without a box it is setpriv that tells; without that, the shell does as shells do.
  if (!boxed && !hasProgram("setpriv")) return assertEquals((await run()).exitCode, 127);
  const said = 'Cannot start "no-such-program": No such file or directory';
  const error = await assertRejects(run, ToolError, said);
  assertEquals(error.code, "not_found");
});

programTest("returns when a program has ended, whoever holds its pipes", async (scene, boxed) => {
  const end = await scene.sh("sleep 60 & echo $! >pid; echo hi", { timeoutMs: 50_000 });
  assertEquals([end.stdout.head, end.exitCode, end.reason], ["hi\n", 0, "exited"]);
  if (!boxed) await until("the end of what it started", () => !isAlive(Number(scene.read("pid"))));
});

/** A call whose time is over when its program has been heard. */
function callUntilHeard(scene: ProgramScene) {
  const control = new AbortController();
  const onOutput = () => control.abort(new ToolError("timeout", "Too long"));
  return scene.call({ signal: control.signal, onOutput });
}

programTest("ends a program that heeds no SIGTERM", async (scene) => {
  const argv = ["sh", "-c", "trap '' TERM; echo before; while :; do sleep 0.1; done"];
  const end = await scene.host.run({ argv }, callUntilHeard(scene));
  assertEquals([end.reason, end.exitCode, end.stdout.head], ["timeout", 137, "before\n"]);
});

programTest("lets a program clean up when its time is over", async (scene) => {
  const argv = ["sh", "-c", "trap 'echo cleaned; exit 9' TERM; echo ready; sleep 60 & wait"];
  const end = await scene.host.run({ argv }, callUntilHeard(scene));
  assertEquals([end.reason, end.stdout.head], ["timeout", "ready\ncleaned\n"]);
});

programTest("ends what left the program's session", async (_, boxed) => {
  // A control group would end it as well, but not every system lets one be made.
  for (const groups of boxed ? [true] : [true, false]) {
    await using scene = programScene({ boxed, groups });
    const mark = makeMark();
    const escape = "setsid sh -c 'echo $$ >pid; exec sleep 1000' & until [ -s pid ]; do sleep 0.01; done";
    for (const stays of ["echo out", "trap '' TERM; echo out; while :; do sleep 1; done"]) {
      const script = `${escape}; ${stays}`;
      const isStopped = script.includes("trap");
      const call = isStopped ? callUntilHeard(scene) : scene.call();
      const end = await scene.host.run({ argv: ["sh", "-c", script], env: mark.env }, call);
      assertEquals([end.reason, end.stdout.head], [isStopped ? "timeout" : "exited", "out\n"]);
      await until("the end of what left", () => mark.pids().length === 0);
      Deno.removeSync(scene.at("pid"));
    }
  }
});

programTest("ends when its call is cancelled or out of time", async (scene) => {
  for (const cause of [new ToolError("cancelled", "Stop"), undefined, new ToolError("timeout", "Too long")]) {
    const reason = cause?.code ?? "cancelled";
    const control = new AbortController();
    const running = scene.sh("echo out; echo $$ >started; sleep 60", {}, { signal: control.signal });
    await until("the program runs", () => [...Deno.readDirSync(scene.path)].length > 0);
    control.abort(cause);
    const end = await running;
    assertEquals([end.reason, end.exitCode, end.stdout.head], [reason, 143, "out\n"]);
    Deno.removeSync(scene.at("started"));
  }
  const signal = AbortSignal.abort(new ToolError("timeout", "Too late"));
  await assertRejects(() => scene.sh("echo late >late", {}, { signal }), ToolError, "Too late");
  assertEquals([...Deno.readDirSync(scene.path)], []);
});

programTest("keeps all output in files if it is asked to", async (_, boxed) => {
  await using files = programScene({ boxed });
  const keepFile = (name: string) => {
    const path = files.at(`kept-${name}`);
    return Promise.resolve({ path, file: Deno.openSync(path, { write: true, createNew: true }) });
  };
  await using scene = programScene({ boxed, keepFile });
  const end = await scene.sh("seq 100000", { keepOutput: true, maxBytes: 10 });
  assertEquals(end.kept, [{ name: "stdout", path: files.at("kept-stdout.txt"), bytes: 588_895 }]);
  assertEquals(files.read("kept-stdout.txt").endsWith("\n99999\n100000\n"), true);
  assertEquals([end.stdout.head, end.stdout.tail], ["1\n2\n", "0000\n"]);
  assertEquals(end.warnings, []);
});

programTest("goes on without its file where none can be made", async (scene) => {
  const end = await scene.sh("echo out", { keepOutput: true });
  assertEquals([end.stdout.head, end.kept], ["out\n", []]);
  assertEquals(end.warnings, [
    "The output of the program on stdout is not all in a file: it could not be kept: the disk is full",
  ]);
}, { keepFile: () => Promise.reject(new ToolError("internal", "the disk is full")) });

programTest("is ended with its host", async (_, boxed) => {
  const scene = programScene({ boxed });
  const running = scene.sh("echo $$ >started; trap '' TERM; while :; do sleep 0.01; done");
  await until("the program runs", () => [...Deno.readDirSync(scene.path)].length > 0);
  await scene[Symbol.asyncDispose]();
  assertEquals((await running).reason, "cancelled");
});

boxTest("ProgramHost.run() says why a box cannot be made", async () => {
  await using scene = programScene({ boxed: true });
  const run = () => scene.host.run({ argv: ["true"], cwd: "/nowhere" }, scene.call());
  const error = await assertRejects(run, ToolError);
  assertEquals([error.code, error.message], [
    "unavailable",
    'The sandbox of "true" cannot be made: Can\'t chdir to /nowhere: No such file or directory; see bulkhead doctor',
  ]);
});

const PURE = { permissions: "none" } as const;

const ENDLESS = `{${"x".repeat(5_000)}`;
const JSON_TEXT = '{\n    "child-pid": 4711,\n    "mnt-namespace": 4026532179\n}\n';

const NOTHING = { terminalPid: null, boxPid: null };
const BOX = { terminal: false, box: true };
const BOTH = { terminal: true, box: true };

/** What is expected, what comes, which report it holds, and what is left. */
const REPORTS: readonly [
  string,
  { terminal: boolean; box: boolean },
  string,
  typeof NOTHING | object,
  string,
][] = [
  ["bubblewrap's JSON", BOX, `${JSON_TEXT}error\n`, { terminalPid: null, boxPid: 4711 }, "error\n"],
  [
    ...["a terminal's process", { terminal: true, box: false }, "12\nscript: oops\n"] as const,
    ...[{ terminalPid: 12, boxPid: null }, "script: oops\n"] as const,
  ],
  ["both", BOTH, `12\n${JSON_TEXT}`, { terminalPid: 12, boxPid: 4711 }, ""],
  ["nothing, where nothing is expected", { terminal: false, box: false }, JSON_TEXT, NOTHING, JSON_TEXT],
  ["a failure instead of a report", BOX, "bwrap: no\n", NOTHING, "bwrap: no\n"],
  ["a failure instead of a terminal", BOTH, "script: no\n", NOTHING, "script: no\n"],
  ["an end in the middle of the report", BOX, '{ "child-pid": 47', NOTHING, '{ "child-pid": 47'],
  ["no end of what looks like a report", BOX, ENDLESS, NOTHING, ENDLESS],
];

Deno.test("StartReportReader takes a report from the front, and leaves the rest", async () => {
  for (const [name, expects, text, report, rest] of REPORTS) {
    for (const step of [1, 5, 10_000]) {
      const reader = new StartReportReader(expects);
      const bytes = new TextEncoder().encode(text);
      let passed = "";
      const pass = (part: Uint8Array) => passed += new TextDecoder().decode(part);
      for (let at = 0; at < bytes.length; at += step) pass(reader.push(bytes.slice(at, at + step)));
      pass(reader.end());
      assertEquals([await reader.report, passed], [report, rest], name);
    }
  }
});

Deno.test("MarkReader finds the ends of commands, wherever the output is cut", PURE, () => {
  let number = 0;
  const mark = (code: number) => `${SHELL_MARK}${code} ${++number}${SHELL_MARK}nonce${SHELL_MARK}`;
  const output = new TextEncoder().encode(
    `hi${mark(0)}one${mark(7)}${SHELL_MARK}5 9${SHELL_MARK}other${mark(130)}`,
  );
  for (const size of [1, 2, 5, 1_000]) {
    const reader = new MarkReader("nonce");
    const found: ShellPrompt[] = [];
    for (let at = 0; at < output.length; at += size) {
      const prompt = reader.push(output.subarray(at, at + size));
      if (prompt !== null) found.push(prompt);
    }
    const last = { number: 3, code: 130 };
    const each = [{ number: 1, code: null }, { number: 2, code: 7 }, last];
    assertEquals(found, size === 1_000 ? [last] : each, `pieces of ${size}`);
  }
});
