import { assertEquals } from "@std/assert";

import { ThoughtSplitter } from "../../../../../runtime/model/quirks/thought_splitter.ts";

/** Splits pieces; `told` is what a person saw as it came, from the last time that all was taken back. */
function split(pieces: readonly string[], options: { holds?: boolean } = {}) {
  const splitter = new ThoughtSplitter(options);
  let told = "";
  let leaked = "";
  const take = (tell: () => string) => {
    const { leftOut } = splitter;
    const text = tell();
    if (splitter.leftOut && !leftOut) {
      leaked = told;
      told = "";
    }
    told += text;
  };
  for (const piece of pieces) take(() => splitter.add(piece));
  take(() => splitter.end());
  assertEquals(told, splitter.text);
  return { text: splitter.text, thought: splitter.thought, leaked };
}

const CASES: [reply: string, text: string, thought: string][] = [
  ["<think>\nI should say ok.\n</think>\n\nThe answer is ok.", "The answer is ok.", "\nI should say ok.\n"],
  ["\n <thinking>Hm</thinking>Yes", "Yes", "Hm"],
  ["<THINK>a</THINK>b", "b", "a"],
  ["[THINK]a[/THINK]b", "b", "a"],
  ["<think>a</think>\n<think>b</think>\nc", "c", "ab"],
  ["<think></think>\n\nok", "\n\nok", ""],
  ["<think>never closed", "", "never closed"],
  ["<think>a</think>", "", "a"],
  ["<think>a < b </thin k> c</think>d", "d", "a < b </thin k> c"],
  ["I think so.\n</think>\n\nYes", "Yes", "I think so.\n"],
  ["so</think>Yes", "Yes", "so"],
  ["The mark `</think>` ends a thought.", "The mark `</think>` ends a thought.", ""],
  ['It ends with "</think>".', 'It ends with "</think>".', ""],
  ["```xml\n<b>\n</think>\n```\nDone", "```xml\n<b>\n</think>\n```\nDone", ""],
  ["First <think>a</think> then b", "First <think>a</think> then b", ""],
  ["<thin", "<thin", ""],
  ["<b>bold</b>", "<b>bold</b>", ""],
  [" plain\n", " plain\n", ""],
  ["", "", ""],
];

Deno.test("ThoughtSplitter parts thoughts from the answer", () => {
  for (const [reply, text, thought] of CASES) {
    const parted = split([reply]);
    assertEquals([parted.text, parted.thought], [text, thought], reply);
  }
});

Deno.test("ThoughtSplitter parts alike wherever a reply is cut, and tells no thought between marks", () => {
  for (const [reply, text, thought] of CASES) {
    for (let at = 0; at <= reply.length; at++) {
      for (let to = at; to <= reply.length; to += 3) {
        const parted = split([reply.slice(0, at), reply.slice(at, to), reply.slice(to)]);
        assertEquals([parted.text, parted.thought], [text, thought], `${reply} cut at ${at}, ${to}`);
      }
    }
    const parted = split([...reply]);
    assertEquals([parted.text, parted.thought], [text, thought], reply);
    if (/^\s*[<[]/.test(reply)) assertEquals(parted.leaked, "", reply);
  }
});

Deno.test("ThoughtSplitter tells nothing before the second mark if the first is known to be left out", () => {
  for (const [reply, text, thought] of CASES) {
    const parted = split([...reply], { holds: true });
    assertEquals([parted.text, parted.thought, parted.leaked], [text, thought, ""], reply);
  }
});
