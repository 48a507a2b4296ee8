import { Buffer } from "node:buffer";

/** Most objects that are checked. */
const MAX_OBJECTS = 200_000;
/** How far into an object the search for its kind goes, in bytes. */
const WITHIN = 2_000;
const OBJECT = /(?<!\d)(\d{1,7})\s{1,20}(\d{1,5})\s{1,20}obj\b/g;
const OBJECT_END = /\b(?:stream|endobj)\b/;
const CATALOG = /\/Type\s*\/Catalog\b/;
const PAGES = /\/Pages\s+(\d+\s+\d+\s+R)\b/;
const PAGE = /\/Type\s*\/Page\b/;
/** An encrypted file cannot be read without its end, which says how. */
const ENCRYPTION = /\/Filter\s*\/Standard\b/;

/**
 * Gives a PDF that was cut off a new end. It names the catalogue, or a new catalogue of the pages that are
 * there. Returns `null` if neither is found, for example because they are compressed.
 */
export function mendEnd(bytes: Uint8Array): Uint8Array | null {
  const found = findObjects(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
  if (found === null || (found.catalog === null && found.pages.length === 0)) return null;
  const { catalog, pages, next } = found;
  const tree = [
    `${next} 0 obj\n<< /Type /Pages /Count ${pages.length} /Kids [${pages.join(" ")}] >>\nendobj\n`,
    `${next + 1} 0 obj\n<< /Type /Catalog /Pages ${next} 0 R >>\nendobj\n`,
  ];
  const [made, root] = catalog === null ? [tree.join(""), `${next + 1} 0 R`] : ["", catalog];
  // The place of the table is wrong on purpose, so that pdf.js searches for all objects.
  const end = `\nendstream\nendobj\n${made}trailer\n<< /Root ${root} >>\nstartxref\n0\n%%EOF\n`;
  return Buffer.concat([bytes, Buffer.from(end)]);
}

/** References to what the end of a PDF names, and a number that no object has. */
interface Found {
  /** `null` if its pages are lost. */
  catalog: string | null;
  pages: string[];
  next: number;
}

function findObjects(text: string): Found | null {
  const catalogs = new Map<string, string | undefined>();
  const pages = new Set<string>();
  const names = new Set<string>();
  let last = 0;
  for (const { 0: head, 1: number, 2: generation, index } of text.matchAll(OBJECT).take(MAX_OBJECTS)) {
    const start = index + head.length;
    const [body = ""] = text.slice(start, start + WITHIN).split(OBJECT_END, 1);
    const name = `${Number(number)} ${Number(generation)} R`;
    if (ENCRYPTION.test(body)) return null;
    if (CATALOG.test(body)) catalogs.set(name, PAGES.exec(body)?.[1]?.replace(/\s+/g, " "));
    else if (PAGE.test(body)) pages.add(name);
    names.add(name);
    last = Math.max(last, Number(number));
  }
  const [catalog = null] = [...catalogs].filter(([, tree]) => tree && names.has(tree)).map(([name]) => name);
  return { catalog, pages: [...pages], next: last + 1 };
}
