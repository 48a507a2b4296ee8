import { assertEquals } from "@std/assert";
import { deflateSync } from "node:zlib";

import { makePdf, showLines } from "../../../scripts/bench/make_pdf.ts";
import { annotatedPdf, refusedPdf } from "../../support/documents/odd_pdf.ts";
import { makeScene } from "../../support/cli/scene.ts";

const LINE = showLines([{ x: 20, y: 150, text: "Some words" }]);

Deno.test("pdf.js reads in the reader's room, and a bomb for it is refused there", async () => {
  const inflating = deflateSync(deflateSync(new Uint8Array(600 * 1024 * 1024), { level: 9 }));
  using scene = makeScene({
    "ws/refused.pdf": refusedPdf(LINE),
    "ws/bomb.pdf": refusedPdf(inflating, "/Filter [/FlateDecode /FlateDecode]"),
    "ws/notes.pdf": annotatedPdf(LINE, ["/Subtype /Text /Contents (Look here)"]),
    "ws/normal.pdf": makePdf([LINE]),
  });
  const paths = ["refused.pdf", "bomb.pdf", "notes.pdf", "normal.pdf"];
  const { answers } = await scene.batch(
    paths.map((path, id) => ({ id, tool: "ReadPDF", arguments: { path } })),
  );
  const found = answers.map(({ result, error }) => error?.code ?? (result as { content: string }).content);
  assertEquals(found, ["Some words", "limit_exceeded", "Some words\n[note] Look here", "Some words"]);
});
