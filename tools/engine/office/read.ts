import { ToolError } from "../../../schemas/error.ts";
import { readCsv } from "./sheet/csv.ts";
import { decodeText } from "../file/decode_text.ts";
import { readNotebook } from "./notebook.ts";
import { readDocx } from "./word/docx.ts";
import { refuseOldFormat } from "./old.ts";
import { countLeftOut } from "./text/left_out.ts";
import { openOfficePackage } from "./package/package.ts";
import { readPptx } from "./slides/pptx.ts";
import type { OfficeReading, OfficeRequest } from "./reading.ts";
import { createTextBudget, type Section } from "./text/text.ts";
import { readXlsx } from "./sheet/xlsx.ts";

const READERS = { docx: readDocx, xlsx: readXlsx, pptx: readPptx };
const MAX_LISTED = 200;
const MAX_TITLE = 200;

/**
 * Reads an office file, a table or a notebook as text.
 *
 * @throws {ToolError} `invalid_input` for files that cannot be read, `limit_exceeded` for too much inside
 */
export async function readOfficeText(
  bytes: Uint8Array,
  request: OfficeRequest,
  options: { signal: AbortSignal },
): Promise<OfficeReading> {
  const { format, sections, notes } = await readSections(bytes, request.kind, options);
  const chosen = chooseSections(sections, request.section);
  const { text, starts } = joinSections(chosen);
  return {
    format,
    sectionCount: sections.length,
    sections: chosen.slice(0, MAX_LISTED).map(({ title }, index) => ({
      title,
      startChar: starts[index] ?? 0,
    })),
    totalChars: text.length,
    content: sliceText(text, request),
    notes,
  };
}

interface Sections {
  format: OfficeReading["format"];
  sections: Section[];
  notes: string[];
}

async function readSections(
  bytes: Uint8Array,
  kind: OfficeRequest["kind"],
  options: { signal: AbortSignal },
): Promise<Sections> {
  const budget = createTextBudget();
  if (kind !== "office") {
    const { text, notes } = decodeText(bytes);
    const sections = kind === "csv" ? readCsv(text, budget) : readNotebook(text, budget);
    return { format: kind, sections, notes };
  }
  refuseOther(bytes);
  const file = await openOfficePackage(bytes, options);
  const leftOut = countLeftOut();
  const sections = await READERS[file.format](file, { budget, leftOut });
  return { format: file.format, sections, notes: leftOut.notes() };
}

function refuseOther(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new ToolError("invalid_input", "The file is empty");
  refuseOldFormat(bytes);
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return;
  throw new ToolError(
    "invalid_input",
    "The file is not a docx, xlsx or pptx: it does not begin as a zip archive",
  );
}

function chooseSections(sections: readonly Section[], section: number | undefined): readonly Section[] {
  const titled = sections.map(({ title, text }) => ({
    title: title.replace(/\s+/g, " ").slice(0, MAX_TITLE),
    text,
  }));
  if (section === undefined) return titled;
  const chosen = titled[section - 1];
  if (chosen) return [chosen];
  throw new ToolError("invalid_input", `section ${section} does not exist: the file has ${sections.length}`, {
    details: { section, section_count: sections.length },
  });
}

function joinSections(sections: readonly Section[]): { text: string; starts: number[] } {
  const starts: number[] = [];
  const pieces: string[] = [];
  let length = 0;
  for (const { title, text } of sections) {
    const heading = title === "" ? "" : `## ${title}`;
    const piece = [heading, text].filter((part) => part !== "").join("\n\n");
    const lead = pieces.length === 0 ? "" : "\n\n";
    starts.push(length + lead.length);
    pieces.push(lead, piece);
    length += lead.length + piece.length;
  }
  return { text: pieces.join(""), starts };
}

/** Cuts a text, but never inside a character of two units. */
function sliceText(text: string, { startChar, maxChars }: OfficeRequest): string {
  const end = startChar + maxChars;
  const splits = end < text.length && maxChars > 1 && /[\ud800-\udbff]/.test(text[end - 1] ?? "");
  return text.slice(startChar, splits ? end - 1 : end);
}
