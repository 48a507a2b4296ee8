import { strToU8, zipSync } from "fflate";

const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const SHEET = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${RELATIONSHIPS}"`;
const SLIDE = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  `xmlns:r="${RELATIONSHIPS}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`;

export type Parts = Record<string, string | Uint8Array>;

export function zip(parts: Parts): Uint8Array {
  const entries = Object.entries(parts).map(([name, part]) =>
    [name, typeof part === "string" ? strToU8(part) : part] as const
  );
  return zipSync(Object.fromEntries(entries));
}

/** Makes a part of links: `{ id: "type target" }`. */
export function links(targets: Record<string, string>): string {
  const items = Object.entries(targets).map(([id, link]) => {
    const [type, target = ""] = link.split(" ");
    const mode = /^(https?|mailto|file):/.test(target) ? ' TargetMode="External"' : "";
    return `<Relationship Id="${id}" Type="${RELATIONSHIPS}/${type}" Target="${target}"${mode}/>`;
  });
  return `<?xml version="1.0"?><Relationships>${items.join("")}</Relationships>`;
}

/** Makes a Word document of the XML in its body and further parts: `styles.xml`, `numbering.xml`, … */
export function docx(body: string, parts: Parts = {}): Uint8Array {
  const further = Object.entries(parts).map(([name, part]) => [`word/${name}`, part]);
  const types = Object.keys(parts).filter((name) => /^\w+\.xml$/.test(name)).map((name) =>
    [name.slice(0, -4), `${name.slice(0, -4)} ${name}`] as const
  );
  return zip({
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": links({ r1: "officeDocument word/document.xml" }),
    "word/document.xml":
      `<?xml version="1.0" encoding="UTF-8"?><w:document ${WORD}><w:body>${body}</w:body></w:document>`,
    "word/_rels/document.xml.rels": links(Object.fromEntries(types)),
    ...Object.fromEntries(further),
  });
}

export function paragraph(text: string, properties = ""): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** Makes a workbook of sheets by their names: the XML of the rows, a `!` at the start of a name hides it. */
export function xlsx(
  sheets: Record<string, string>,
  { strings = "", styles = "", settings = "" }: { strings?: string; styles?: string; settings?: string } = {},
): Uint8Array {
  const names = Object.keys(sheets);
  // The parts are numbered the other way round, so that only the workbook tells the order.
  const number = (index: number) => names.length - index;
  const items = names.map((name, index) =>
    `<sheet name="${name.replace(/^!/, "")}" sheetId="${index + 1}" r:id="r${number(index)}"` +
    `${name.startsWith("!") ? ' state="hidden"' : ""}/>`
  );
  const pages = names.map((_, index) => `worksheets/sheet${number(index)}.xml`);
  const targets = names.map((_, index) => [`r${number(index)}`, `worksheet ${pages[index]}`]);
  const rows = names.map((name, index) => [
    `xl/${pages[index]}`,
    `<worksheet ${SHEET}><sheetData>${sheets[name]}</sheetData></worksheet>`,
  ]);
  return zip({
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": links({ r1: "officeDocument xl/workbook.xml" }),
    "xl/workbook.xml": `<workbook ${SHEET}>${settings}<sheets>${items.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": links({
      ...Object.fromEntries(targets),
      strings: "sharedStrings /xl/sharedStrings.xml",
      styles: "styles styles.xml",
    }),
    "xl/sharedStrings.xml": `<sst ${SHEET}>${strings}</sst>`,
    "xl/styles.xml": `<styleSheet ${SHEET}>${styles}</styleSheet>`,
    ...Object.fromEntries(rows),
  });
}

/** Returns the XML of a shape on a slide, one paragraph for each text. */
export function shape(texts: string[], purpose = ""): string {
  const placeholder = purpose === "" ? "" : `<p:ph type="${purpose}"/>`;
  const paragraphs = texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join("");
  return `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
}

/** Makes a presentation of slides in the order in which they are shown; their parts are numbered backwards. */
export function pptx(slides: { shapes: string; notes?: string; hidden?: boolean }[]): Uint8Array {
  const parts: Parts = {};
  const targets: Record<string, string> = {};
  const ids = slides.map(({ shapes, notes, hidden }, index) => {
    const number = slides.length - index;
    const show = hidden ? ' show="0"' : "";
    targets[`r${number}`] = `slide slides/slide${number}.xml`;
    parts[`ppt/slides/slide${number}.xml`] =
      `<p:sld ${SLIDE}${show}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
    if (notes !== undefined) {
      const link = `notesSlide ../notesSlides/notes${number}.xml`;
      parts[`ppt/slides/_rels/slide${number}.xml.rels`] = links({ n: link });
      const shapes = shape([notes], "body") + shape(["7"], "sldNum");
      parts[`ppt/notesSlides/notes${number}.xml`] =
        `<p:notes ${SLIDE}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:notes>`;
    }
    return `<p:sldId id="${256 + index}" r:id="r${number}"/>`;
  });
  return zip({
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": links({ r1: "officeDocument ppt/presentation.xml" }),
    "ppt/presentation.xml": `<p:presentation ${SLIDE}><p:sldIdLst>${
      ids.join("")
    }</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": links(targets),
    ...parts,
  });
}
