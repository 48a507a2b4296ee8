import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { selectPages } from "../../../../../tools/engine/pdf/page_ranges.ts";

const document = { pageCount: 9, limit: 100 };

Deno.test("selectPages() lists pages ascending, each once", () => {
  for (
    const [list, expected] of [
      ["1-3,7", [1, 2, 3, 7]],
      ["7, 2 - 3 ,2", [2, 3, 7]],
      ["1-4,3-6", [1, 2, 3, 4, 5, 6]],
      ["8-", [8, 9]],
      ["9", [9]],
    ] as const
  ) {
    assertEquals(selectPages({ name: "pages", list }, document), [...expected], list);
  }
});

Deno.test("selectPages() stops at the limit", () => {
  assertEquals(selectPages({ name: "pages", list: "2-" }, { pageCount: 100_000, limit: 3 }), [2, 3, 4]);
});

Deno.test("selectPages() says what is wrong with a list", () => {
  for (
    const [list, message] of [
      ["", 'pages "": a part is empty; write it like "1-3,7"'],
      ["1,,2", 'pages "1,,2": a part is empty; write it like "1-3,7"'],
      ["one", 'pages "one": "one" is no page or range; write it like "1-3,7"'],
      ["-3", 'pages "-3": "-3" is no page or range; write it like "1-3,7"'],
      ["0-2", 'pages "0-2": pages are counted from 1'],
      ["3-2", 'pages "3-2": "3-2" ends before it starts'],
      ["10", 'pages "10": page 10 is out of range, the PDF has 9 pages'],
      ["8-12", 'pages "8-12": page 12 is out of range, the PDF has 9 pages'],
      ["10-", 'pages "10-": page 10 is out of range, the PDF has 9 pages'],
    ]
  ) {
    assertThrows(() => selectPages({ name: "pages", list: list! }, document), ToolError, message!);
  }
});
