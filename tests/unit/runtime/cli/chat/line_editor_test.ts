import { assertEquals } from "@std/assert";

// @ts-types="@xterm/headless"
import { Terminal } from "@xterm/headless/lib-headless/xterm-headless.mjs";

import { makeHistory } from "../../../../../runtime/cli/chat/history.ts";
import { type Entry, LineEditor } from "../../../../../runtime/cli/chat/line_editor.ts";

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
    const { buffer } = terminal;
    const lines = Array.from(
      { length: terminal.rows },
      (_, y) => buffer.active.getLine(buffer.active.viewportY + y)?.translateToString(true) ?? "",
    );
    return lines.join("\n").trimEnd();
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

Deno.test("LineEditor reads texts of one or more lines", { permissions: "none" }, async () => {
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

Deno.test(
  "LineEditor recalls earlier texts, and keeps what is being written",
  { permissions: "none" },
  async () => {
    const entries = ["old", "two\nlines"];
    const up = "\x1b[A";
    const down = "\x1b[B";
    assertEquals(await entriesOf([`${up}\r`], { entries }), ["two\nlines", "end"]);
    // Within a text of several lines the keys move, at its edge they recall.
    assertEquals(await entriesOf([`${up}${up}${up}\r`], { entries }), ["old", "end"]);
    assertEquals(await entriesOf([`draft${up}${up}${up}${up}${down}${down}${down}!\r`], { entries }), [
      "draft!",
      "end",
    ]);
    assertEquals(await entriesOf(["\x10\x10\x10\x0e\x0e\x0e\r"], { entries }), ["", "end"]);
    assertEquals(await entriesOf(["new\r", `${up}\r`, " hidden\r", `${up}\r`]), [
      ...["new", "new", " hidden", "new", "end"],
    ]);
  },
);

Deno.test(
  "LineEditor leaves the terminal as it was, with the text in it",
  { permissions: "none" },
  async () => {
    const { editor, modes, screen, raw } = scene(["你好 wor", "ld, and a long text that folds\x01\r", "x"]);
    await editor.read(signal);
    assertEquals(screen(), "> 你好 world, and a long text\n   that folds");
    assertEquals(modes, [[true, false], [false, true]]);
    assertEquals(raw().startsWith("\x1b[?2004h"), true);
    assertEquals(raw().slice(raw().lastIndexOf("\x1b")), "\x1b[?2004l\r\n");
    const aborted = AbortSignal.abort();
    assertEquals(await editor.read(aborted), { kind: "end" });
    assertEquals(modes.at(-1), [false, true]);
  },
);

Deno.test("LineEditor shows what is written, whatever was typed", { permissions: "none" }, async () => {
  // Numbers that look random, the same in each run.
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  const keys = [
    "a",
    "bc ",
    "你",
    "🎉",
    "\n",
    "\x1b[D",
    "\x1b[D",
    "\x1b[C",
    "\x7f",
    "\x01",
    "\x05",
    "\x17",
    "\x1bb",
  ];
  const letters = (shown: string) => shown.replace(/[>\s]/g, "");
  for (let round = 0; round < 30; round++) {
    const typed = Array.from({ length: 60 }, () => keys[random(keys.length)]!);
    const { editor, screen } = scene([...typed, "\r"], { cols: 7 + random(20), rows: 40 });
    const entry = await editor.read(signal);
    assertEquals(letters(screen()), letters(entry.kind === "text" ? entry.text : "?"), typed.join(" "));
  }
});

Deno.test(
  "LineEditor draws at its place after the terminal became narrower",
  { permissions: "none" },
  async () => {
    const narrower = () => typed.terminal.resize(18, 10);
    const typed = scene(["word ".repeat(9).trim(), narrower, "!", "\x01S"], { cols: 30, rows: 10 });
    await typed.editor.read(signal);
    assertEquals(typed.screen(), "> Sword word word\n   word word word\n   word word word\n  !");
  },
);

Deno.test("LineEditor looks for earlier texts", { permissions: "none" }, async () => {
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
