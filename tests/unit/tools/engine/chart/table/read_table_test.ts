import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../../schemas/error.ts";
import { readTable } from "../../../../../../tools/engine/chart/table/read_table.ts";

const read = (text: string) => readTable(new TextEncoder().encode(text));
const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
/** A table whose second column has these cells. */
const column = (cells: string) => `k,v\n${cells.split("\n").map((cell) => `x,"${cell}"`).join("\n")}`;

/** Kinds, names and values of all columns. */
const facts = (text: string) => read(text).columns.map(({ kind, name, values }) => [kind, name, values]);

Deno.test("readTable() reads a mark of the byte order, semicolons, quotes, CRLF and decimal commas", () => {
  assertEquals(
    facts('\ufeffName;Preis (€);Datum\r\n"A;B";1.234,50;05.01.2024\r\n"C ""c""";-3,2;31.12.2024\r\n'),
    [
      ["text", "Name", ["A;B", 'C "c"']],
      ["number", "Preis", [1234.5, -3.2]],
      ["time", "Datum", [day("2024-01-05"), day("2024-12-31")]],
    ],
  );
});

Deno.test("readTable() reads numbers as people write them, with units, and with words for their size", () => {
  const cells: [string, (number | null)[], string | null][] = [
    ["1,234\n5,678.5", [1234, 5678.5], null],
    ["12%\n7.5%", [12, 7.5], "%"],
    ["$1\n$ 20", [1, 20], "$"],
    ["(5)\n3", [-5, 3], null],
    ["1 000\n2 000", [1000, 2000], null],
    ["1e3\n-2E-1", [1000, -0.2], null],
    ["3\nNA\n-\nnull\n4", [3, null, null, null, 4], null],
    ["12 kg\n9.5kg", [12, 9.5], "kg"],
    ["20°C\n-3°C", [20, -3], "°C"],
    ["1.5K\n2M\n3B", [1500, 2e6, 3e9], null],
    ["$1.2M\n$900K", [1.2e6, 9e5], "$"],
    ["1.2万\n3亿", [12_000, 3e8], null],
    ["3万\n4万", [3, 4], "万"],
    ["1.234,5 km\n2,5 km", [1234.5, 2.5], "km"],
  ];
  for (const [text, values, unit] of cells) {
    const [, found] = read(column(text)).columns;
    assertEquals([found?.kind, found?.values], ["number", values], text);
    assertEquals(found?.kind === "number" ? found.unit : "none", unit, text);
  }
  for (const text of ["1月\n2月", "1st\n2nd", "5 apples\n6 pears", "3h\n4h"]) {
    assertEquals(facts(column(text))[1]?.[0], "text", text);
  }
});

Deno.test("readTable() reads dates of several forms", () => {
  const forms = [
    "2024-03-05|2024/3/5|2024年3月5日|20240305|5 Mar 2024|March 5, 2024|05.03.2024|3/5/2024|5-Mar-24|03/05/24",
    "2024-03-05T00:00:00Z|2024-03-05 02:00+02:00|Tue, 5 Mar 2024|March 5th, 2024 12:00 AM|3/5/2024 12:00:00 am",
  ];
  for (const form of forms.flatMap((line) => line.split("|"))) {
    const [found] = read(`date,v\n"${form}",1`).columns;
    assertEquals([found?.kind, found?.values], ["time", [day("2024-03-05")]], form);
  }
  assertEquals(facts("d,v\n25/03/2024,1\n01/04/2024,2")[0]?.[2], [day("2024-03-25"), day("2024-04-01")]);
  assertEquals(facts("year,v\n2019,1\n2020,2")[0], ["time", "year", [day("2019-01-01"), day("2020-01-01")]]);
  assertEquals(facts("size,v\n2019,1\n2020,2")[0]?.[0], "number");
  assertEquals(facts("年份,值\n2019年,1")[0], ["time", "年份", [day("2019-01-01")]]);
  assertEquals(facts("d,v\n2024-02-31,1")[0]?.[0], "text");
});

Deno.test("readTable() reads halves of the day, months with short years, and seconds since the epoch", () => {
  const first = (text: string) => facts(text)[0]?.[2];
  assertEquals(first("t,v\n1/2/2024 1:30 PM,1\n"), [Date.UTC(2024, 0, 2, 13, 30)]);
  assertEquals(first("m,v\nApr-24,1\nMay-99,1\n"), [day("2024-04-01"), day("1999-05-01")]);
  assertEquals(first("timestamp,v\n1700000000,1\n"), [1_700_000_000_000]);
  assertEquals(first("created_at,v\n1700000000123,1\n"), [1_700_000_000_123]);
  assertEquals(facts("population,v\n1700000000,1\n")[0]?.[0], "number");
});

Deno.test("readTable() finds the names of columns, and numbers columns that have none", () => {
  const names = (text: string) => read(text).columns.map(({ name }) => name);
  assertEquals(names("Report of May\n\na,b\nx,1\n"), ["a", "b"]);
  assertEquals(names("2024-01-01,5\n2024-01-02,6\n"), ["Column 1", "Column 2"]);
  assertEquals(read("2024-01-01,5\n2024-01-02,6\n").rows, 2);
  // Names that are years, and names that count.
  assertEquals(names("2019,2020\n5,6\n"), ["2019", "2020"]);
  assertEquals(names("1,2,3\n5,6,7\n"), ["1", "2", "3"]);
});

Deno.test("readTable() says what it repaired", () => {
  const { columns, notes } = read("a,a,\n1,2,x\n3,oops,y,z\n4,5,x\n6,7,x\n8,9,x\n");
  assertEquals(columns.map(({ name }) => name), ["a", "a (2)", "Column 3"]);
  assertEquals(columns[1]?.values, [2, null, 5, 7, 9]);
  assertEquals(notes, [
    "1 rows have more cells than the first one; the cells beyond are left out",
    'The column "a" is there twice; the second one is "a (2)" here',
    '1 cells of "a (2)" are no numbers, they count as missing',
  ]);
});

Deno.test("readTable() tells names with an order from others", () => {
  for (const cells of ["Jan|Feb", "第1季度|第2季度", "1月|2月", "Q1 2024|Q2 2024", "Monaco|Japan"]) {
    const [found] = read(`k,v\n${cells.split("|").map((cell) => `${cell},1`).join("\n")}`).columns;
    assertEquals(found?.kind === "text" && found.ordered, cells !== "Monaco|Japan", cells);
  }
});

Deno.test("readTable() refuses files without rows", () => {
  for (const text of ["", "\n\n", "a,b\n", "a,b\n,\n"]) {
    assertThrows(() => read(text), ToolError, text.trim() === "" ? "is empty" : "no rows");
  }
  assertThrows(() => read("a,b\nNA,-\n"), ToolError, "all of their values are missing");
  assertThrows(() => read("PK\x03\x04\0\0"), ToolError, "is no text");
});
