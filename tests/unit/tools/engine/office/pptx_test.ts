import { assertEquals } from "@std/assert";

import { readOfficeText } from "../../../../../tools/engine/office/read.ts";
import { pptx, shape } from "../../../../support/documents/office_files.ts";

async function textOf(shapes: string): Promise<string> {
  const request = { kind: "office" as const, startChar: 0, maxChars: 100_000 };
  const { content } = await readOfficeText(pptx([{ shapes }]), request, new AbortController());
  return content.replace(/^## Slide 1\n\n/, "");
}

const run = (text: string) => `<a:r><a:t>${text}</a:t></a:r>`;
const cell = (text: string) => `<a:tc><a:txBody><a:p>${run(text)}</a:p></a:txBody></a:tc>`;

const SHAPES: [behaviour: string, shapes: string, expected: string][] = [
  ["puts the title first", shape(["body"], "body") + shape(["Title"], "ctrTitle"), "Title\n\nbody"],
  [
    "joins runs and keeps breaks",
    `<p:sp><a:p>${run("a")}${run("b")}<a:br/>${run("c")}</a:p></p:sp>`,
    "ab\nc",
  ],
  ["indents by the level", `<p:sp><a:p><a:pPr lvl="1"/>${run("a")}</a:p></p:sp>`, "  a"],
  [
    "writes tables row by row",
    `<p:graphicFrame><a:tbl><a:tr>${cell("a")}${cell("b")}</a:tr><a:tr>${cell("")}${
      cell("d")
    }</a:tr></a:tbl></p:graphicFrame>`,
    "a\tb\n\td",
  ],
  ["reads shapes of groups", `<p:grpSp>${shape(["a"])}${shape(["b"])}</p:grpSp>`, "a\n\nb"],
  ["leaves the number of the slide out", shape(["a"]) + shape(["7"], "sldNum"), "a"],
  [
    "takes one of two drawings of the same",
    `<mc:AlternateContent><mc:Choice>${shape(["a"])}</mc:Choice><mc:Fallback>${
      shape(["a"])
    }</mc:Fallback></mc:AlternateContent>`,
    "a",
  ],
];

for (const [behaviour, shapes, expected] of SHAPES) {
  Deno.test(`readPptx() ${behaviour}`, async () => assertEquals(await textOf(shapes), expected));
}
