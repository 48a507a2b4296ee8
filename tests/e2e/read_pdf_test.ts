import { assert, assertEquals } from "@std/assert";
import { deflateSync } from "node:zlib";

import { makePdf, showLines, writePdf } from "../../scripts/bench/make_pdf.ts";
import { makeScene } from "./scene.ts";

const PAGE = showLines([{ x: 50, y: 700, text: "Some words" }]);

Deno.test("ReadPDF reads a PDF, draws a page, and the artifact can be opened", async () => {
  using scene = makeScene({ "ws/a.pdf": makePdf([PAGE]) });
  const read = await scene.call("ReadPDF", { path: "a.pdf", render_pages: "1" });
  const { content, rendered_pages } = read.result as {
    content: string;
    rendered_pages: { path: string }[];
  };
  assertEquals([read.code, content], [0, "Some words"]);
  assertEquals(Deno.readFileSync(rendered_pages[0]!.path).subarray(1, 4), new TextEncoder().encode("PNG"));
  assert(read.artifacts.some(({ path }) => path === rendered_pages[0]!.path));
});

Deno.test("a bomb is refused in time, and the next call works", async () => {
  const inflating = deflateSync(deflateSync(new Uint8Array(600 * 1024 * 1024), { level: 9 }));
  const bomb = writePdf([
    ["<< /Type /Catalog /Pages 2 0 R >>"],
    ["<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 9 9] >>"],
    ["<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>"],
    ["<< /Filter [/FlateDecode /FlateDecode] >>", inflating],
    ["<< >>"],
  ]);
  using scene = makeScene({ "ws/bomb.pdf": bomb, "ws/a.pdf": makePdf([PAGE]) });
  const { answers } = await scene.batch([
    { id: 1, tool: "ReadPDF", arguments: { path: "bomb.pdf" } },
    { id: 2, tool: "ReadPDF", arguments: { path: "a.pdf" } },
  ]);
  assertEquals(answers.map(({ ok, error }) => [ok, error?.code]), [[false, "limit_exceeded"], [
    true,
    undefined,
  ]]);
});

Deno.test("READPDF_TIMEOUT_SECONDS ends the reading with a readable result", async () => {
  using scene = makeScene({ "ws/a.pdf": makePdf(Array.from({ length: 4_000 }, () => PAGE)) });
  const env = { READPDF_TIMEOUT_SECONDS: "0.01" };
  const { code, stderr, stdout } = await scene.run(["call", "ReadPDF", "path=a.pdf"], { env });
  assertEquals(code, 124, stderr);
  const start = `[ReadPDF] Timeout after 0.0s while parsing PDF: ${scene.at("ws/a.pdf")}. `;
  assert((stdout + stderr).startsWith(start), stdout + stderr);
});

Deno.test("a second call of a session gets the kept reading", async () => {
  using scene = makeScene({ "ws/a.pdf": makePdf([PAGE]) });
  const call = { tool: "ReadPDF", arguments: { path: "a.pdf", render_pages: "1" } };
  const { answers } = await scene.batch([{ id: 1, ...call }, { id: 2, ...call }]);
  assertEquals(answers.map(({ ok }) => ok), [true, true]);
  assertEquals(answers[1]!.result, answers[0]!.result);
});
