import type { PdfJsAnnotation, PdfJsPage } from "./engine.ts";
import { readPieces } from "./page_text.ts";

/** Most notes and fields of one page. */
const MAX_NOTES = 2_000;
/** Links have no words, and a popup repeats the note that it belongs to. */
const WITHOUT_WORDS: ReadonlySet<string | undefined> = new Set(["Link", "Popup", undefined]);
/** Flags of notes that no screen shows: hidden, no view. */
const UNSEEN = 2 | 32;

/**
 * Returns a line for each value of a form and each note of a page whose words its text does not show:
 * `[form] name: value` and `[note] text`.
 *
 * @param shown The page's text with the visible words of fields and notes
 */
export async function readNotes(page: PdfJsPage, shown: string): Promise<string[]> {
  const found = (await page.getAnnotations()).flatMap(toNote).slice(0, MAX_NOTES);
  if (found.length === 0) return [];
  const [visible, drawn] = [packed(shown), await drawnText(page)];
  const seen = new Map<string, number>();
  const hidden = found.filter(({ words }) => {
    const key = packed(words);
    // Words that the page itself draws are not those of the note.
    const left = seen.get(key) ?? count(visible, key) - count(drawn, key);
    seen.set(key, left - 1);
    return left <= 0;
  });
  return [...new Set(hidden.map(({ line }) => line))];
}

/** The text of the page without fields and notes. */
async function drawnText(page: PdfJsPage): Promise<string> {
  let text = "";
  for await (const { str } of readPieces(page)) text += str;
  return packed(text);
}

/** Two readers disagree about blanks. */
function packed(text: string): string {
  return text.normalize("NFKC").replace(/[\s\p{Cc}]+/gu, "");
}

function count(text: string, part: string): number {
  return part === "" ? 0 : text.split(part).length - 1;
}

interface Note {
  words: string;
  line: string;
}

function toNote(annotation: PdfJsAnnotation): Note[] {
  const { subtype, contentsObj, textContent, fieldName, annotationFlags = 0 } = annotation;
  if (WITHOUT_WORDS.has(subtype) || (annotationFlags & UNSEEN) !== 0) return [];
  const isField = subtype === "Widget";
  const words = oneLine(isField ? fieldWords(annotation) : contentsObj?.str || (textContent ?? []).join(" "));
  if (words === "") return [];
  return [{ words, line: isField ? `[form] ${oneLine(fieldName ?? "")}: ${words}` : `[note] ${words}` }];
}

function fieldWords(field: PdfJsAnnotation): string {
  const { fieldType, fieldValue, options = [] } = field;
  // The content of a password field is secret.
  if (field.password || field.pushButton) return "";
  const values = [fieldValue].flat().filter((value) => typeof value === "string");
  if (fieldType === "Btn") return isOn(field) ? values.join(", ") : "";
  const shown = new Map(options.map(({ exportValue, displayValue }) => [exportValue, displayValue]));
  return values.map((value) => shown.get(value) ?? value).join(", ");
}

function isOn({ checkBox, radioButton, fieldValue, buttonValue }: PdfJsAnnotation): boolean {
  if (radioButton) return fieldValue === buttonValue;
  return checkBox === true && fieldValue !== "Off";
}

/** Keeps a value on one line of the block. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
