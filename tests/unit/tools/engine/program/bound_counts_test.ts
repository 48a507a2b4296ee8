import { assert, assertEquals } from "@std/assert";

import { boundCounts } from "../../../../../tools/engine/program/bound_counts.ts";
import { drawScreen } from "../../../../../tools/engine/program/draw_screen.ts";

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
  ...[
    "L",
    "M",
    "S",
    "T",
    "@",
    "P",
    "X",
    "b",
    "I",
    "Z",
    "A",
    "B",
    "C",
    "D",
    "E",
    "F",
    "G",
    "H",
    "d",
    "a",
    "e",
    "`",
    "J",
    "K",
  ],
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
