/** A line of text on a page, in points from the lower left corner. */
export interface PdfLine {
  x: number;
  y: number;
  text: string;
  /** @default 10 */
  size?: number;
}

/** Parts of {@linkcode makePdf}. */
export interface MakePdfOptions {
  /** Entries of the information dictionary, such as `/Title (Report)`. @default none */
  info?: string;
  /** Further objects; the first is number 4. @default none */
  objects?: readonly PdfObject[];
  /** Further resources of all pages, such as `/XObject << /Im1 4 0 R >>`. @default none */
  resources?: string;
  /** Compresses the pages, as zlib does. @default they stay as they are */
  filter?: (content: string) => Uint8Array;
}

/** The dictionary of an object without its length, and its stream if it has one. */
export type PdfObject = readonly [dictionary: string, stream?: Uint8Array | string];

/** Makes a PDF by hand: a page for each content stream, all with Helvetica as `/F1`. */
export function makePdf(pages: readonly string[], options: MakePdfOptions = {}): Uint8Array<ArrayBuffer> {
  const { info = "", objects = [], resources = "", filter } = options;
  const firstPage = 4 + objects.length;
  const kids = pages.map((_, index) => `${firstPage + index * 2} 0 R`).join(" ");
  const all: PdfObject[] = [
    ["<< /Type /Catalog /Pages 2 0 R >>"],
    [`<< /Type /Pages /Count ${pages.length} /Kids [${kids}] /MediaBox [0 0 595 842] >>`],
    ["<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"],
    ...objects,
    ...pages.flatMap((content, index): PdfObject[] => [
      [
        `<< /Type /Page /Parent 2 0 R /Contents ${firstPage + index * 2 + 1} 0 R ` +
        `/Resources << /Font << /F1 3 0 R >> ${resources} >> >>`,
      ],
      filter ? ["<< /Filter /FlateDecode >>", filter(content)] : ["<< >>", content],
    ]),
    [`<< ${info} >>`],
  ];
  return writePdf(all);
}

/** Writes objects, numbered from 1, with their cross-reference table: the first is the catalogue, the last the information. */
export function writePdf(objects: readonly PdfObject[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [latin1("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")];
  let at = parts[0]!.length;
  const push = (part: Uint8Array) => {
    parts.push(part);
    at += part.length;
  };
  const offsets = objects.map(([dictionary, stream], index) => {
    const offset = at;
    const bytes = typeof stream === "string" ? latin1(stream) : stream;
    const head = bytes ? dictionary.replace(/>>$/, `/Length ${bytes.length} >>`) : dictionary;
    push(latin1(`${index + 1} 0 obj\n${head}\n`));
    if (bytes) [latin1("stream\n"), bytes, latin1("\nendstream\n")].forEach(push);
    push(latin1("endobj\n"));
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  parts.push(latin1(
    `xref\n0 ${size}\n0000000000 65535 f \n${rows}` +
      `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${at}\n%%EOF\n`,
  ));
  const file = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let to = 0;
  for (const part of parts) {
    file.set(part, to);
    to += part.length;
  }
  return file;
}

/** Returns a content stream that shows lines in the order given. */
export function showLines(lines: readonly PdfLine[]): string {
  const escaped = (text: string) => text.replace(/[\\()]/g, "\\$&");
  return lines.map(({ x, y, text, size = 10 }) =>
    `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${escaped(text)}) Tj ET`
  )
    .join("\n");
}

function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}
