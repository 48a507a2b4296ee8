import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { makePdf } from "../../../scripts/bench/make_pdf.ts";
import { docx, paragraph, pptx, shape, xlsx, zip } from "../../support/documents/office_files.ts";
import { png } from "../../support/documents/png.ts";
import { type Call, makeScene } from "../../support/cli/scene.ts";

const READERS = ["ReadPDF", "ReadImage", "ReadDocument"];
const GOOD = {
  pdf: makePdf([""]),
  png: png({ colour: 0, depth: 1, width: 40, height: 20 }),
  docx: docx(paragraph("text")),
};
const ROW = '<row r="1"><c r="B1" t="inlineStr"><is><t>cell</t></is></c></row>';

Deno.test("ReadDocument and the editor read office files", async () => {
  using scene = makeScene({
    "ws/a.docx": docx(paragraph("text")),
    "ws/a.xlsx": xlsx({ S: ROW }),
    "ws/a.pptx": pptx([{ shapes: shape(["slide"]) }]),
  });
  const { answers } = await scene.batch([
    { id: 1, tool: "ReadDocument", arguments: { path: "a.docx" } },
    { id: 2, tool: "ReadDocument", arguments: { path: "a.xlsx" } },
    { id: 3, tool: "str_replace_editor", arguments: { command: "view", path: scene.at("ws/a.pptx") } },
    { id: 4, tool: "Read", arguments: { path: "a.docx" } },
  ]);
  const [word, sheet, slides, text] = answers.map(({ text }) => text);
  assertStringIncludes(word ?? "", "source_type: docx\n");
  assert(word?.endsWith("content:\ntext"), word);
  assert(sheet?.endsWith("content:\n## Sheet 1: S\n\n\tA\tB\n1\t\tcell"), sheet);
  assertEquals(slides, "# a.pptx\n\n## Slide 1\n\nslide");
  assertStringIncludes(text ?? "", "Use ReadDocument instead");
});

Deno.test("an office file that would burst is refused in time, and the next call works", async () => {
  const text = `<w:p><w:r><w:t>${"x".repeat(90_000_000)}</w:t></w:r></w:p>`;
  using scene = makeScene({
    "ws/bomb.docx": docx(text),
    "ws/zips.docx": zip({ "a.zip": docx("") }),
    "ws/a.docx": docx(paragraph("text")),
  });
  const paths = ["bomb.docx", "zips.docx", "a.docx"];
  const { answers } = await scene.batch(
    paths.map((path, id) => ({ id, tool: "ReadDocument", arguments: { path } })),
  );
  assertEquals(answers.map(({ error }) => error?.code ?? null), ["limit_exceeded", "limit_exceeded", null]);
});

for (const box of ["auto", "off"]) {
  Deno.test(`no reader is given what is no file or not granted, --sandbox=${box}`, async () => {
    using scene = makeScene({
      "outside.bin": GOOD.docx,
      "ws/folder/a.txt": "",
      "ws/.ssh/a.bin": GOOD.docx,
      "ws/.env": GOOD.docx,
      "ws/empty.bin": "",
    });
    scene.link("../outside.bin", "ws/link.bin");
    new Deno.Command("mkfifo", { args: [scene.at("ws/pipe.bin")] }).outputSync();
    const expected = {
      "folder": "invalid_input",
      "pipe.bin": "invalid_input",
      "/dev/zero": "permission_denied",
      "empty.bin": "invalid_input",
      "missing.bin": "not_found",
      "../outside.bin": "permission_denied",
      "link.bin": "permission_denied",
      ".ssh/a.bin": "permission_denied",
      ".env": "permission_denied",
    };
    const calls = READERS.flatMap((tool) =>
      Object.keys(expected).map((path) => ({ tool, arguments: { path } }))
    );
    const { answers } = await scene.batch(calls, [`--sandbox=${box}`, "--allow-read=/dev/zero"]);
    const found = answers.map(({ error }, at) => [calls[at]?.tool, calls[at]?.arguments.path, error?.code]);
    assertEquals(found, READERS.flatMap((tool) => Object.entries(expected).map((pair) => [tool, ...pair])));
  });
}

Deno.test("each reader goes by content and names the right tool for other files", async () => {
  using scene = makeScene({ "ws/a.png": GOOD.pdf, "ws/a.docx": GOOD.png, "ws/a.pdf": GOOD.docx });
  const right: Record<string, string> = {
    "a.png": "ReadPDF",
    "a.docx": "ReadImage",
    "a.pdf": "ReadDocument",
  };
  const calls: Call[] = ["Read", ...READERS].flatMap((tool) =>
    Object.keys(right).map((path) => ({ tool, arguments: { path } }))
  );
  const { answers } = await scene.batch(calls);
  for (const [at, { error, text }] of answers.entries()) {
    const { tool, arguments: input } = calls[at]!;
    const wanted = right[(input as { path: string }).path]!;
    if (tool === wanted) assertEquals(error, null, text);
    else assert(error?.code === "invalid_input" && text.includes(`se ${wanted} instead`), `${tool}: ${text}`);
  }
});
