import { basename } from "@std/path";

import type { Location, ToolContext } from "../../../schemas/context.ts";
import { readOffice } from "../../engine/office/reading.ts";
import { readWhole } from "../../engine/file/read_whole.ts";
import { pdfReading } from "../../engine/pdf/reading.ts";
import type { ContentType } from "../../../schemas/first_bytes.ts";
import { EDITOR_MAX_CHARACTERS, type EditorOutput } from "./editor_text.ts";
import { withLead } from "./lead_error.ts";

/** As many UTF-16 units as the shown characters can have, and more, so that the cut is seen. */
const MAX_UNITS = 2 * EDITOR_MAX_CHARACTERS;
const READER_MS = 110_000;

/** The text of a document, as it was read. */
type Document = Omit<Extract<EditorOutput, { kind: "document" }>, "kind" | "path" | "name">;

/** Shows the text of a PDF or office file. */
export async function viewDocument(
  at: Location,
  options: { type: ContentType; format: string; range: readonly number[] | undefined },
  context: ToolContext,
): Promise<EditorOutput> {
  const { type, format, range } = options;
  if (range) context.warn("view_range is ignored: the path is not a text file");
  const read = type === "pdf" ? readPdf : readOfficeText;
  const document = await withLead(`Error reading ${format.toUpperCase()}: `, () => read(at.path, context));
  return { kind: "document", path: at.path, name: basename(at.path), ...document };
}

async function readOfficeText(path: string, context: ToolContext): Promise<Document> {
  const bytes = await readWhole(context, path, "office");
  const request = { kind: "office" as const, startChar: 0, maxChars: MAX_UNITS };
  const reading = await readOffice(bytes, request, { context, timeoutMs: READER_MS });
  for (const note of reading.notes) context.warn(note);
  const { format, totalChars, content } = reading;
  return { format, total_chars: totalChars, content, truncated: content.length < totalChars };
}

async function readPdf(path: string, context: ToolContext): Promise<Document> {
  const bytes = await readWhole(context, path, "pdf");
  const input = { maxChars: MAX_UNITS, maxImages: 0 };
  const reading = pdfReading.parse(
    await context.documents.read("pdf", bytes, { input, timeoutMs: READER_MS }),
  );
  for (const note of reading.notes) context.warn(note);
  return { format: "pdf", total_chars: null, content: reading.text, truncated: reading.truncated };
}
