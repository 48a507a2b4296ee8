import * as z from "zod";

import type { ToolContext } from "../../../schemas/context.ts";

/** Request to the reader of office files, besides the bytes. */
export const officeRequest = z.object({
  /** What the file seemed to be: any office format, or text of these two forms. */
  kind: z.enum(["office", "csv", "ipynb"]),
  /** Number of the only section to read, from 1. @default all */
  section: z.int().optional(),
  /** Where in the text to begin, in UTF-16 units. */
  startChar: z.int(),
  /** Longest text, in UTF-16 units. */
  maxChars: z.int(),
});

/** What the reader of office files found. */
export const officeReading = z.object({
  format: z.enum(["docx", "xlsx", "pptx", "csv", "ipynb"]),
  /** How many sheets, slides or cells the whole file has; 1 for a file without such parts. */
  sectionCount: z.int(),
  /** The first sections of the text, and where in it they begin. */
  sections: z.array(z.object({ title: z.string(), startChar: z.int() })),
  /** Characters of the whole text, also of what was cut off. */
  totalChars: z.int(),
  content: z.string(),
  /** What was repaired or guessed. */
  notes: z.array(z.string()),
});

/** One of {@linkcode officeRequest}. */
export type OfficeRequest = z.output<typeof officeRequest>;
/** One of {@linkcode officeReading}. */
export type OfficeReading = z.output<typeof officeReading>;

/**
 * Reads an office file, a table or a notebook in a room that holds nothing else.
 *
 * @param options `timeoutMs` is the longest time of the reader, in milliseconds
 * @throws {ToolError} `invalid_input` for files that cannot be read; `limit_exceeded` for too much inside;
 * `timeout`
 */
export async function readOffice(
  bytes: Uint8Array,
  request: OfficeRequest,
  options: { context: ToolContext; timeoutMs: number },
): Promise<OfficeReading> {
  const { context, timeoutMs } = options;
  // The reader may have read hostile bytes: its answer is not trusted.
  const given = officeReading.parse(
    await context.documents.read("office", bytes, { input: request, timeoutMs }),
  );
  return { ...given, content: given.content.slice(0, request.maxChars), notes: given.notes.slice(0, 10) };
}
