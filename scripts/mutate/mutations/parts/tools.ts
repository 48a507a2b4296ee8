import type { Mutation } from "../../mutation.ts";

/** Of the tools. */
export const TOOLS: readonly Mutation[] = [
  {
    id: "tools-pdf-bomb",
    file: "tools/engine/pdf/pdfjs/bounded.ts",
    find: "const MAX_BYTES = 128 * 1024 * 1024;",
    replace: "const MAX_BYTES = 12_800 * 1024 * 1024;",
    promise: "a PDF that inflates without end is refused",
    caughtBy: ["tests/unit/tools/harness/read_pdf_second_reader_test.ts"],
  },
  {
    id: "tools-source-moves",
    file: "tools/engine/web/sources/source_book.ts",
    find: "      return known;\n    }",
    replace: "      this.#sources.splice(this.#sources.indexOf(known), 1);\n    }",
    promise: "a page keeps its number in all searches of a session",
    caughtBy: ["tests/unit/tools/sgr/web_test.ts"],
  },
];
