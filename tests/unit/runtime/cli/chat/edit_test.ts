import { assertEquals } from "@std/assert";

import { type Draft, edit, type EditName, insert } from "../../../../../runtime/cli/chat/edit.ts";

/** `|` is the cursor. */
function draft(shown: string): Draft {
  const cursor = shown.indexOf("|");
  return { text: shown.replace("|", ""), cursor };
}

function shown({ text, cursor }: Draft): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

Deno.test("edit() moves and erases by characters as a reader sees them", { permissions: "none" }, () => {
  const table: readonly (readonly [before: string, name: EditName, after: string, killed?: string])[] = [
    ["a你👨‍👩‍👧|b", "left", "a你|👨‍👩‍👧b"],
    ["a|👨‍👩‍👧b", "right", "a👨‍👩‍👧|b"],
    ["a👍🏽|", "backspace", "a|", "👍🏽"],
    ["e\u0301|x", "backspace", "|x", "e\u0301"],
    ["|ab", "delete", "|b", "a"],
    ["|", "backspace", "|", ""],
    ["a\n|b", "backspace", "a|b", "\n"],
    ["a\n|b", "left", "a|\nb"],
    ["a|\nb", "right", "a\n|b"],
    ["\n|", "left", "|\n"],
    ["|\nb", "home", "|\nb"],
    ["one\ntwo| x", "home", "one\n|two x"],
    ["one\nt|wo\nx", "end", "one\ntwo|\nx"],
    ["one two-three| four", "wordLeft", "one two-|three four"],
    ["one| two, three", "wordRight", "one two|, three"],
    ["one two-three | x", "killWord", "one | x", "two-three "],
    ["one| two three", "killWordRight", "one| three", " two"],
    ["one\ntwo| x", "killStart", "one\n| x", "two"],
    ["one\n|two", "killStart", "one|two", "\n"],
    ["o|ne\ntwo", "killEnd", "o|\ntwo", "ne"],
    ["one|\ntwo", "killEnd", "one|two", "\n"],
    ["one|", "killEnd", "one|", ""],
  ];
  for (const [before, name, after, killed = ""] of table) {
    const done = edit(draft(before), name);
    assertEquals([shown(done.draft), done.killed], [after, killed], `${name} of ${JSON.stringify(before)}`);
  }
  assertEquals(shown(insert(draft("a|b"), "你\n")), "a你\n|b");
});
