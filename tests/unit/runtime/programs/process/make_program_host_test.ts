import { assert, assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { boxTest } from "../../../../support/box.ts";
import { isAlive, makeMark, until } from "../../../../support/cli/processes.ts";
import { placedTest, type ProgramScene, programScene } from "../../../../support/program_scene.ts";
import { hasProgram } from "../../../../support/needed_programs.ts";

const programTest = placedTest("ProgramHost.run()");

programTest("returns output, exit code and facts", async (scene, boxed) => {
  const end = await scene.sh("pwd; echo to stderr >&2; exit 3");
  assertEquals([end.exitCode, end.reason, end.kept], [3, "exited", []]);
  assertEquals([end.stdout.head, end.stderr.head], [`${scene.path}\n`, "to stderr\n"]);
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
}, { warnings: ["a warning"], inspect: () => Promise.resolve(["found"]) });

programTest("starts a program in its folder with its variables and nothing else", async (scene, boxed) => {
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

programTest("returns 128 and the number of the signal that ended a program", async (scene) => {
  assertEquals((await scene.sh("kill -KILL $$")).exitCode, 137);
  assertEquals((await scene.sh("kill -TERM $$")).exitCode, 143);
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
  const error = await assertRejects(
    run,
    ToolError,
    'Cannot start "no-such-program": No such file or directory',
  );
  assertEquals(error.code, "not_found");
});

programTest("returns when a program has ended, whoever holds its pipes", async (scene, boxed) => {
  const end = await scene.sh("sleep 60 & echo $! >pid; echo hi", { timeoutMs: 50_000 });
  assertEquals([end.stdout.head, end.exitCode, end.reason], ["hi\n", 0, "exited"]);
  if (!boxed) await until("the end of what it started", () => !isAlive(Number(scene.read("pid"))));
});

/** A call whose time is over when its program has been heard so often. */
function callUntilHeard(scene: ProgramScene, times = 1) {
  const control = new AbortController();
  const onOutput = () => --times > 0 || control.abort(new ToolError("timeout", "Too long"));
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

programTest("stops a flood and keeps its start and end", async (scene) => {
  const end = await scene.host.run({ argv: ["yes"], maxBytes: 100 }, callUntilHeard(scene, 2));
  assertEquals(end.reason, "timeout");
  assertEquals([end.stdout.head, end.stdout.tail], ["y\n".repeat(25), "y\n".repeat(25)]);
  assert(end.stdout.omittedBytes > 100_000);
});

programTest("ends what left the program's session", async (_, boxed) => {
  // A control group would end it as well, but not every system lets one be made.
  for (const groups of boxed ? [true] : [true, false]) {
    await using scene = programScene({ boxed, groups });
    const mark = makeMark();
    const escape = "setsid sh -c 'echo $$ >pid; exec sleep 1000' & until [ -s pid ]; do sleep 0.01; done";
    for (
      const script of [`${escape}; echo out`, `${escape}; trap '' TERM; echo out; while :; do sleep 1; done`]
    ) {
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
