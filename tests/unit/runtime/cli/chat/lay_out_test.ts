import { assertEquals } from "@std/assert";

import { cutPicture, layOut, moveByRow } from "../../../../../runtime/cli/chat/lay_out.ts";

const frame = { columns: 8, prompt: "> ", indent: "  " };
const rowsOf = (text: string, cursor = text.length) => {
  const { rows, row, column } = layOut({ text, cursor }, frame);
  return [rows.map((one) => one.text), row, column];
};

Deno.test("layOut() breaks lines before the terminal would, by columns", { permissions: "none" }, () => {
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

Deno.test("cutPicture() keeps the rows around the cursor", { permissions: "none" }, () => {
  const text = Array.from({ length: 20 }, (_, n) => `${n}`).join("\n");
  const cut = (cursor: number) => {
    const { rows, row } = cutPicture(layOut({ text, cursor }, frame), 4);
    return [rows.map((one) => one.text.trim()).join(" "), row];
  };
  assertEquals(cut(0), ["> 0 1 2 3", 0]);
  assertEquals(cut(text.indexOf("10")), ["8 9 10 11", 2]);
  assertEquals(cut(text.length), ["16 17 18 19", 3]);
});

Deno.test(
  "moveByRow() keeps the column, and knows the first and the last row",
  { permissions: "none" },
  () => {
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
  },
);
