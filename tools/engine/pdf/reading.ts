import * as z from "zod";

/** Request to the reader of PDF files, besides the bytes. */
export const pdfRequest = z.object({
  password: z.string().optional(),
  /** Which pages, like "1-3,7". @default all */
  pages: z.string().optional(),
  /** Which pages to draw. @default none */
  renderPages: z.string().optional(),
  /** Longest text, in code points. */
  maxChars: z.int(),
  /** How many embedded images to write. */
  maxImages: z.int(),
});

/** What the reader of PDF files found. */
export const pdfReading = z.object({
  pageCount: z.int(),
  /** How many pages were read. */
  pagesRead: z.int(),
  /** Lines of the text of all pages that were read, also of what was cut off. */
  totalLines: z.int(),
  truncated: z.boolean(),
  metadata: z.record(z.string(), z.string()),
  pagesWithoutText: z.array(z.int()),
  imageCount: z.int(),
  imagePaths: z.array(z.string()),
  renderedPages: z.array(z.object({ page: z.int(), path: z.string() })),
  /** What was left out and why. */
  notes: z.array(z.string()),
  text: z.string(),
});

/** One of {@linkcode pdfRequest}. */
export type PdfRequest = z.output<typeof pdfRequest>;
/** One of {@linkcode pdfReading}. */
export type PdfReading = z.output<typeof pdfReading>;
