import { assertEquals } from "@std/assert";

import { type Key, KeyReader } from "../../../../../runtime/cli/chat/keys.ts";

function keysOf(...pieces: string[]): (Key | string)[] {
  const reader = new KeyReader();
  return pieces.flatMap((piece) => reader.read(piece)).map((key) => "name" in key ? key.name : key);
}

Deno.test("KeyReader finds keys of all kinds of terminals", { permissions: "none" }, () => {
  const table: readonly (readonly [typed: string, keys: (Key | string)[]])[] = [
    ["hé 你🎉\r", [{ text: "hé 你🎉" }, "enter"]],
    ["\x1b[A\x1bOA\x1b[B\x1b[C\x1b[D", ["up", "up", "down", "right", "left"]],
    ["\x1b[H\x1bOF\x1b[1~\x1b[4~\x1b[3~", ["home", "end", "home", "end", "delete"]],
    ["\x1bb\x1bf\x1b[1;5C\x1b[1;3D\x1bd\x1b\x7f", [
      ...["wordLeft", "wordRight", "wordRight", "wordLeft", "killWordRight", "killWord"],
    ]],
    ["\x1b[1;2C\x1b[1;9D\x1b[1;5A\x1b[1;3H\x1b[3;2~\x1b[3;5~\x1bOd\x1bOM", [
      ...["right", "wordLeft", "up", "home", "delete", "killWordRight", "wordLeft", "enter"],
    ]],
    ["\x1b\r\n\x1b[13;2u\x1b[27;2;13~", ["newline", "newline", "newline", "newline"]],
    ["\x01\x05\x0b\x15\x17\x19\x7f\b\x04\x03\x1a\t", [
      ...["home", "end", "killEnd", "killStart", "killWord", "yank", "backspace", "backspace"],
      ...["deleteOrEnd", "interrupt", "suspend", "complete"],
    ]],
    // Keys that mean nothing here, and a lone Escape before another key.
    ["\x1b[15~\x1b[15;2~\x1b[1;2P\x1bOP\x1b[5~\x1b[<0;1;1M\x1bqa", [{ text: "a" }]],
    ["\x1b\x1b[A", ["up"]],
    // Characters above ASCII that steer a terminal.
    ["a\x9b31mb", [{ text: "a31mb" }]],
  ];
  for (const [typed, keys] of table) {
    assertEquals(keysOf(typed), keys, JSON.stringify(typed));
    // A terminal may send them in pieces of any length.
    const apart = keysOf(...typed).reduce<(Key | string)[]>((all, key) => {
      const last = all.at(-1);
      if (typeof key === "object" && "text" in key && typeof last === "object" && "text" in last) {
        return [...all.slice(0, -1), { text: last.text + key.text }];
      }
      return [...all, key];
    }, []);
    assertEquals(apart, keys, JSON.stringify(typed));
  }
});

Deno.test("KeyReader takes what is pasted as one text that steers nothing", { permissions: "none" }, () => {
  const pasted = "\x1b[200~one\r\ntwo\r/quit\r\x1b[31mred\x03\t.\x1b[201~";
  const text = { text: "one\ntwo\n/quit\nred\t." };
  assertEquals(keysOf(`a${pasted}\r`), [{ text: "a" }, text, "enter"]);
  assertEquals(keysOf(...pasted.replace("\x03", "")), [text]);
  // The end of it never comes.
  assertEquals(keysOf("\x1b[200~lost", "\x03", "b"), ["interrupt", { text: "b" }]);
});
