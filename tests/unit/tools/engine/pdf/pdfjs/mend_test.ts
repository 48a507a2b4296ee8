import { assertEquals } from "@std/assert";

import { mendEnd } from "../../../../../../tools/engine/pdf/pdfjs/mend.ts";

const CATALOG = "1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n";
const PAGES = "2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n";
const PAGE = "3 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n";
const ENCRYPTION = "4 0 obj\n<< /Filter /Standard /V 2 >>\nendobj\n";

/** Returns what was added. */
function addedTo(text: string): string | null {
  const mended = mendEnd(new TextEncoder().encode(text));
  return mended && new TextDecoder().decode(mended).slice(text.length);
}

Deno.test("mendEnd() names the catalogue", () => {
  const end = "\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n";
  assertEquals(addedTo(CATALOG + PAGES + PAGE), end);
});

Deno.test("mendEnd() makes a catalogue where it or its pages are lost", () => {
  const end = "\nendstream\nendobj\n4 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n" +
    "5 0 obj\n<< /Type /Catalog /Pages 4 0 R >>\nendobj\n" +
    "trailer\n<< /Root 5 0 R >>\nstartxref\n0\n%%EOF\n";
  assertEquals([PAGE, PAGES + PAGE, CATALOG + PAGE].map(addedTo), [end, end, end]);
});

Deno.test("mendEnd() mends nothing without pages, or what is encrypted", () => {
  assertEquals(["", "1 0 obj\n<< /Type /Font >>", CATALOG + PAGES + PAGE + ENCRYPTION].map(addedTo), [
    ...[null, null, null],
  ]);
});
