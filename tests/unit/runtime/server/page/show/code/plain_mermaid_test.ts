import { assertEquals } from "@std/assert";

import { plainMermaid } from "../../../../../../../runtime/server/page/show/code/plain_mermaid.ts";

Deno.test("each statement of a flow chart gets a line, and settings are left out", () => {
  const text = '---\ntitle: x\n---\n%%{init: {"theme": "dark"}}%%\ngraph TD; A["a; &lt; b"]-->B;\n B-->C;';
  assertEquals(plainMermaid(text).split("\n").map((line) => line.trim()), [
    "graph TD",
    'A["a; &lt; b"] --> B',
    "B --> C",
  ]);
  assertEquals(plainMermaid("sequenceDiagram\n A->>B: a; b"), "sequenceDiagram\n A->>B: a; b");
});

Deno.test("a mind map becomes a flow chart of the same words", () => {
  const text = 'mindmap\n  root((The "root"))\n    One\n      ::icon(fa fa-x)\n      id[Two]\n    Three\n';
  assertEquals(plainMermaid(text).split("\n"), [
    "graph LR",
    "n0[\"The 'root'\"]",
    'n1["One"]',
    "n0 --- n1",
    'n3["Two"]',
    "n1 --- n3",
    'n4["Three"]',
    "n0 --- n4",
  ]);
});

Deno.test("a time line becomes a flow chart: times in a row, and events below", () => {
  const text = 'timeline\n  title The "title"\n  2024 : Start\n       : More\n  section Later\n  2025\n';
  assertEquals(plainMermaid(text).split("\n"), [
    "graph TD",
    't1["2024"]',
    'e1_0("Start")',
    "t1 --- e1_0",
    'e2_0("More")',
    "e1_0 --- e2_0",
    't4["2025"]',
  ]);
});

Deno.test("arrows stand free, and those in words stay", () => {
  const text = 'graph LR\nA-->B{a-->b};B--> |yes|C["x --- y"];B -- no --> D-.->E';
  assertEquals(plainMermaid(text).split("\n").slice(1), [
    "A --> B{a-->b}",
    'B -->|yes| C["x --- y"]',
    "B -- no --> D -.-> E",
  ]);
});
