import { assertEquals } from "@std/assert";

import { ToolError } from "../../../../../../schemas/error.ts";
import { boundClaimedPages } from "../../../../../../tools/engine/pdf/pdfium/page_claim.ts";

Deno.test("boundClaimedPages() refuses page trees that claim too many pages", () => {
  const kids = `[${"3 0 R ".repeat(1_000)}]`;
  const table = {
    "<< /Type /Pages /Count 1000000 /Kids [3 0 R] >>": "limit_exceeded",
    [`<</Kids ${kids}/Count 100001/Type/Pages>>`]: "limit_exceeded",
    [`<</Type/Pages/Kids ${kids}/Count\n999999999999>>`]: "limit_exceeded",
    "<< /Type /Pages /Count 100000 /Kids [3 0 R] >>": null,
    "<< /Type /Pages /Count -1000000 /Kids [3 0 R] >>": null,
    "<< /Type /Outlines /First 4 0 R /Last 5 0 R /Count 1000000 >>": null,
    "%PDF-1.7 without any": null,
    "/Count": null,
  };
  for (const [text, expected] of Object.entries(table)) {
    assertEquals(codeOf(text), expected, text.slice(0, 60));
  }
});

function codeOf(text: string): string | null {
  try {
    boundClaimedPages(new TextEncoder().encode(text));
    return null;
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
}
