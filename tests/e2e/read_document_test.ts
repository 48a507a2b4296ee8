import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { docx, paragraph, pptx, shape, xlsx, zip } from "../office_files.ts";
import { makeScene } from "./scene.ts";

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
  const started = Date.now();
  const paths = ["bomb.docx", "zips.docx", "a.docx"];
  const { answers } = await scene.batch(
    paths.map((path, id) => ({ id, tool: "ReadDocument", arguments: { path } })),
  );
  assertEquals(answers.map(({ error }) => error?.code ?? null), ["limit_exceeded", "limit_exceeded", null]);
  assert(Date.now() - started < 30_000);
});

Deno.test("ReadDocument asks the path guard", async () => {
  using scene = makeScene({ "outside.docx": docx(paragraph("secret")) });
  scene.link("../outside.docx", "ws/a.docx");
  const { error, text } = await scene.call("ReadDocument", { path: "a.docx" });
  assertEquals(error?.code, "permission_denied");
  assertStringIncludes(
    text,
    "[ReadDocument] Blocked or invalid path: Read access is limited to the workspace root: ",
  );
});
