// Readers of foreign texts need time for their length alone. One that goes back to the start for each piece needs hours.
import { assert } from "@std/assert";

import { mendEnd } from "../../../tools/engine/pdf/pdfjs/mend.ts";
import { citedNumbers, uncitedFigures } from "../../../tools/engine/web/sources/citations.ts";
import { search } from "../../support/web/search_scene.ts";

const LIMIT_MS = 60_000;

async function inTime(what: string, work: () => unknown): Promise<void> {
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  assert(ms < LIMIT_MS, `${what}: ${ms} ms`);
}

Deno.test("what looks like the objects of a PDF", async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  for (const text of ["1 ", "1 0 ", "1 0 obj", " 1 \n\n\n\n 0 ", "/Type /Page "]) {
    await inTime(text, () => mendEnd(bytes(text.repeat(500_000))));
  }
  await inTime("spaces", () => mendEnd(bytes(`1${" ".repeat(2_000_000)}0${" ".repeat(2_000_000)}`)));
});

Deno.test("pages of a search service", async () => {
  const deep = `${"<div>".repeat(100_000)}<a class="result-link" href="https://a.example/">x</a>`;
  const wide = `<a class="result-link" href="https://a.example/">x</a>`.repeat(50_000);
  for (const body of [deep, wide, "<".repeat(1_000_000), "<table>".repeat(200_000)]) {
    await inTime(body.slice(0, 20), () => search({ engines: ["duckduckgo_lite"], keys: [] }, { body }));
  }
});

Deno.test("texts with citations", async () => {
  for (const text of ["\n", " ", "\r", "[1", "[1-", "```", "~~~\n", "> ", "\t>", "1. ", "`", "[1]-"]) {
    const long = text.repeat(100_000);
    await inTime(JSON.stringify(text), () => [uncitedFigures(long), citedNumbers(long)]);
  }
});
