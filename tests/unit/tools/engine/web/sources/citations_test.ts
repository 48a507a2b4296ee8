import { assertEquals } from "@std/assert";

import { citedNumbers, uncitedFigures } from "../../../../../../tools/engine/web/sources/citations.ts";

Deno.test("citedNumbers() finds the numbers in brackets, alone, in lists and in ranges", () => {
  const cases: [string, number[]][] = [
    ["It grew [2]. And fell [1][3].", [1, 2, 3]],
    ["Both say so [1, 4; 7].", [1, 4, 7]],
    ["All of them [2-4], [6\u20138].", [2, 3, 4, 6, 7, 8]],
    ["A link [5](https://a.example) and a word[9].", [5, 9]],
    ["A code `a[1]`\n\n```js\nb[2] = c[3];\n```\n\nand [4].", [4]],
    ["```\nnever closed [1]", []],
    ["No [x], no [^1], no [ 1 ], no [1.5], no [[]].", []],
    ["Far [1-999999], back [9-3].", [1, 3, 9, 999999]],
    ["All [1]-[3] and [5]\u2013[6], [1-2-4].", [1, 2, 3, 4, 5, 6]],
    ["- in a list:\n  ```\n  a[7] = 1\n  ```\n  and [2]", [2]],
    ["In [2024], in [2019-2021] and in [1999, 3].", [3]],
    ["", []],
  ];
  for (const [text, numbers] of cases) assertEquals(citedNumbers(text), numbers, text);
  assertEquals(citedNumbers("Of many [1200], in [2024].", (number) => number === 1200), [1200]);
});

Deno.test("uncitedFigures() parts paragraphs whatever ends their lines", () => {
  assertEquals(uncitedFigures("It has 3 [1].\r\n\r\nIt has 4.\r\n"), ["It has 4."]);
});

Deno.test("uncitedFigures() finds paragraphs with figures that cite nothing", () => {
  const text = [
    "# Report of 2024",
    "It grew by 5 % [1].",
    "It fell by 7 %.",
    "Nothing to see.",
    "1. first\n2. second",
    "- rose to 12\n- fell to 9 [2]",
    "| year | sum |\n| --- | --- |\n| 2023 | 4 |",
    "See https://a.example/2024/05.",
    "```\nx = 3\n```",
    "## 2. What\nis 8 of it",
    "**3. Water**",
    "Water is H2O, COVID-19 is none, v1.2 neither, nor GPT-4.",
    "It fell by -7, to $5.",
    "So it was in [2024].",
  ].join("\n\n");
  assertEquals(uncitedFigures(text), [
    "It fell by 7 %.",
    "| year | sum |\n| --- | --- |\n| 2023 | 4 |",
    "## 2. What\nis 8 of it",
    "It fell by -7, to $5.",
    "So it was in [2024].",
  ]);
});
