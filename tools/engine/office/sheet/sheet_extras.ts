import { readDrawing, readLinked } from "../drawing/drawing.ts";
import { columnName } from "./grid.ts";
import { addressesById } from "../text/links.ts";
import { type OfficePackage, type Relationship, targetsById } from "../package/package.ts";
import { cellText, type Reading } from "../text/text.ts";
import { prefixedAttribute, type XmlAttributes, type XmlHandler } from "../package/xml.ts";

/** Listens to a sheet for what stands in no cell. */
export interface SheetListener extends Required<XmlHandler> {
  /** Returns comments, drawings, charts, headers and footers, as text behind the cells. */
  texts(): Promise<string[]>;
}

/** Reads the addresses of a sheet's links, by the positions of their cells. They stand behind the cells. */
export async function readCellAddresses(
  file: OfficePackage,
  part: string,
): Promise<ReadonlyMap<string, string>> {
  const byId = addressesById(await file.relationships(part));
  const addresses = new Map<string, string>();
  if (byId.size === 0) return addresses;
  await file.read(part, {
    open(name, attributes) {
      if (name !== "hyperlink") return;
      const address = byId.get(prefixedAttribute(attributes, "id") ?? "");
      if (address !== undefined) addresses.set((attributes.ref ?? "").split(":")[0] ?? "", address);
    },
  });
  return addresses;
}

const MARGINS: Readonly<Record<string, string>> = {
  oddHeader: "Header",
  evenHeader: "Header",
  firstHeader: "Header",
  oddFooter: "Footer",
  evenFooter: "Footer",
  firstFooter: "Footer",
};

/** Makes the listener of one sheet. */
export async function listenToSheet(
  file: OfficePackage,
  part: string,
  reading: Reading & { people: ReadonlyMap<string, string> },
): Promise<SheetListener> {
  const links = await file.relationships(part);
  const targets = targetsById(links);
  const drawings: string[] = [];
  const margins = new Set<string>();
  const rows: string[] = [];
  const columns: string[] = [];
  let margin: string | null = null;
  return {
    open(name, attributes) {
      if (name === "drawing") {
        const target = targets.get(prefixedAttribute(attributes, "id") ?? "")?.target;
        if (target !== undefined && file.has(target)) drawings.push(target);
      } else if (name === "row" || name === "col") {
        if (!["1", "true"].includes(attributes.hidden ?? "")) return;
        if (name === "row") rows.push(attributes.r ?? "?");
        else columns.push(columnRange(attributes));
      } else if (MARGINS[name] !== undefined) margin = "";
    },
    close(name) {
      if (margin === null || MARGINS[name] === undefined) return;
      const text = cellText(withoutCodes(margin));
      if (text !== "") margins.add(`${MARGINS[name]}: ${text}`);
      margin = null;
    },
    text(piece) {
      if (margin !== null) margin += piece;
    },
    async texts() {
      const texts = [...hiddenText(rows, columns), ...await readComments(file, links, reading)];
      for (const drawing of drawings) texts.push(...await readDrawing(file, drawing, reading));
      return [...texts, ...await readLinked(file, links, reading), ...margins];
    },
  };
}

function columnRange({ min = "1", max = min }: XmlAttributes): string {
  const [first, last] = [min, max].map((number) => columnName(Math.min(Number(number) || 1, 16_384) - 1));
  return first === last ? `${first}` : `${first}-${last}`;
}

const MOST_LISTED = 20;

function hiddenText(rows: readonly string[], columns: readonly string[]): string[] {
  const listed = (what: string, numbers: readonly string[]) => {
    if (numbers.length === 0) return [];
    const more = numbers.length - MOST_LISTED;
    return [
      `Hidden ${what}: ${numbers.slice(0, MOST_LISTED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
    ];
  };
  return [...listed("rows", rows), ...listed("columns", columns)];
}

/** Removes fonts, sizes and colours, and the fields of page numbers and dates. */
function withoutCodes(text: string): string {
  return text.replace(
    /&&|&"[^"]*"|&K[0-9A-F]{6}|&K\d\d[+-]\d{3}|&\d{1,3}|&[A-Z]/gi,
    (code) => code === "&&" ? "&" : " ",
  );
}

interface Comment {
  at: string;
  author: string;
  text: string;
}

/** Threads stand twice, for old programs: those of new ones count. */
async function readComments(
  file: OfficePackage,
  links: readonly Relationship[],
  { budget, people }: Reading & { people: ReadonlyMap<string, string> },
): Promise<string[]> {
  const found: Comment[] = [];
  for (const { type, target } of links) {
    if (type !== "comments" && type !== "threadedComment" || !file.has(target)) continue;
    found.push(...await readCommentPart(file, target, people));
  }
  const threads = new Set(found.filter(({ author }) => !author.startsWith(THREAD)).map(({ at }) => at));
  const lines = found.filter(({ author, at }) => !(author.startsWith(THREAD) && threads.has(at)))
    .map(({ at, author, text }) => `${at}: ${author === "" ? "" : `${author}: `}${cellText(text)}`);
  for (const line of lines) budget.spend(line.length);
  return lines.length === 0 ? [] : [`Comments:\n${lines.join("\n")}`];
}

/** How the author of a comment begins that stands for a thread. */
const THREAD = "tc=";

async function readCommentPart(
  file: OfficePackage,
  part: string,
  people: ReadonlyMap<string, string>,
): Promise<Comment[]> {
  const authors: string[] = [];
  const comments: Comment[] = [];
  let target: "author" | "text" | null = null;
  await file.read(part, {
    open(name, attributes) {
      if (name === "author") {
        authors.push("");
        target = "author";
      }
      if (name === "comment" || name === "threadedComment") {
        const author = people.get(attributes.personId ?? "") ?? authors[Number(attributes.authorId)] ?? "";
        comments.push({ at: attributes.ref ?? "", author, text: "" });
      }
      if (name === "t" || (name === "text" && part.includes("threaded"))) target = "text";
      if (name === "rPh") target = null;
    },
    close(name) {
      if (["author", "t", "text"].includes(name)) target = null;
    },
    text(piece) {
      const last = comments.at(-1);
      if (target === "author") authors[authors.length - 1] += piece;
      if (target === "text" && last) last.text += piece;
    },
  });
  return comments;
}
