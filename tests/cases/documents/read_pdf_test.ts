import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dirname } from "@std/path";
import { deflateSync } from "node:zlib";

import { boxWorks } from "../../support/box.ts";
import { makePdf, showLines, writePdf } from "../../../scripts/bench/make_pdf.ts";
import type { Running } from "../../support/program.ts";
import { type Answer, makeScene } from "../../support/cli/scene.ts";
import { annotatedPdf, refusedPdf } from "../../support/documents/odd_pdf.ts";

const PAGE = showLines([{ x: 50, y: 700, text: "Some words" }]);
const AES256 = Deno.readFileSync(new URL("../../fixtures/documents/aes256.pdf", import.meta.url));

/** The files of a result. */
interface Left {
  image_paths: string[];
  rendered_pages: { page: number; path: string }[];
}

function pageOf(text: string): Uint8Array {
  return makePdf([showLines([{ x: 50, y: 700, text }])]);
}

/** Makes one call of a batch that gets its calls through a pipe. */
async function call(running: Running, tool: string, input: unknown): Promise<Answer> {
  await running.write(`${JSON.stringify({ id: 1, tool, arguments: input })}\n`);
  const line = await running.nextLine();
  assert(line !== null, "the batch ended");
  return JSON.parse(line);
}

Deno.test("what a call leaves, later calls in the same workspace read, and nobody else", async () => {
  using scene = makeScene({ "ws/a.pdf": makePdf([PAGE]), "other/a.txt": "" });
  const left = await scene.call("ReadPDF", { path: "a.pdf", render_pages: "1" });
  const { path } = (left.result as Left).rendered_pages[0]!;
  assertEquals((await scene.call("ReadImage", { path })).code, 0);
  assertEquals((await scene.call("ReadImage", { path }, ["--policy", "read-only"])).code, 0);
  const elsewhere = await scene.call("ReadImage", { path }, ["-C", scene.at("other")]);
  assertEquals(elsewhere.error?.code, "permission_denied");
  const session = await scene.call("ReadPDF", { path: "a.pdf", render_pages: "1" }, ["--session", "s1"]);
  const kept = (session.result as Left).rendered_pages[0]!.path;
  assertEquals((await scene.call("ReadImage", { path: kept })).error?.code, "permission_denied");
  assertEquals((await scene.call("ReadImage", { path: kept }, ["--session", "s1"])).code, 0);
  if (!boxWorks) return;
  const seen = await scene.call("Bash", { command: `cat ${path} | wc -c` });
  assertStringIncludes(seen.text, "No such file");
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
  const circle = writePdf([
    ["<< /Type /Catalog /Pages 2 0 R >>"],
    ["<< /Type /Pages /Count 2 /Kids [2 0 R 2 0 R] >>"],
    ["<< /Type /Page /Parent 2 0 R >>"],
    ["<< >>"],
  ]);
  using scene = makeScene({ "ws/bomb.pdf": bomb, "ws/circle.pdf": circle, "ws/a.pdf": makePdf([PAGE]) });
  const paths = ["bomb.pdf", "circle.pdf", "a.pdf"];
  const { answers } = await scene.batch(paths.map((path) => ({ tool: "ReadPDF", arguments: { path } })));
  assertEquals(answers.map(({ error }) => error?.code ?? null), ["limit_exceeded", "limit_exceeded", null]);
});

Deno.test("READPDF_TIMEOUT_SECONDS ends the reading with a readable result", async () => {
  using scene = makeScene({ "ws/a.pdf": makePdf(Array.from({ length: 4_000 }, () => PAGE)) });
  const env = { READPDF_TIMEOUT_SECONDS: "0.01" };
  const { code, stderr, stdout } = await scene.run(["call", "ReadPDF", "path=a.pdf"], { env });
  assertEquals(code, 124, stderr);
  const start = `[ReadPDF] Timeout after 0.0s while parsing PDF: ${scene.at("ws/a.pdf")}. `;
  assert((stdout + stderr).startsWith(start), stdout + stderr);
});

Deno.test("what ReadPDF leaves is private, and ReadImage opens it under every policy", async () => {
  const dictionary = "<< /Type /XObject /Subtype /Image /Width 32 /Height 32 /ColorSpace /DeviceGray " +
    "/BitsPerComponent 8 >>";
  const picture = [dictionary, Uint8Array.from({ length: 1024 }, (_, at) => at)] as const;
  const pdf = makePdf([`${PAGE} q 50 0 0 50 9 9 cm /Im1 Do Q`], {
    objects: [picture],
    resources: "/XObject << /Im1 4 0 R >>",
  });
  const other = pageOf("another page");
  using scene = makeScene({
    ...{ "ws/a.pdf": pdf, "ws/b.pdf": other },
    ...{ "victim.txt": "untouched", "outside.png": "secret" },
  });
  const running = scene.start(["batch", "-", "--policy=read-only"]);
  const { result, artifacts } = await call(running, "ReadPDF", { path: "a.pdf", render_pages: "1" });
  const { image_paths, rendered_pages } = result as Left;
  const paths = [...image_paths, ...rendered_pages.map(({ path }) => path)];
  const folder = dirname(paths[0]!);
  assertEquals([image_paths.length, rendered_pages.length], [1, 1]);
  assertEquals(dirname(dirname(folder)), scene.at("state/bulkhead/runs"));
  assertEquals(Deno.statSync(dirname(folder)).mode! & 0o777, 0o700);
  assertEquals(Deno.statSync(folder).mode! & 0o777, 0o700);
  for (const { path } of artifacts) assertEquals(Deno.statSync(path).mode! & 0o777, 0o600);
  for (const path of paths) assertEquals((await call(running, "ReadImage", { path })).ok, true);

  // A link under the next name is not written through, and none is followed out of the folder.
  const link = `${folder}/page-1-2.png`;
  Deno.symlinkSync(scene.at("victim.txt"), link);
  Deno.symlinkSync(scene.at("outside.png"), `${folder}/other.png`);
  const drawn = await call(running, "ReadPDF", { path: "b.pdf", render_pages: "1" });
  assertEquals((drawn.result as Left).rendered_pages, [{ page: 1, path: `${folder}/page-1-3.png` }]);
  // What is there with the same bytes is not written again.
  const again = await call(running, "ReadPDF", { path: "a.pdf", render_pages: "1", max_chars: 5 });
  assertEquals((again.result as Left).rendered_pages, rendered_pages);
  assertEquals(scene.read("victim.txt"), "untouched");
  const { error } = await call(running, "ReadImage", { path: `${folder}/other.png` });
  assertEquals(error?.code, "permission_denied");
  await running.closeInput();
  await running.ended();
});

Deno.test("what was kept is never shown for other bytes, whatever the file's size and time", async () => {
  using scene = makeScene({ "ws/a.pdf": pageOf("first text") });
  const time = new Date(1_700_000_000_000);
  const running = scene.start(["batch", "-"]);
  for (const text of ["first text", "other text", "first text", "third text"]) {
    scene.write("ws/a.pdf", pageOf(text));
    Deno.utimeSync(scene.at("ws/a.pdf"), time, time);
    const { result } = await call(running, "ReadPDF", { path: "a.pdf" });
    assertEquals((result as { content: string }).content, text);
  }
  await running.closeInput();
  await running.ended();
  for (const text of ["other text", "third text", "other text"]) {
    scene.write("ws/a.pdf", pageOf(text));
    Deno.utimeSync(scene.at("ws/a.pdf"), time, time);
    const { result } = await scene.call("ReadPDF", { path: "a.pdf" }, ["--session=one"]);
    assertEquals((result as { content: string }).content, text);
  }
});

Deno.test("a password opens a PDF for its own call alone, and is not in the audit", async () => {
  using scene = makeScene({ "ws/a.pdf": AES256 });
  const tries = [{}, { password: "not-this-one" }, { password: "user" }, {}];
  const { answers, stderr } = await scene.batch(
    tries.map((password) => ({ tool: "ReadPDF", arguments: { path: "a.pdf", ...password } })),
    ["--audit=../audit.jsonl"],
  );
  assertEquals(answers.map(({ error }) => error?.code ?? null), [
    ...["invalid_input", "invalid_input", null, "invalid_input"],
  ]);
  for (const answer of [answers[0]!, answers[3]!]) {
    assertStringIncludes(answer.text, "pass its password as the argument password");
  }
  assertStringIncludes(answers[1]!.text, "the password given is wrong");
  const said = scene.read("audit.jsonl") + stderr + JSON.stringify(answers);
  assertEquals(said.includes("not-this-one"), false, said);
  assertEquals(scene.read("audit.jsonl").match(/"password":"\[redacted\]"/g)?.length, 2);
});

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
