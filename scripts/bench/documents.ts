import { basename, join } from "@std/path";
import { deflateSync } from "node:zlib";

import { makePdf, showLines } from "./make_pdf.ts";
import { median, OpenBatch, timeCommand, treeMemory } from "./measure.ts";
import type { Ratio } from "./report.ts";

const RUNS = 5;
const LINES_A_PAGE = 48;
const WORDS =
  "the reader takes one page after the other and finds (some) words, numbers and names in each line".split(
    " ",
  );

/** What reading PDFs cost. */
export interface DocumentsBench {
  ratios: Ratio[];
  /** Memory of the program after it has read the long file, in MB. */
  memory: number;
}

/**
 * Measures the whole text of PDFs in a running batch against `pdftotext` on the same file.
 *
 * @param options.folder Where the batch runs
 * @param options.files PDF files; if the list is empty, a long and a medium one are made
 * @returns `null` where pdftotext is not installed
 */
export async function benchDocuments(
  label: string,
  argv: readonly string[],
  { folder, files }: { folder: string; files: readonly string[] },
): Promise<DocumentsBench | null> {
  if (!await hasPdftotext()) return null;
  const ratios: Ratio[] = [];
  let memory = 0;
  for (const path of files.length > 0 ? files : makeManuals(folder)) {
    const peerMs = await median(RUNS, async () => (await timeCommand(["pdftotext", path, "-"])).ms);
    const batch = new OpenBatch(argv, folder, [`--allow-read=${path}`]);
    const { page_count } = (await batch.call("ReadPDF", { path, max_chars: 1 })).result;
    let maxChars = 10_000_000;
    // Each run asks for a little more: the cache would answer the same question.
    const ms = await median(
      RUNS,
      async () => (await batch.call("ReadPDF", { path, max_chars: maxChars++ })).ms,
    );
    memory = Math.max(memory, await treeMemory(batch.pid));
    await batch.close();
    const name = `${label} ReadPDF ${basename(path)}, ${page_count} pages`;
    ratios.push({ name, ms, peer: "pdftotext", peerMs, bound: Number(page_count) > 1_000 ? 1 : 1.5 });
  }
  return { ratios, memory };
}

async function hasPdftotext(): Promise<boolean> {
  try {
    await timeCommand(["pdftotext", "-v"]);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function makeManuals(folder: string): string[] {
  return [1_200, 300].map((pages) => {
    const path = join(folder, `made-${pages}.pdf`);
    Deno.writeFileSync(path, makeManual(pages));
    return path;
  });
}

/** Makes a manual: a heading, typeset text, a table, and the page's number at its foot. */
function makeManual(pages: number): Uint8Array {
  const contents = Array.from({ length: pages }, (_, page) => {
    const lines = Array.from({ length: LINES_A_PAGE }, (_, line) => typeset(page, line));
    const cells = ["Name", "Count", `${page}`].map((text, column) => ({ x: 60 + column * 150, y: 70, text }));
    const foot = { x: 300, y: 30, text: `${page + 1}` };
    const head = { x: 60, y: 800, text: `Chapter ${page + 1}`, size: 14 };
    return [showLines([head]), ...lines, showLines([...cells, foot])].join("\n");
  });
  return makePdf(contents, { filter: (content) => deflateSync(content) });
}

/** A line as TeX, and so most manuals, set it: steps instead of blanks between words, and kerned letters. */
function typeset(page: number, line: number): string {
  const words = sentence(page, line).split(" ").map((word) =>
    word.replace(/[()]/g, "\\$&").replace(/^(\w{2})(\w{3,})$/, "$1)28($2")
  );
  return `BT /F1 10 Tf 60 ${770 - line * 14} Td [(${words.join(")-333(")})]TJ ET`;
}

function sentence(page: number, line: number): string {
  return Array.from({ length: 14 }, (_, word) => WORDS[(page * 7 + line * 3 + word * 5) % WORDS.length]).join(
    " ",
  );
}
