import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { boxTest, boxWorks } from "../../support/box.ts";
import { programTest } from "../../support/needed_programs.ts";
import { descendants } from "../../support/cli/processes.ts";
import { type Answer, type Call, makeScene, type Scene } from "../../support/cli/scene.ts";
import { makeSleepers } from "../../support/cli/sleepers.ts";
import { ANYWHERE, inBatch, PLACES } from "../../support/cli/terminal.ts";
import { rounds } from "../../support/tier.ts";

const STILL_HERE: Call = { tool: "Bash", arguments: { command: "echo still here", timeout: 60 } };
const HERE = "exit_code: 0\nstdout:\nstill here\n";
const MEGABYTE = 1024 ** 2;
/** Output of a flood in bytes: more than memory may be. */
const FLOOD_BYTES = rounds(512, 1024) * MEGABYTE;
/** Most memory of the program and of a room, in kilobytes: a fraction of what the programs write. */
const MOST_MEMORY_KB = 400 * 1024;
const CONFIG = "--config=../config.json";

/** A scene whose configuration bounds programs. */
function boundedScene(programs: Record<string, number>, files: Record<string, string> = {}): Scene {
  const tools = { "manus/*": { timeout_seconds: 250 } };
  return makeScene({ "config.json": JSON.stringify({ programs, tools }), ...files });
}

/** Registers a test of bounds on programs in the box. */
function boundTest(name: string, run: () => Promise<void>): void {
  if (boxWorks) programTest(name, ["prlimit", "python3"], run);
  else boxTest(name, run);
}

function bash(command: string): Call {
  return { tool: "Bash", arguments: { command, timeout: 60 } };
}

function python(code: string): Call {
  return { tool: "manus/python_execute", arguments: { code } };
}

function texts(answers: readonly Answer[]): string[] {
  return answers.map(({ text }) => text);
}

// In a box, cases 7-14 and 7-01 to 7-05 of the attacks try it.
Deno.test({
  name: "without a box a program of too many processes is ended, and the next call works",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    using sleepers = makeSleepers();
    using scene = boundedScene({ processes: 50 });
    const many = `for i in $(seq 120); do setsid ${sleepers.words} & done; wait`;
    await inBatch(scene, [CONFIG, ...PLACES["without a box"]!], async (batch) => {
      const { error } = await batch.call("Bash", { command: many, timeout: 20 });
      assertEquals(error?.code, "limit_exceeded");
      await sleepers.gone();
      assertEquals((await batch.call(STILL_HERE.tool, STILL_HERE.arguments)).text, HERE);
    });
  },
});

const FLOOD = `head -c ${FLOOD_BYTES} /dev/zero | tr '\\0' x`;

/** Much output by each tool, and what is left of it: a start, a line that counts the rest, an end. */
const FLOODS: readonly (readonly [call: Call, left: RegExp])[] = [
  [
    { tool: "Bash", arguments: { command: FLOOD, timeout: 250 } },
    /^exit_code: 0\nstdout:\n(x+)\n\[output truncated before decoding: omitted (\d+) bytes\]\n(x+)$/,
  ],
  [
    { tool: "par/bash", arguments: { argv: ["sh", "-c", `(${FLOOD}) >&2`], timeout: 250 } },
    /^\{"stdout":"","stderr":"(x+)\\n\[truncated: (\d+) bytes \/ 0 lines omitted\]\\n(x+)","exit_code":0,/,
  ],
  [
    { tool: "manus/bash", arguments: { command: FLOOD } },
    /^(x+)\n\[output truncated: (\d+) bytes omitted\]\n(x+)$/,
  ],
  [
    python(`for _ in range(${FLOOD_BYTES / MEGABYTE}): print('x' * 1048576, end='')`),
    /^\{"observation":"(x+)\\n\[output truncated: (\d+) bytes \/ 0 lines omitted\]\\n(x+)","success":true\}$/,
  ],
];

// All of them before a release; shell_tools_test.ts has the measure of each tool.
for (const [call, left] of FLOODS.slice(0, rounds(1, FLOODS.length))) {
  programTest(`a flood of output of ${call.tool} is clipped while it is read`, ["python3"], async () => {
    using scene = boundedScene({});
    await inBatch(scene, [CONFIG, ...ANYWHERE], async (batch) => {
      const { text } = await batch.call(call.tool, call.arguments);
      const [, start = "", omitted, end = ""] = left.exec(text) ?? [];
      assertEquals(start.length + Number(omitted) + end.length, FLOOD_BYTES, text.slice(0, 300));
      assert(start.length > 1_000 && end.length > 1_000 && text.length < 60_000);
      for (const peak of peaksOf([batch.pid, ...descendants(batch.pid).map(({ pid }) => pid)])) {
        assert(peak < MOST_MEMORY_KB, `${peak} KB of memory`);
      }
    });
  });
}

/** Returns the most memory that each process has had so far, in kilobytes. */
function peaksOf(pids: readonly number[]): number[] {
  const files = pids.map((pid) => `/proc/${pid}/status`).join(" ");
  const { stdout } = new Deno.Command("/bin/sh", {
    args: ["-c", `grep -h VmHWM ${files}`],
    stderr: "null",
  }).outputSync();
  const peaks = [...new TextDecoder().decode(stdout).matchAll(/\d+/g)].map(Number);
  assert(peaks.length > 0 && peaks.every((peak) => peak > 0), "no process was measured");
  return peaks;
}

// Other ways to take files, memory and /tmp are cases 7-01 to 7-14 and 7-101 to 7-108 of the attacks.
boundTest(
  "a shell that wants more memory than is configured fails by itself, and is started anew",
  async () => {
    const hog = `x=$(head -c ${300 * MEGABYTE} /dev/zero | tr '\\0' x); echo got \${#x}`;
    using scene = boundedScene({ memory_mb: 128, file_mb: 2 });
    const { answers } = await scene.batch([
      { tool: "manus/bash", arguments: { command: hog } },
      { tool: "manus/bash", arguments: { restart: true } },
      {
        tool: "manus/bash",
        arguments: { command: `head -c ${3 * MEGABYTE} /dev/zero > big; stat -c %s big` },
      },
      STILL_HERE,
    ], [CONFIG]);
    assertMatch(answers[0]!.text, /cannot allocate \d+ bytes[^]*bash has exited with returncode 2\n/);
    assertEquals(answers[1]!.text, "tool has been restarted.");
    assertEquals((answers[2]!.result as { output: string }).output, String(2 * MEGABYTE), answers[2]!.text);
    assertEquals(answers[3]!.text, HERE);
  },
);

boundTest("a program ends after the configured processor time", async () => {
  using scene = boundedScene({ cpu_seconds: 1 });
  const { answers } = await scene.batch([
    bash("echo part; while :; do :; done"),
    bash("(trap '' XCPU TERM; while :; do :; done); echo $?"),
    bash("sleep 1.5; echo slept"),
    STILL_HERE,
  ], [CONFIG]);
  assertEquals(answers.map(({ error }) => error), Array(4).fill(null));
  const [first, third, ...rest] = answers;
  assertEquals(first!.text, "exit_code: 137\nstdout:\npart\n");
  assertMatch(third!.text, /stdout:\n137\n/);
  assertEquals(texts(rest), ["exit_code: 0\nstdout:\nslept\n", HERE]);
});

boundTest("/tmp, home and shared memory are private and small", async () => {
  const outside = Deno.makeTempFileSync({ prefix: "bulkhead-e2e-" });
  const name = `bulkhead-planted-${crypto.randomUUID()}`;
  const fill = (path: string) => `head -c ${5 * MEGABYTE} /dev/zero > ${path}`;
  const look = `ls -A /tmp ~ /dev/shm | grep -c ${name}; test -e ${outside} || echo private`;
  try {
    using scene = boundedScene({ tmp_mb: 8 });
    const { answers } = await scene.batch([
      bash(`${fill(`/tmp/${name}`)} && echo first; ${fill(`~/${name}`)} || echo full`),
      bash(`${fill(`~/${name}`)} && echo first; ${fill("$TMPDIR/other")} || echo full`),
      bash(`${fill(`/dev/shm/${name}`)} && echo first; ${fill("/dev/shm/other")} || echo full`),
      {
        tool: "manus/bash",
        arguments: { command: `echo x > /tmp/${name}; echo x > ~/${name}; ls /tmp/${name}` },
      },
      bash(look),
      bash(`echo x > ${outside}; cat ${outside}`),
      bash(look),
    ], [CONFIG]);
    for (const { result } of answers.slice(0, 3)) {
      const { stdout, stderr } = result as { stdout: string; stderr: string };
      assertEquals(stdout, "first\nfull\n");
      assertStringIncludes(stderr, "No space left on device");
    }
    assertEquals(texts(answers.slice(3, 4)), [`/tmp/${name}`]);
    for (const at of [4, 6]) assertEquals(answers[at]!.text, "exit_code: 0\nstdout:\n0\nprivate\n");
    assertEquals(Deno.readTextFileSync(outside), "");
    const folders = ["/tmp", "/dev/shm", scene.root];
    // Deno itself looks into /dev under `-A` only.
    const { success, stdout } = new Deno.Command("ls", { args: ["-A", ...folders] }).outputSync();
    assertEquals([success, new TextDecoder().decode(stdout).split("\n").includes(name)], [true, false]);
  } finally {
    Deno.removeSync(outside);
  }
});
