import { type OfficePackage, targetsById } from "../package/package.ts";
import { readLinked } from "../drawing/drawing.ts";
import { addressesById } from "../text/links.ts";
import { readPeople } from "../drawing/people.ts";
import { createShapes } from "../drawing/shapes.ts";
import { cellText, type Reading, type Section } from "../text/text.ts";
import { prefixedAttribute } from "../package/xml.ts";

const MAX_SLIDES = 10_000;

/**
 * Reads a presentation, a section for each slide in the order in which they are shown: the title, the other shapes'
 * paragraphs and table rows, charts, the text of diagrams, comments, and the speaker's notes.
 */
export async function readPptx(file: OfficePackage, reading: Reading): Promise<Section[]> {
  const ids: string[] = [];
  await file.read(file.main, {
    open(name, attributes) {
      if (name === "sldId") ids.push(prefixedAttribute(attributes, "id") ?? "");
    },
  });
  const links = await file.relationships(file.main);
  const targets = targetsById(links);
  const people = await readPeople(file, links);
  const layouts = new Set<string>();
  const sections: Section[] = [];
  for (const [index, id] of ids.slice(0, MAX_SLIDES).entries()) {
    const target = targets.get(id)?.target;
    const slide = target !== undefined && file.has(target)
      ? await readSlide(file, target, { ...reading, people, layouts })
      : { text: "(missing slide)", hidden: false };
    sections.push({ title: `Slide ${index + 1}${slide.hidden ? " (hidden)" : ""}`, text: slide.text });
  }
  return sections;
}

interface SlideReading extends Reading {
  people: ReadonlyMap<string, string>;
  /** Layouts and masters that were read: what they show counts once. */
  layouts: Set<string>;
}

async function readSlide(file: OfficePackage, part: string, reading: SlideReading) {
  const links = await file.relationships(part);
  const shapes = createShapes({ ...reading, addresses: addressesById(links) });
  let hidden = false;
  await file.read(part, {
    ...shapes,
    open(name, attributes) {
      if (name === "sld") hidden = ["0", "false"].includes(attributes.show ?? "");
      shapes.open(name, attributes);
    },
  });
  const texts = [shapes.result({ leftOut: ["sldNum"] })];
  texts.push(...await readLinked(file, links, reading));
  for (const { type, target } of links) {
    if (!file.has(target)) continue;
    if (type === "slideLayout") texts.push(...await readLayout(file, target, reading));
    if (type === "comments") texts.push(await readComments(file, target, reading));
    if (type === "notesSlide") {
      const notes = await readNotes(file, target, reading);
      if (notes !== "") texts.push(`Notes:\n${notes}`);
    }
  }
  return { text: texts.filter((text) => text !== "").join("\n\n"), hidden };
}

/** Reads what a layout and its master show on each slide besides the places for its text. */
async function readLayout(file: OfficePackage, part: string, reading: SlideReading): Promise<string[]> {
  if (reading.layouts.has(part)) return [];
  reading.layouts.add(part);
  const shapes = createShapes({ budget: reading.budget });
  await file.read(part, shapes);
  const text = shapes.result({ leftOut: "placeholders" });
  const texts = text === "" ? [] : [`On each slide of this layout:\n${text}`];
  for (const { type, target } of await file.relationships(part)) {
    if (type === "slideMaster" && file.has(target)) texts.push(...await readLayout(file, target, reading));
  }
  return texts;
}

/** Reads the speaker's notes, without what only repeats the slide. */
async function readNotes(file: OfficePackage, part: string, { budget }: Reading): Promise<string> {
  const shapes = createShapes({ budget, addresses: addressesById(await file.relationships(part)) });
  await file.read(part, shapes);
  return shapes.result({ leftOut: ["sldNum", "sldImg", "hdr", "ftr", "dt"] });
}

/** Reads comments of old and new programs, with the answers to them. */
async function readComments(
  file: OfficePackage,
  part: string,
  { budget, people }: SlideReading,
): Promise<string> {
  const lines: string[] = [];
  let inText = false;
  await file.read(part, {
    open(name, { authorId = "" }) {
      if (name === "cm" || name === "reply") {
        lines.push(people.has(authorId) ? `${people.get(authorId)}: ` : "");
      }
      inText = name === "text" || name === "t";
    },
    close: () => void (inText = false),
    text(piece) {
      if (!inText || lines.length === 0) return;
      budget.spend(piece.length);
      lines[lines.length - 1] += piece;
    },
  });
  return lines.length === 0 ? "" : `Comments:\n${lines.map(cellText).join("\n")}`;
}
