import { firstCharacters } from "../../file/characters.ts";
import { Buffer } from "node:buffer";

import type { ToolContext } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { type ImageReading, imageReading } from "../../image/reading.ts";
import { readOffice } from "../../office/reading.ts";
import { pdfReading } from "../../pdf/reading.ts";
import { type PageReading, type PageWay, readPageApart } from "../page/reading.ts";
import { kindOf, type WebKind } from "./kind_of.ts";

/** What a server gave, as text. */
export interface WebText extends Omit<PageReading, "way" | "charset"> {
  kind: Exclude<WebKind, "other">;
  /** How the text was found; `document` for PDF and office files, `picture` for images. */
  way: PageWay | "document" | "picture";
  /** A picture for the model to see, if the server gave one. */
  picture: { mimeType: string; bytes: Uint8Array } | null;
}

/** The answer of a server, or what was kept of it. */
export interface WebContent {
  bytes: Uint8Array;
  /** The header, `""` if there was none. */
  contentType: string;
  /** Where it came from, after redirects. */
  url: string;
}

/** Longest time of the readers of documents, in milliseconds. */
const DOCUMENT_MS = 55_000;
/** What the call keeps for itself after its reader, in milliseconds, but no more than a third of what is left. */
const MARGIN_MS = 1_000;
const PICTURE = { maxEdge: 1568, maxBytes: 512 * 1024, quality: 85 };
const NO_FACTS = { title: null, author: null, date: null, language: null, site: null };

/**
 * Reads what a server gave with the reader that knows it, each in a room that holds nothing else.
 *
 * @param options `want`: of an HTML page the part that a reader wants, or all that it shows; `maxChars`: longest text,
 * in UTF-16 units
 * @throws {ToolError} `invalid_input` for what is no text, and for damaged files; `timeout`; `limit_exceeded`
 */
export async function readContent(
  content: WebContent,
  options: { want: "article" | "page"; maxChars: number },
  context: ToolContext,
): Promise<WebText> {
  const { bytes, contentType, url } = content;
  const { maxChars, want } = options;
  const kind = kindOf(bytes, contentType, url);
  const left = Math.max(1, context.deadline - Date.now());
  const timeoutMs = Math.ceil(Math.min(DOCUMENT_MS, left - Math.min(MARGIN_MS, left / 3)));
  switch (kind) {
    case "pdf":
      return await readPdf(bytes, { maxChars, timeoutMs }, context);
    case "office": {
      const request = { kind: "office" as const, startChar: 0, maxChars };
      const { content, totalChars, notes } = await readOffice(bytes, request, { context, timeoutMs });
      return { ...NO_FACTS, kind, way: "document", picture: null, text: content, totalChars, notes };
    }
    case "image":
      return await readPicture(bytes, { timeoutMs }, context);
    case "other":
      throw new ToolError("invalid_input", noText(content), { details: { url, content_type: contentType } });
    default: {
      const request = { url, contentType: contentType.slice(0, 1000), kind, want, maxChars };
      const { charset: _, ...reading } = await readPageApart(bytes, request, { context, timeoutMs });
      return { ...reading, kind, picture: null };
    }
  }
}

/**
 * Says in a sentence how the text was found where it may not be what the reader of it expects; `null` for articles.
 *
 * @param whole How to read the whole page, such as `Pass want="page" for all of it.`
 */
export function wayNote(way: WebText["way"], whole: string): string | null {
  if (way === "main") {
    return `No article was found: this is the part that the page names as its content. ${whole}`.trim();
  }
  if (way === "body") {
    return `No article was found: this is the page without what stands around its content. ${whole}`.trim();
  }
  return null;
}

async function readPdf(
  bytes: Uint8Array,
  { maxChars, timeoutMs }: { maxChars: number; timeoutMs: number },
  context: ToolContext,
): Promise<WebText> {
  const input = { maxChars, maxImages: 0 };
  // The reader may have read hostile bytes: its answer is not trusted.
  const read = pdfReading.parse(await context.documents.read("pdf", bytes, { input, timeoutMs }));
  const fact = (name: string) => read.metadata[name]?.trim().slice(0, 500) || null;
  const text = firstCharacters(read.text, maxChars);
  return {
    ...NO_FACTS,
    title: fact("Title") ?? fact("title"),
    author: fact("Author") ?? fact("author"),
    kind: "pdf",
    way: "document",
    picture: null,
    text,
    totalChars: text.length,
    notes: [
      ...read.notes.slice(0, 8).map((note) => note.slice(0, 1000)),
      ...(read.truncated ? [`The text was cut after ${maxChars} characters`] : []),
    ],
  };
}

async function readPicture(
  bytes: Uint8Array,
  { timeoutMs }: { timeoutMs: number },
  context: ToolContext,
): Promise<WebText> {
  const read: ImageReading = imageReading.parse(
    await context.documents.read("image", bytes, { input: PICTURE, timeoutMs }),
  );
  const text = `An image: ${read.format}, ${read.width} x ${read.height} pixels, ${bytes.length} bytes.`;
  const picture = {
    mimeType: `image/${read.attachment.format.toLowerCase()}`,
    bytes: new Uint8Array(Buffer.from(read.attachment.bytes, "base64")),
  };
  return {
    ...NO_FACTS,
    kind: "image",
    way: "picture",
    picture,
    text,
    totalChars: text.length,
    notes: read.warnings.slice(0, 10),
  };
}

function noText({ bytes, contentType, url }: WebContent): string {
  const named = contentType === ""
    ? "without a type"
    : `of the type ${JSON.stringify(contentType.slice(0, 100))}`;
  return `${
    url.slice(0, 500)
  } gave ${bytes.length} bytes ${named}: they are no text, and no reader knows them. ` +
    "Download the file with a program instead";
}
