import { assert, assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { boxTest, boxWorks } from "../../../../support/box.ts";
import { isAlive, processesNaming, until } from "../../../../support/cli/processes.ts";
import { programScene } from "../../../../support/program_scene.ts";
import { hasProgram } from "../../../../support/needed_programs.ts";

const places = [{ place: "without a box", boxed: false }, { place: "in a box", boxed: true }];

/** Registers a test for each place where programs run. */
function programTest(name: string, run: (boxed: boolean) => Promise<void>): void {
  for (const { place, boxed } of places) {
    Deno.test({
      name: `ProgramHost.run() ${name}, ${place}`,
      ignore: boxed && !boxWorks,
      fn: () => run(boxed),
    });
  }
}

programTest("returns output, exit code and facts", async (boxed) => {
  await using scene = programScene({
    boxed,
    warnings: ["a warning"],
    inspect: () => Promise.resolve(["found"]),
  });
  const end = await scene.sh("pwd; echo to stderr >&2; exit 3");
  assertEquals(end.exitCode, 3);
  assertEquals(end.reason, "exited");
  assertEquals(end.stdout.head, `${scene.path}\n`);
  assertEquals(end.stderr.head, "to stderr\n");
  assertEquals(end.kept, []);
  assertEquals(end.warnings, ["a warning", "found"]);
  assertEquals(scene.warnings, ["a warning", "found"]);
  const [{ duration_ms, ...program } = { duration_ms: -1 }] = scene.programs;
  assert(duration_ms >= 0);
  assertEquals(program, {
    argv: ["sh", "-c", "pwd; echo to stderr >&2; exit 3"],
    cwd: scene.path,
    boxed,
    exit_code: 3,
    bytes: scene.path.length + 11,
  });
});

programTest("starts a program in its folder with its variables and nothing else", async (boxed) => {
  await using scene = programScene({ boxed });
  Deno.mkdirSync(scene.at("sub dir"));
  const end = await scene.sh('pwd; echo "$MINE"; env | cut -d= -f1 | sort | tr "\\n" " "', {
    cwd: scene.at("sub dir"),
    env: { MINE: "a 'value'" },
  });
  const names = end.stdout.head.split("\n")[2]!.split(" ").filter((name) =>
    !["", "_", "OLDPWD"].includes(name)
  );
  assertEquals(end.stdout.head.split("\n").slice(0, 2), [scene.at("sub dir"), "a 'value'"]);
  const expected = ["HOME", "LANG", "MINE", "PATH", "PWD", "TERM"];
  assertEquals(names, boxed ? expected : ["BULKHEAD_PROGRAM", ...expected]);
});

programTest("returns 128 and the number of the signal that ended a program", async (boxed) => {
  await using scene = programScene({ boxed });
  assertEquals((await scene.sh("kill -KILL $$")).exitCode, 137);
  assertEquals((await scene.sh("kill -TERM $$")).exitCode, 143);
});

programTest("gives stdin, and an empty one where there is none", async (boxed) => {
  await using scene = programScene({ boxed });
  const megabyte = "line of input\n".repeat(75_000);
  const counted = await scene.sh("wc -c", { stdin: megabyte });
  assertEquals(Number(counted.stdout.head), megabyte.length);
  const echoed = await scene.host.run({ argv: ["cat"], stdin: megabyte }, scene.call());
  assertEquals(echoed.stdout.bytes, megabyte.length);
  const ignored = await scene.host.run({ argv: ["true"], stdin: megabyte }, scene.call());
  assertEquals([ignored.exitCode, ignored.reason], [0, "exited"]);
  assertEquals((await scene.sh("wc -c")).stdout.head.trim(), "0");
});

programTest("says not_found for what cannot be started", async (boxed) => {
  await using scene = programScene({ boxed });
  const run = () => scene.host.run({ argv: ["no-such-program"] }, scene.call());
  // Without a box it is setpriv that tells; without that, the shell does as shells do.
  if (!boxed && !hasProgram("setpriv")) return assertEquals((await run()).exitCode, 127);
  const error = await assertRejects(
    run,
    ToolError,
    'Cannot start "no-such-program": No such file or directory',
  );
  assertEquals(error.code, "not_found");
});

programTest("returns when a program has ended, whoever holds its pipes", async (boxed) => {
  await using scene = programScene({ boxed });
  const end = await scene.sh("sleep 60 & echo $! >pid; echo hi", { timeoutMs: 50_000 });
  assertEquals([end.stdout.head, end.exitCode, end.reason], ["hi\n", 0, "exited"]);
  if (!boxed) await until("the end of what it started", () => !isAlive(Number(scene.read("pid"))));
});

programTest("ends a program that heeds no SIGTERM", async (boxed) => {
  await using scene = programScene({ boxed });
  const end = await scene.sh("trap '' TERM; echo before; while :; do sleep 0.01; done", { timeoutMs: 3_000 });
  assertEquals([end.reason, end.exitCode, end.stdout.head], ["timeout", 137, "before\n"]);
});

programTest("lets a program clean up when its time is over", async (boxed) => {
  await using scene = programScene({ boxed });
  const end = await scene.sh("trap 'echo cleaned; exit 9' TERM; echo ready; sleep 60 & wait", {
    timeoutMs: 3_000,
  });
  assertEquals([end.reason, end.stdout.head], ["timeout", "ready\ncleaned\n"]);
});

programTest("ends what left the program's session", async (boxed) => {
  // A control group would end it as well, but not every system lets one be made.
  for (const groups of boxed ? [true] : [true, false]) await endWhatLeft({ boxed, groups });
});

async function endWhatLeft(options: { boxed: boolean; groups: boolean }): Promise<void> {
  await using scene = programScene(options);
  // No other process of the machine has a name or a folder with this number.
  const seconds = `6546.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  const escape =
    `setsid sh -c 'echo $$ >pid; exec sleep ${seconds}' & while [ ! -s pid ]; do sleep 0.01; done; echo out`;
  for (
    const { script, timeoutMs, reason } of [
      { script: escape, timeoutMs: 10_000, reason: "exited" },
      {
        script: `${escape}; trap '' TERM; while :; do sleep 0.01; done`,
        timeoutMs: 3_000,
        reason: "timeout",
      },
    ]
  ) {
    const end = await scene.sh(script, { timeoutMs });
    assertEquals([end.reason, end.stdout.head], [reason, "out\n"]);
    await until("the end of what left", () => processesNaming(seconds).length === 0);
    Deno.removeSync(scene.at("pid"));
  }
}

programTest("stops a flood and keeps its start and end", async (boxed) => {
  await using scene = programScene({ boxed });
  const end = await scene.host.run({ argv: ["yes"], timeoutMs: 2_000, maxBytes: 100 }, scene.call());
  assertEquals(end.reason, "timeout");
  assertEquals([end.stdout.head, end.stdout.tail], ["y\n".repeat(25), "y\n".repeat(25)]);
  assert(end.stdout.omittedBytes > 100_000);
});

programTest("reads output of any size in constant memory", async (boxed) => {
  await using scene = programScene({ boxed });
  await scene.sh("true");
  const grownBy = async () => {
    const before = Deno.memoryUsage().rss;
    const end = await scene.sh("head -c 200000000 /dev/zero | tr '\\0' 'x'; echo end");
    assertEquals([end.stdout.bytes, end.stdout.head.length, end.exitCode], [200_000_004, 25_600, 0]);
    assertEquals(end.stdout.tail, `${"x".repeat(25_596)}end\n`);
    return Deno.memoryUsage().rss - before;
  };
  let grown = await grownBy();
  // Other tests of this process may grow meanwhile; what this one kept would be there every time.
  for (let turn = 0; turn < 2 && grown >= 120_000_000; turn++) grown = await grownBy();
  assert(grown < 120_000_000, `${grown} bytes more`);
});

programTest("ends when its call is cancelled or out of time", async (boxed) => {
  await using scene = programScene({ boxed });
  for (
    const { cause, reason } of [
      { cause: new ToolError("cancelled", "Stop"), reason: "cancelled" },
      { cause: undefined, reason: "cancelled" },
      { cause: new ToolError("timeout", "Too long"), reason: "timeout" },
    ]
  ) {
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

programTest("keeps all output in files if it is asked to", async (boxed) => {
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

programTest("goes on without its file where none can be made", async (boxed) => {
  const keepFile = () => Promise.reject(new ToolError("internal", "the disk is full"));
  await using scene = programScene({ boxed, keepFile });
  const end = await scene.sh("echo out", { keepOutput: true });
  assertEquals([end.stdout.head, end.kept], ["out\n", []]);
  assertEquals(end.warnings, [
    "The output of the program on stdout is not all in a file: it could not be kept: the disk is full",
  ]);
});

programTest("is ended with its host", async (boxed) => {
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
