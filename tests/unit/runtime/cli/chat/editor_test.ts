import { assertEquals } from "@std/assert";
// @ts-types="@xterm/headless"
import { Terminal } from "@xterm/headless/lib-headless/xterm-headless.mjs";

import { type Draft, edit, type EditName, insert } from "../../../../../runtime/cli/chat/edit.ts";
import { makeHistory } from "../../../../../runtime/cli/chat/history.ts";
import { type Key, KeyReader } from "../../../../../runtime/cli/chat/keys.ts";
import { cutPicture, layOut, moveByRow } from "../../../../../runtime/cli/chat/lay_out.ts";
import { type Entry, LineEditor } from "../../../../../runtime/cli/chat/line_editor.ts";

const PURE = { permissions: "none" } as const;

/** `|` is the cursor. */
function draft(shown: string): Draft {
  const cursor = shown.indexOf("|");
  return { text: shown.replace("|", ""), cursor };
}

function shown({ text, cursor }: Draft): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

Deno.test("edit() moves and erases by characters as a reader sees them", PURE, () => {
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

function keysOf(...pieces: string[]): (Key | string)[] {
  const reader = new KeyReader();
  return pieces.flatMap((piece) => reader.read(piece)).map((key) => "name" in key ? key.name : key);
}

Deno.test("KeyReader finds keys of all kinds of terminals", PURE, () => {
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

Deno.test("KeyReader takes what is pasted as one text that steers nothing", PURE, () => {
  const pasted = "\x1b[200~one\r\ntwo\r/quit\r\x1b[31mred\x03\t.\x1b[201~";
  const text = { text: "one\ntwo\n/quit\nred\t." };
  assertEquals(keysOf(`a${pasted}\r`), [{ text: "a" }, text, "enter"]);
  assertEquals(keysOf(...pasted.replace("\x03", "")), [text]);
  // The end of it never comes.
  assertEquals(keysOf("\x1b[200~lost", "\x03", "b"), ["interrupt", { text: "b" }]);
});

const frame = { columns: 8, prompt: "> ", indent: "  " };
const rowsOf = (text: string, cursor = text.length) => {
  const { rows, row, column } = layOut({ text, cursor }, frame);
  return [rows.map((one) => one.text), row, column];
};

Deno.test("layOut() breaks lines before the terminal would, by columns", PURE, () => {
  assertEquals(rowsOf(""), [["> "], 0, 2]);
  // A full row has room for the cursor behind it.
  assertEquals(rowsOf("12345"), [["> 12345"], 0, 7]);
  assertEquals(rowsOf("123456"), [["> 12345", "  6"], 1, 3]);
  assertEquals(rowsOf("123456", 5), [["> 12345", "  6"], 1, 2]);
  assertEquals(rowsOf("你好吗"), [["> 你好", "  吗"], 1, 4]);
  assertEquals(rowsOf("a\n\nb", 2), [["> a", "  ", "  b"], 1, 2]);
  assertEquals(rowsOf("a\n"), [["> a", "  "], 1, 2]);
  assertEquals(rowsOf("a\tb"), [["> a    ", "  b"], 1, 3]);
  // What turns the writing round is shown as its code, on a row of its own.
  assertEquals(rowsOf("a\u202e"), [["> a", "  \\u202e", "  "], 2, 2]);
  // A terminal that is too narrow for anything.
  const narrow = layOut({ text: "ab", cursor: 2 }, { ...frame, columns: 1 });
  assertEquals(narrow.rows.map(({ text }) => text), ["> a", "  b", "  "]);
});

Deno.test("cutPicture() keeps the rows around the cursor", PURE, () => {
  const text = Array.from({ length: 20 }, (_, n) => `${n}`).join("\n");
  const cut = (cursor: number) => {
    const { rows, row } = cutPicture(layOut({ text, cursor }, frame), 4);
    return [rows.map((one) => one.text.trim()).join(" "), row];
  };
  assertEquals(cut(0), ["> 0 1 2 3", 0]);
  assertEquals(cut(text.indexOf("10")), ["8 9 10 11", 2]);
  assertEquals(cut(text.length), ["16 17 18 19", 3]);
});

Deno.test("moveByRow() keeps the column, and knows the first and the last row", PURE, () => {
  const text = "你好\nab\nabcdefgh";
  const move = (cursor: number, by: 1 | -1) => {
    const to = moveByRow({ text, cursor }, by, frame);
    return to === null ? null : `${text.slice(0, to)}|${text.slice(to)}`;
  };
  assertEquals(move(0, -1), null);
  assertEquals(move(text.length, 1), null);
  assertEquals(move(2, 1), "你好\nab|\nabcdefgh");
  assertEquals(move(4, 1), "你好\nab\na|bcdefgh");
  assertEquals(move(4, -1), "你|好\nab\nabcdefgh");
  assertEquals(move(text.length, -1), "你好\nab\nabc|defgh");
  assertEquals(move(text.indexOf("c"), -1), "你好\nab|\nabcdefgh");
});

/** An editor at a terminal of which the screen can be read; `typed` is what comes, piece by piece. */
function scene(typed: (string | (() => void))[], { cols = 30, rows = 10, entries = [] as string[] } = {}) {
  const terminal = new Terminal({ cols, rows, allowProposedApi: true, convertEol: false });
  const modes: unknown[] = [];
  let raw = "";
  const editor = new LineEditor(
    {
      keyboard: {
        read() {
          for (let next = typed.shift(); next !== undefined; next = typed.shift()) {
            if (typeof next === "string") return Promise.resolve(next);
            next();
          }
          return Promise.resolve(null);
        },
        setRaw: (on, options) => modes.push([on, options?.signals ?? true]),
        lend() {},
        rows: () => terminal.rows,
      },
      show(text) {
        raw += text;
        return new Promise((resolve) => terminal.write(text, resolve));
      },
      columns: () => terminal.cols,
    },
    {
      prompt: "> ",
      indent: "  ",
      paint: (prompt) => `\x1b[1m${prompt}\x1b[0m`,
      complete: (text) => ["/save ", "/show", "/shout"].filter((one) => text !== "" && one.startsWith(text)),
    },
    makeHistory(entries),
  );
  const screen = () => {
    const { active } = terminal.buffer;
    const line = (y: number) => active.getLine(active.viewportY + y)?.translateToString(true) ?? "";
    return Array.from({ length: terminal.rows }, (_, y) => line(y)).join("\n").trimEnd();
  };
  return { editor, terminal, modes, screen, raw: () => raw };
}

const { signal } = new AbortController();

async function entriesOf(typed: string[], options?: Parameters<typeof scene>[1]): Promise<unknown[]> {
  const { editor } = scene(typed, options);
  const all: unknown[] = [];
  for (;;) {
    const entry: Entry = await editor.read(signal);
    all.push(entry.kind === "text" ? entry.text : entry.kind);
    if (entry.kind === "end") return all;
  }
}

Deno.test("LineEditor reads texts of one or more lines", PURE, async () => {
  assertEquals(await entriesOf(["hello\r", "\r"]), ["hello", "", "end"]);
  assertEquals(await entriesOf(["one\\\rtwo\ntrois\x1b\rfour\r"]), ["one\ntwo\ntrois\nfour", "end"]);
  assertEquals(await entriesOf(["a\\\x1b[D\r"]), ["a\\", "end"]);
  assertEquals(await entriesOf(["\x1b[200~a\rb\x1b[201~", "c\r"]), ["a\nbc", "end"]);
  assertEquals(await entriesOf(["abc\x1b[D\x1b[DX\r"]), ["aXbc", "end"]);
  assertEquals(await entriesOf(["one two\x17\x19\x19\r"]), ["one twotwo", "end"]);
  // What was typed behind the end of a text is the beginning of the next one.
  assertEquals(await entriesOf(["one\rtwo\rthr", "ee\r"]), ["one", "two", "three", "end"]);
  assertEquals(await entriesOf(["\x03abc\x03d\x04\x04\r", "\x04"]), ["interrupt", "d", "end"]);
  assertEquals(await entriesOf(["ab\x1ac\r"]), ["suspend", "abc", "end"]);
  assertEquals(await entriesOf(["/sa\tx\r", "/s\t\r", "/sh\t\t\r"]), ["/save x", "/s", "/sho", "end"]);
});

Deno.test("LineEditor recalls earlier texts, and keeps what is being written", PURE, async () => {
  const entries = ["old", "two\nlines"];
  const up = "\x1b[A";
  const down = "\x1b[B";
  assertEquals(await entriesOf([`${up}\r`], { entries }), ["two\nlines", "end"]);
  // Within a text of several lines the keys move, at its edge they recall.
  assertEquals(await entriesOf([`${up}${up}${up}\r`], { entries }), ["old", "end"]);
  const away = `draft${up.repeat(4)}${down.repeat(3)}!\r`;
  assertEquals(await entriesOf([away], { entries }), ["draft!", "end"]);
  assertEquals(await entriesOf(["\x10\x10\x10\x0e\x0e\x0e\r"], { entries }), ["", "end"]);
  assertEquals(await entriesOf(["new\r", `${up}\r`, " hidden\r", `${up}\r`]), [
    ...["new", "new", " hidden", "new", "end"],
  ]);
});

Deno.test("LineEditor leaves the terminal as it was, with the text in it", PURE, async () => {
  const { editor, modes, screen, raw } = scene(["你好 wor", "ld, and a long text that folds\x01\r", "x"]);
  await editor.read(signal);
  assertEquals(screen(), "> 你好 world, and a long text\n   that folds");
  assertEquals(modes, [[true, false], [false, true]]);
  assertEquals(raw().startsWith("\x1b[?2004h"), true);
  assertEquals(raw().slice(raw().lastIndexOf("\x1b")), "\x1b[?2004l\r\n");
  const aborted = AbortSignal.abort();
  assertEquals(await editor.read(aborted), { kind: "end" });
  assertEquals(modes.at(-1), [false, true]);
});

Deno.test("LineEditor shows what is written, whatever was typed", PURE, async () => {
  // Numbers that look random, the same in each run.
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  const keys = "a|bc |你|🎉|\n|\x1b[D|\x1b[D|\x1b[C|\x7f|\x01|\x05|\x17|\x1bb".split("|");
  const letters = (shown: string) => shown.replace(/[>\s]/g, "");
  for (let round = 0; round < 12; round++) {
    const typed = Array.from({ length: 60 }, () => keys[random(keys.length)]!);
    const { editor, screen } = scene([...typed, "\r"], { cols: 7 + random(20), rows: 40 });
    const entry = await editor.read(signal);
    assertEquals(letters(screen()), letters(entry.kind === "text" ? entry.text : "?"), typed.join(" "));
  }
});

Deno.test("LineEditor draws at its place after the terminal became narrower", PURE, async () => {
  const narrower = () => typed.terminal.resize(18, 10);
  const typed = scene(["word ".repeat(9).trim(), narrower, "!", "\x01S"], { cols: 30, rows: 10 });
  await typed.editor.read(signal);
  assertEquals(typed.screen(), "> Sword word word\n   word word word\n   word word word\n  !");
});

Deno.test("LineEditor looks for earlier texts", PURE, async () => {
  const entries = ["fix the cart", "Fix the bug", "other"];
  const ctrlR = "\x12";
  assertEquals(await entriesOf([`${ctrlR}fix\r`], { entries }), ["Fix the bug", "end"]);
  assertEquals(await entriesOf([`${ctrlR}fix${ctrlR}\r`], { entries }), ["fix the cart", "end"]);
  const keys = `${ctrlR}fixx\x7f${ctrlR}${ctrlR}!\x05?\r`;
  assertEquals(await entriesOf([keys], { entries }), ["fix the cart?", "end"]);
  assertEquals(await entriesOf([`draft${ctrlR}oth\x03 goes on\r`], { entries }), ["draft goes on", "end"]);
  const { editor, screen } = scene([`${ctrlR}the c`], { entries });
  await editor.read(signal);
  assertEquals(screen(), "search the c: fix the cart");
});
