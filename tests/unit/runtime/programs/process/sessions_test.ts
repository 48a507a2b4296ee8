import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { SHELL_MARK } from "../../../../../schemas/program.ts";
import { isAlive, until } from "../../../../support/cli/processes.ts";
import { placedTest, type ProgramScene, programScene } from "../../../../support/program_scene.ts";

/** No test waits so long unless it fails. */
const waitMs = 60_000;

const sessionTest = placedTest("ProgramHost sessions");

type Bytes = { headBytes?: number; bufferBytes?: number };

async function openShell({ host, call }: ProgramScene, more: Bytes = {}) {
  const { id, pid } = await host.open({ argv: ["sh"], ...more }, call());
  return {
    id,
    pid,
    write: (data: string) => host.write(id, data, call()),
    read: (until?: string) => host.read(id, { waitMs, ...(until !== undefined && { until }) }, call()),
    close: (graceMs = 0) => host.close(id, { graceMs }, call()),
  };
}

sessionTest("keep a program between calls", async (scene) => {
  const info = await scene.host.open({ argv: ["sh"] }, scene.call());
  const runs = { cwd: scene.path, alive: true, exitCode: null, reason: null };
  assertEquals({ ...info, pid: 0 }, { id: "prog_1", pid: 0, ...runs });
  assert(isAlive(info.pid));
  assertEquals(scene.warnings, ["a warning"]);
  await scene.host.write("prog_1", "x=5; cd /; echo set; echo oops >&2\n", scene.call());
  await scene.host.write("prog_1", "echo $x $PWD done; echo done >&2\n", scene.call());
  const read = await scene.host.read("prog_1", { waitMs, until: "done\n" }, scene.call());
  assertEquals(read.stdout, { head: "", text: "set\n5 / done\n", droppedBytes: 0, remainingChars: 0 });
  assertEquals([read.stderr.text, read.found, read.alive], ["oops\ndone\n", true, true]);
  await scene.host.write("prog_1", "echo last; exit 4\n", scene.call());
  const last = await scene.host.read("prog_1", { waitMs, until: "never" }, scene.call());
  assertEquals(
    [last.stdout.text, last.found, last.alive, last.exitCode, last.reason],
    ["last\n", false, false, 4, "exited"],
  );
  assertEquals(scene.warnings, ["a warning", "found"]);
  assertEquals((await scene.host.read("prog_1", { waitMs }, scene.call())).exitCode, 4);
  const write = () => scene.host.write("prog_1", "more\n", scene.call());
  const error = await assertRejects(write, ToolError, "Session prog_1 takes no input: it has ended");
  assertEquals(error.code, "conflict");
  const closed = await scene.host.close("prog_1", { graceMs: 0 }, scene.call());
  assertEquals([closed.alive, closed.exitCode, closed.reason], [false, 4, "exited"]);
  assertEquals(scene.programs.map(({ exit_code, bytes }) => ({ exit_code, bytes })), [
    { exit_code: null, bytes: 0 },
    { exit_code: 4, bytes: 28 },
  ]);
}, { warnings: ["a warning"], inspect: () => Promise.resolve(["found"]) });

sessionTest("are not there for others", async (scene) => {
  const { id } = await openShell(scene);
  const { host, call } = scene;
  const other = call({ toolset: "other" });
  for (
    const use of [
      () => host.write(id, "x", other),
      () => host.read(id, { waitMs }, other),
      () => host.signal(id, "SIGINT", other),
      () => host.close(id, { graceMs: 0 }, other),
      () => host.screen(id, other),
      () => host.keepScreen(id, { state: "", mark: 0 }, other),
    ]
  ) {
    const error = await assertRejects(use, ToolError, "Session not found: prog_1");
    assertEquals(error.code, "not_found");
  }
  await host.close(id, { graceMs: 0 }, call());
  await assertRejects(() => host.read(id, { waitMs }, call()), ToolError, "Session not found: prog_1");
  assertEquals((await openShell(scene)).id, "prog_2");
});

sessionTest("are read as far as a text on every stream", async (scene) => {
  const shell = await openShell(scene);
  await shell.write("printf 'a<END>b'; printf 'c<E' >&2; printf 'ND>d' >&2\n");
  const first = await shell.read("<END>");
  assertEquals([first.stdout.text, first.stderr.text, first.found], ["a<END>", "c<END>", true]);
  assertEquals(first.stdout.remainingChars, 1);
  await shell.write("printf '<END>'; printf '<END>' >&2\n");
  const second = await shell.read("<END>");
  assertEquals([second.stdout.text, second.stderr.text], ["b<END>", "d<END>"]);
});

sessionTest("are read until the output pauses, the time is up or the call is cancelled", async (scene) => {
  const { host, call } = scene;
  const shell = await openShell(scene);
  assertEquals((await host.read(shell.id, { waitMs: 0 }, call())).stdout.text, "");
  assertEquals((await host.read(shell.id, { waitMs: 20, quietMs: 1 }, call())).stdout.text, "");
  await shell.write("echo one; until [ -e go ]; do sleep 0.01; done; echo two\n");
  assertEquals((await host.read(shell.id, { waitMs, quietMs: 1 }, call())).stdout.text, "one\n");
  Deno.writeTextFileSync(scene.at("go"), "");
  assertEquals((await host.read(shell.id, { waitMs, quietMs: 1 }, call())).stdout.text, "two\n");
  Deno.removeSync(scene.at("go"));
  await shell.write("echo three; echo >&2\n");
  await shell.read("\n");
  await shell.write("echo four; echo ready >there\n");
  await until("the file", () => [...Deno.readDirSync(scene.path)].length > 0);
  const signal = AbortSignal.abort();
  const cancelled = await host.read(shell.id, { waitMs, until: "never" }, call({ signal }));
  assertEquals([cancelled.stdout.text, cancelled.found], ["", false]);
  assertEquals((await host.read(shell.id, { waitMs, quietMs: 100 }, call())).stdout.text, "four\n");
});

sessionTest("give back only as much as was asked for", async (scene) => {
  const shell = await openShell(scene, { headBytes: 4, bufferBytes: 12 });
  await shell.write("printf 0123456789\n");
  const { host, call } = scene;
  await host.read(shell.id, { waitMs, quietMs: 1, maxChars: 0 }, call());
  const told = await host.read(shell.id, { waitMs: 0, maxChars: 0, tellRest: true }, call());
  assertEquals(told.stdout.rest, "0123456789");
  const part = await host.read(shell.id, { waitMs: 0, maxChars: 4 }, call());
  assertEquals(part.stdout, { head: "", text: "0123", droppedBytes: 0, remainingChars: 6 });
  await shell.write("printf abcdefghijklm; exit\n");
  const rest = await shell.read();
  assertEquals(rest.stdout, { head: "4567", text: "fghijklm", droppedBytes: 7, remainingChars: 0 });
});

sessionTest("pass signals to the program and its group", async (scene) => {
  const { host, call } = scene;
  const shell = await openShell(scene);
  await shell.write("trap 'echo got INT' INT; trap 'echo got HUP' HUP; trap 'echo got TERM; exit 7' TERM\n");
  await shell.write(
    "sh -c 'trap \"echo child INT; exit\" INT; echo ready; echo ready >&2; sleep 60 & wait'; echo next; echo next >&2\n",
  );
  await shell.read("ready\n");
  await host.signal(shell.id, "SIGINT", call());
  const interrupted = await shell.read("next\n");
  assertEquals(interrupted.stdout.text.split("\n").sort().join(" ").trim(), "child INT got INT next");
  await host.signal(shell.id, "SIGHUP", call());
  await shell.write("\n");
  await host.read(shell.id, { waitMs, quietMs: 1, maxChars: 0 }, call());
  await host.signal(shell.id, "SIGTERM", call());
  await shell.write("\n");
  const end = await shell.read();
  assertEquals([end.stdout.text, end.exitCode, end.reason], ["got HUP\ngot TERM\n", 7, "exited"]);
});

sessionTest("end gently or by force when they are closed", async (scene) => {
  const gentle = await openShell(scene);
  await gentle.write("trap 'echo bye >left; exit 5' TERM; echo ready; echo ready >&2; sleep 60 & wait\n");
  await gentle.read("ready\n");
  const ended = await gentle.close(5_000);
  assertEquals([ended.exitCode, ended.reason, ended.alive], [5, "cancelled", false]);
  assertEquals(scene.read("left"), "bye\n");
  const deaf = await openShell(scene);
  await deaf.write("trap '' TERM; sleep 62 & echo ready; echo ready >&2\n");
  await deaf.read("ready\n");
  assertEquals((await deaf.close(50)).exitCode, 137);
  await until("its end", () => !isAlive(deaf.pid));
});

sessionTest("do not wait for a program that reads nothing", async (scene) => {
  const { host, call } = scene;
  const { id } = await host.open({ argv: ["sleep", "60"] }, call());
  const write = () => host.write(id, "x".repeat(1_000_000), call());
  for (const what of ["\\d+ bytes of 1000000 were not taken", "nothing of it was written"]) {
    const error = await assertRejects(write, ToolError);
    assertEquals(error.code, "unavailable");
    const said = `^Session prog_1 does not read its input: ${what}; interrupt its program or close it$`;
    assertMatch(error.message, new RegExp(said));
  }
});

sessionTest("keep the order of what is written", async (scene) => {
  const { host, call } = scene;
  const { id } = await host.open({ argv: ["cat"] }, call());
  const lines = Array.from({ length: 200 }, (_, i) => `line ${i} ${"x".repeat(i)}\n`);
  await Promise.all(lines.map((line) => host.write(id, line, call())));
  await host.write(id, "over\n", call());
  let text = "";
  while (!text.endsWith("over\n")) text += (await host.read(id, { waitMs, quietMs: 5 }, call())).stdout.text;
  assertEquals(text, `${lines.join("")}over\n`);
});

Deno.test("ProgramHost sessions are limited in number", async () => {
  await using scene = programScene({ boxed: false, sessions: { maxOpen: 2 } });
  await openShell(scene);
  const { id } = await openShell(scene);
  const error = await assertRejects(() => openShell(scene), ToolError);
  assertEquals(error.code, "limit_exceeded");
  assertEquals(error.message, "2 sessions are open, which is the most: close one first");
  assertEquals(error.details, { open: ["prog_1", "prog_2"] });
  await scene.host.close(id, { graceMs: 0 }, scene.call());
  assertEquals((await openShell(scene)).id, "prog_3");
});

Deno.test("ProgramHost sessions that nobody uses are ended", async () => {
  await using scene = programScene({ boxed: false, sessions: { maxIdleMs: 30 } });
  const { id, pid } = await openShell(scene);
  // A timer that keeps no process alive needs something else that does.
  await until("the end of the program", () => !isAlive(pid));
  await assertRejects(() => scene.host.read(id, { waitMs: 0 }, scene.call()), ToolError, "Session not found");
});

Deno.test("ProgramHost sessions that are being closed end at once with their host", async () => {
  const scene = programScene({ boxed: false });
  const deaf = await openShell(scene);
  await deaf.write("trap '' TERM; echo ready; echo ready >&2\n");
  await deaf.read("ready\n");
  const closing = deaf.close(60_000);
  await scene[Symbol.asyncDispose]();
  assertEquals((await closing).exitCode, 137);
});

Deno.test("ProgramHost sessions end with their host", async () => {
  const scene = programScene({ boxed: false });
  const { pid } = await openShell(scene);
  await scene[Symbol.asyncDispose]();
  await until("its end", () => !isAlive(pid));
  await assertRejects(() => openShell(scene), ToolError, "The run is over");
});

sessionTest("end at once if the call that opened them is over before they start", async (scene) => {
  const cancel = new AbortController();
  const opening = scene.host.open({ argv: ["sleep", "60"] }, {
    ...scene.call({ signal: cancel.signal }),
    // The first word of a new program comes after its start.
    onProgram: () => cancel.abort(new ToolError("timeout", "time is up")),
  });
  assertEquals((await assertRejects(() => opening, ToolError)).code, "timeout");
  const { id } = await scene.host.open({ argv: ["sleep", "60"] }, scene.call());
  assertEquals(id, "prog_2");
}, { sessions: { maxOpen: 1 } });

/** An open shell that waits for commands. */
async function shellScene() {
  const scene = programScene({ boxed: false });
  const { host } = scene;
  const call = scene.call();
  const { id, nonce = "" } = await host.open({ argv: ["bash"], shell: true }, call);
  const until = `${SHELL_MARK}${nonce}${SHELL_MARK}`;
  const codes = new RegExp(`${SHELL_MARK}(\\d+) \\d+${until}`, "g");
  const end = async () => {
    const { found, stdout } = await host.read(id, { waitMs, until }, call);
    assertEquals(found, true);
    const code = Number([...stdout.text.matchAll(codes)].at(-1)?.[1]);
    return { code, text: stdout.text.replace(codes, "") };
  };
  await end();
  return {
    ...scene,
    /** Starts a command, which says that it has begun. */
    async start(command: string): Promise<void> {
      await host.command(id, `echo begun; ${command}`, call);
      await host.read(id, { waitMs, quietMs: 1 }, call);
    },
    run: async (command: string) => {
      // Each Ctrl-C may have brought a prompt of its own.
      await host.read(id, { waitMs: 0 }, call);
      await host.command(id, command, call);
      return await end();
    },
    type: (text: string) => host.write(id, text, call),
    interrupt: () => host.signal(id, "SIGINT", call),
    end,
  };
}

/** Keeps this process from all other work, as a machine under load may do. */
function holdUp(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

Deno.test("ProgramInput keeps what no command has read from the next one, however late it is sent", async () => {
  await using shell = await shellScene();
  await shell.start("sleep 300");
  assertEquals((await assertRejects(() => shell.type("x".repeat(200_000)), ToolError)).code, "unavailable");
  await shell.interrupt();
  // The shell finds its input empty before the piece is sent that there was no room for.
  holdUp(500);
  assertEquals((await shell.end()).code, 130);
  assertEquals(await shell.run("echo fine"), { code: 0, text: "fine\n" });
});

Deno.test("ProgramInput sends a shell no text and no Ctrl-C for a command that has ended", async () => {
  await using shell = await shellScene();
  await shell.start("read -r line");
  const late = shell.type(`first\n${"y".repeat(3_000_000)}\ntouch leaked\n`);
  const error = await assertRejects(() => late, ToolError, "Session prog_1 takes no input: the command has");
  assertEquals(error.code, "conflict");
  await shell.end();
  await assertRejects(() => shell.type("touch leaked\n"), ToolError, "no command runs in it");
  await shell.interrupt();
  assertEquals(await shell.run("ls; echo got $line"), { code: 0, text: "got first\n" });
});

Deno.test("ProgramInput survives Ctrl-C while the shell drops what was not read", async () => {
  await using shell = await shellScene();
  await shell.start("sleep 300");
  await shell.type("x\n".repeat(20_000));
  for (let times = 0; times < 3; times++) {
    await shell.interrupt();
    holdUp(5);
  }
  assertEquals((await shell.end()).code, 130);
  assertEquals(await shell.run("echo fine"), { code: 0, text: "fine\n" });
});
