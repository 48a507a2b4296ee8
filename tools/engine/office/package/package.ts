import { basename, dirname, join, relative } from "@std/path";

import { ToolError } from "../../../../schemas/error.ts";
import { type OfficeZip, openOfficeZip } from "./zip.ts";
import { localAttribute, readXml, type XmlHandler } from "./xml.ts";

/** A link from one part of an office file to another. */
export interface Relationship {
  id: string;
  /** Last word of its type, such as "slide" or "sharedStrings". */
  type: string;
  /** Name of the part, or an address outside the file. */
  target: string;
  external: boolean;
}

/** An opened docx, xlsx or pptx. */
export interface OfficePackage {
  format: "docx" | "xlsx" | "pptx";
  /** The part that everything starts from. */
  main: string;
  has(part: string): boolean;
  /** Reads a part. Throws `ToolError` as {@linkcode readXml} and {@linkcode OfficeZip} do. */
  read(part: string, handler: XmlHandler): Promise<void>;
  /** Returns what a part links to, inside the file and outside. */
  relationships(part: string): Promise<Relationship[]>;
}

const FORMATS: Readonly<Record<string, OfficePackage["format"]>> = {
  word: "docx",
  xl: "xlsx",
  ppt: "pptx",
};
const MAIN_PARTS: readonly string[] = ["word/document.xml", "xl/workbook.xml", "ppt/presentation.xml"];
/** Other formats that are zip archives too, by a part that each has. */
const OTHERS: readonly (readonly [part: RegExp, message: string])[] = [
  [/^xl\/workbook\.bin$/i, "Binary Excel files (.xlsb) are not supported: save it as .xlsx"],
  [/^content\.xml$/i, "OpenDocument files are not supported: save it as .docx, .xlsx or .pptx"],
  [
    /^META-INF\/container\.xml$/i,
    "EPUB files are not supported: unpack it with unzip in Bash and read its parts",
  ],
  [
    /^Index\/.*\.iwa$|^Index\.zip$/i,
    "Apple iWork files are not supported: export it as .docx, .xlsx or .pptx",
  ],
];
const ARCHIVE = /\.(zip|7z|rar|tar|t?gz|bz2|xz|zst)$/i;

/**
 * Opens an office file and tells its format by its parts.
 *
 * @throws {ToolError} `invalid_input` for other archives; `limit_exceeded` for archives of archives and as
 * {@linkcode openOfficeZip} says
 */
export async function openOfficePackage(
  bytes: Uint8Array,
  options: { signal: AbortSignal },
): Promise<OfficePackage> {
  const zip = openOfficeZip(bytes);
  const read = (part: string, handler: XmlHandler) => readXml(zip.read(part, options), handler, { part });
  const relationships = (part: string) => readRelationships(zip, part, read);
  const linked = (await relationships("")).find(({ type }) => type === "officeDocument")?.target;
  const main = linked !== undefined && zip.has(linked) ? linked : MAIN_PARTS.find((part) => zip.has(part));
  const format = main === undefined || !/\.xml$/i.test(main) ? undefined : await formatOf(main, read);
  if (main === undefined || format === undefined) throw notOffice(zip.names);
  return { format, main, has: zip.has, read, relationships };
}

async function readRelationships(
  zip: OfficeZip,
  part: string,
  read: OfficePackage["read"],
): Promise<Relationship[]> {
  const folder = dirname(part);
  const name = join(folder, "_rels", `${basename(part)}.rels`);
  const found: Relationship[] = [];
  if (!zip.has(name)) return found;
  await read(name, {
    open(element, attributes) {
      if (element !== "Relationship") return;
      const { Id: id = "", Target: given = "", Type = "" } = attributes;
      const external = attributes.TargetMode === "External";
      const target = external ? given : join("/", folder, decodeTarget(given, folder)).slice(1);
      found.push({ id, type: Type.split("/").at(-1) ?? "", target, external });
    },
  });
  return found;
}

/** Returns a link as a path from the folder of the part that holds it. */
function decodeTarget(target: string, folder: string): string {
  const path = /%[0-9a-f]{2}/i.test(target) ? unescapeTarget(target) : target;
  return path.startsWith("/") ? relative(join("/", folder), path) : path;
}

function unescapeTarget(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch (error) {
    if (error instanceof URIError) return target;
    throw error;
  }
}

/** The root element of the main part tells the format; its path does not. */
async function formatOf(
  main: string,
  read: OfficePackage["read"],
): Promise<OfficePackage["format"] | undefined> {
  const byFolder = FORMATS[main.split("/")[0] ?? ""];
  if (byFolder !== undefined) return byFolder;
  let root: string | undefined;
  await read(main, { open: (name) => void (root ??= name) });
  if (root === "document") return "docx";
  if (root === "workbook") return "xlsx";
  return root === "presentation" ? "pptx" : undefined;
}

function notOffice(names: readonly string[]): ToolError {
  const other = OTHERS.find(([part]) => names.some((name) => part.test(name)));
  if (other) return new ToolError("invalid_input", other[1]);
  if (names.some((name) => ARCHIVE.test(name))) {
    return new ToolError("limit_exceeded", "The archive is not opened: it holds other archives");
  }
  return new ToolError(
    "invalid_input",
    "The file is a zip archive, not a docx, xlsx or pptx: list and unpack it with unzip in Bash",
  );
}

/** Returns a reading of relationships by id. */
export function targetsById(relationships: readonly Relationship[]): ReadonlyMap<string, Relationship> {
  return new Map(relationships.map((relationship) => [relationship.id, relationship]));
}

/** Returns the `val` attribute, the way in which most settings of a document are written. */
export function valueOf(attributes: Readonly<Record<string, string>>): string | undefined {
  return localAttribute(attributes, "val");
}
