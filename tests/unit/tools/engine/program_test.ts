import { assert, assertEquals } from "@std/assert";

import {
  BOUND_WORDS,
  type ClippedOutput,
  type ProgramEnd,
  type ProgramEndReason,
} from "../../../../schemas/program.ts";
import { boundCounts } from "../../../../tools/engine/program/bound_counts.ts";
import { boundSeconds, roundSeconds } from "../../../../tools/engine/program/bound_seconds.ts";
import { drawScreen } from "../../../../tools/engine/program/draw_screen.ts";
import { plainTerminalText, splitUnfinished } from "../../../../tools/engine/program/plain_terminal_text.ts";
import { programFailure } from "../../../../tools/engine/program/program_failure.ts";
import { stripEscapes } from "../../../../schemas/terminal/strip_escapes.ts";
import { rounds } from "../../../support/tier.ts";

const SIZE = { rows: 24, cols: 80 };

Deno.test(
  "boundCounts() keeps a number within the screen, however it is written",
  { permissions: "none" },
  () => {
    const cases: readonly (readonly [text: string, bounded: string])[] = [
      ["\x1b[2147483647L", "\x1b[80L"],
      ["\x9b99999999999999999999S", "\x1b[80S"],
      ["\x1b[2147\n483647L", "\n\x1b[80L"],
      ["\x1b\r[00099999\x7f9M", "\r\x1b[80M"],
      ["\x1b[1;2147483647r", "\x1b[1;80r"],
      ["\x1b[?2147483647J\x1b[5;7H", "\x1b[?80J\x1b[5;7H"],
      ["\x1b[38;2;1;255;128m\x1b[?1049h\x1b[4:3m", "\x1b[38;2;1;255;128m\x1b[?1049h\x1b[4:3m"],
      ["\x1b[9999999 @\x1b[9999999'}", "\x1b[80 @\x1b[80'}"],
      ["\x1b[99999999", "\x1b[99999999"],
      ["plain 2147483647L", "plain 2147483647L"],
    ];
    for (const [text, bounded] of cases) assertEquals(boundCounts(text, SIZE), bounded, JSON.stringify(text));
    const many = boundCounts("\x1b[80L".repeat(100_000), SIZE);
    assert(many.endsWith("\x1b[1L"));
  },
);

/** What makes a terminal do the most for the least output. */
const HOSTILE: readonly string[] = [
  ..."LMST@PXbIZABCDEFGHdae`JK",
  ...["'}", "'~", " @", " A", "t", "r", "g", "m", "h", "l"],
].map((final) => `x\x1b[2147483647${final}`);

Deno.test(
  "drawScreen() comes to the end of hostile output, and keeps little of it",
  { permissions: { read: true } },
  async () => {
    const outputs = [
      ...HOSTILE,
      HOSTILE.join("").repeat(300),
      "\x1b[99;99999999r\x1b[2147483647S\x1b[2147483647T".repeat(2_000),
      "\x1b[3g" + "\x1bH\x1b[C".repeat(20_000) + "\x1b[2147483647I\x1b[2147483647Z".repeat(2_000),
      `\x1b]0;${"t".repeat(1_000_000)}\x07`,
      `\x1bP${"q".repeat(1_000_000)}\x1b\\`,
      `\x1b[${"1;".repeat(300_000)}L`,
      `\x1b[8;2147483647;2147483647t\x1b[?3h\x1bc\x1b#8`,
      `\x1b[${"9".repeat(500_000)}`,
    ];
    for (const output of outputs) {
      const { text, state } = await drawScreen({
        ...SIZE,
        state: "",
        output: `${output}\x1b\\\x1b[r\x1b[H\x1b[2Jend`,
      });
      assert(text.includes("end"), JSON.stringify(output.slice(0, 40)));
      assert(state.length < 1_000_000);
    }
  },
);

function bound(asked: number, leftMs: number): [number, string[]] {
  const warnings: string[] = [];
  const context = { deadline: Date.now() + leftMs, warn: (message: string) => void warnings.push(message) };
  return [boundSeconds(asked, context), warnings];
}

Deno.test("boundSeconds() takes what is asked for while the call lasts", () => {
  assertEquals(bound(2, 60_000), [2, []]);
  assertEquals(bound(30, 29_900), [30, []]);
});

Deno.test("boundSeconds() takes the rest of the call's time, and says so", () => {
  const lowered = (seconds: number) =>
    `timeout 90 was lowered to ${seconds} seconds, the longest time of this call`;
  assertEquals(bound(90, 60_000), [60, [lowered(60)]]);
  assertEquals(bound(90, -5), [0.1, [lowered(0.1)]]);
});

Deno.test("roundSeconds() keeps a decimal of short times", () => {
  assertEquals([4.996, 1.26, 0.01, 59.99, 10.4].map(roundSeconds), [5, 1.3, 0.1, 60, 10]);
});

const VIM = {
  rows: 8,
  cols: 40,
  output: Deno.readTextFileSync(new URL("../../../fixtures/terminal/vim.raw", import.meta.url)),
};
const TOP = {
  rows: 10,
  cols: 80,
  output: Deno.readTextFileSync(new URL("../../../fixtures/terminal/top.raw", import.meta.url)),
};

const VIM_SCREEN = `one
hello wörld
two
three
~
~
~
                      2,12-11       All`;

const TOP_SCREEN = `top - 02:59:39 up  3:38,  0 user,  load average: 0.24, 0.20, 0.34
Tasks:   1 total,   0 running,   1 sleeping,   0 stopped,   0 zombie
%Cpu(s):  0.0 us,  0.0 sy,  0.0 ni,100.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st
MiB Mem :  24105.6 total,  23673.6 free,    406.8 used,    314.7 buff/cache
MiB Swap:      0.0 total,      0.0 free,      0.0 used.  23698.8 avail Mem

  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
    1 root      10 -10   47392  17124   6424 S   0.0   0.1   0:54.98 init`;

Deno.test("drawScreen() draws full-screen programs", async () => {
  assertEquals((await drawScreen({ ...VIM, state: "" })).text, VIM_SCREEN);
  assertEquals((await drawScreen({ ...TOP, state: "" })).text, TOP_SCREEN);
});

Deno.test("drawScreen() goes on from a state, wherever the output was cut", async () => {
  for (const [{ output, ...size }, screen] of [[VIM, VIM_SCREEN], [TOP, TOP_SCREEN]] as const) {
    for (let cut = 0; cut < output.length; cut += rounds(37, 7)) {
      const { state } = await drawScreen({ ...size, state: "", output: output.slice(0, cut) });
      const { text } = await drawScreen({ ...size, state, output: output.slice(cut) });
      assertEquals(text, screen, `cut at ${cut}`);
    }
  }
});

Deno.test("drawScreen() shows the newest rows, and nothing of an empty terminal", async () => {
  const size = { rows: 3, cols: 10, state: "" };
  const output = Array.from({ length: 9 }, (_, n) => `line ${n}\r\n`).join("");
  assertEquals((await drawScreen({ ...size, output })).text, "line 7\nline 8");
  assertEquals((await drawScreen({ ...size, output: "" })).text, "");
  assertEquals((await drawScreen({ ...size, output: "0123456789abc" })).text, "0123456789\nabc");
});

Deno.test("plainTerminalText() leaves what a terminal would show of each line", () => {
  const table: [string, string][] = [
    ["", ""],
    ["plain\n", "plain\n"],
    ["two\r\nlines\r\n", "two\nlines\n"],
    ["two\r\r\nends", "two\nends"],
    ["\x1b[31mred\x1b[0m and \x1b[1;4mbold\x1b[m", "red and bold"],
    ["\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b", "ab"],
    ["\x1b(B\x1b=\x1b>\x1b7c", "c"],
    ["\x1b[?2004h\x1b[?1049hin", "in"],
    ["\x1b[?2004l\r\r\nhello\r\n\x1b[?2004h", "hello\n"],
    ["a\r\n\r\nb", "a\n\nb"],
    ["bell\x07 form\ffeed", "bell formfeed"],
    ["10%\r50%\r100%\r\ndone", "100%\ndone"],
    ["working...\rok\x1b[K", "ok"],
    ["abcdef\rxy", "xycdef"],
    ["abc\r", "abc"],
    ["abc\x08\x08X", "aXc"],
    ["\x08\x08a", "a"],
    ["ab\x1b[3Cc", "ab   c"],
    ["abcdef\x1b[4D\x1b[2P", "abef"],
    ["abc\x1b[1Gx", "xbc"],
    ["abc\x1b[2Kd", "   d"],
    ["abc\x1b[1K\rx", "x"],
    ["\tcol\tumn", "\tcol\tumn"],
    ["😀\rab", "ab"],
    ["ünï 中文 \u009b31mred", "ünï 中文 red"],
  ];
  for (const [raw, expected] of table) assertEquals(plainTerminalText(raw), expected, JSON.stringify(raw));
});

Deno.test("plainTerminalText() bears huge lines and moves", () => {
  assertEquals(plainTerminalText(`${"x".repeat(300_000)}\rab`).length, 300_000);
  const moves = "\x1b[16000Gx\x1b[2K".repeat(20_000);
  assertEquals(plainTerminalText(moves).length, 20_000);
  assertEquals(plainTerminalText("a\x1b[999999999Cb").length <= 65_537, true);
});

Deno.test("splitUnfinished() splits off a sequence that has only begun", () => {
  const table: [string, string, string][] = [
    ["text", "text", ""],
    ["a\x1b", "a", "\x1b"],
    ["a\x1b[31", "a", "\x1b[31"],
    ["a\x1b[31m", "a\x1b[31m", ""],
    ["a\x1b]0;tit", "a", "\x1b]0;tit"],
    ["a\x1b]0;title\x1b", "a", "\x1b]0;title\x1b"],
    ["a\x1b]0;title\x1b\\", "a\x1b]0;title\x1b\\", ""],
    ["a\x1b(", "a", "\x1b("],
    ["a\x1b(B", "a\x1b(B", ""],
    ["\x1b[1mb\x1b[", "\x1b[1mb", "\x1b["],
  ];
  for (const [raw, text, rest] of table) {
    assertEquals(splitUnfinished(raw), { text, rest }, JSON.stringify(raw));
  }
});

Deno.test("splitUnfinished() does not wait for a title without an end", () => {
  const raw = `\x1b]0;${"t".repeat(5000)}`;
  assertEquals(splitUnfinished(raw), { text: raw, rest: "" });
});

const WORDS = {
  seconds: 2,
  timeout: (advice: string | null) => advice ?? "Too slow",
  render: ({ head }: ClippedOutput) => head,
};

function end(reason: ProgramEndReason): ProgramEnd {
  const stream = (head: string) => ({
    head,
    tail: "",
    bytes: head.length,
    omittedBytes: 0,
    omittedLines: 0,
    binary: false,
    replaced: 0,
    nuls: 0,
    overwritten: 0,
  });
  return {
    exitCode: 137,
    reason,
    stdout: stream("out"),
    stderr: stream("err"),
    durationMs: 1,
    kept: [],
    warnings: [],
    advice: null,
  };
}

Deno.test("programFailure() has none for a program that ended by itself", () => {
  assertEquals(programFailure(end("exited"), WORDS), null);
});

Deno.test("programFailure() carries the output so far", () => {
  const output = { stdout: "out", stderr: "err" };
  const ended = { ...output, exit_code: 137 };
  const table: [ProgramEndReason, string, string, Record<string, unknown>][] = [
    ["timeout", "timeout", "Too slow", { ...output, exit_code: 124, timeout_seconds: 2 }],
    ["cancelled", "cancelled", "The call was cancelled, and the program was ended", ended],
    ["processes", "limit_exceeded", `The program was ended: ${BOUND_WORDS.processes}`, ended],
    ["memory", "limit_exceeded", `The program was ended: ${BOUND_WORDS.memory}`, ended],
    ["disk", "limit_exceeded", "The program was ended: the disk was about to be full", ended],
  ];
  for (const [reason, code, message, details] of table) {
    const error = programFailure(end(reason), WORDS);
    assertEquals([error?.code, error?.message, error?.details], [code, message, details]);
  }
  const advised = programFailure({ ...end("timeout"), advice: "share the network" }, WORDS);
  assertEquals(advised?.message, "share the network");
});

Deno.test("stripEscapes() removes escape sequences and nothing else", () => {
  const table: [string, string][] = [
    ["\x1b[31mred\x1b[0m", "red"],
    ["\x1b[38;2;1;2;3mx\x1b[@y\x1b[5~z", "xyz"],
    ["\x1b]0;title\x07a\x1b]0;title\x1b\\b", "ab"],
    ["\x1bP1;2|data\x1b\\c", "c"],
    ["\x1b=\x1b>\x1b(Bd", "d"],
    ["\u009b31mred", "red"],
    ["tab\tline\r\nbell\x07", "tab\tline\r\nbell\x07"],
    ["ends \x1b", "ends "],
  ];
  for (const [text, expected] of table) assertEquals(stripEscapes(text), expected, JSON.stringify(text));
});
