import { type OfficePackage, targetsById } from "./package/package.ts";
import { createShapes } from "./shapes.ts";
import type { Section, TextBudget } from "./text.ts";
import { prefixedAttribute } from "./package/xml.ts";

const MAX_SLIDES = 10_000;

/**
 * Reads a presentation, a section for each slide in the order in which they are shown: the title, the other shapes'
 * paragraphs and table rows, the text of diagrams, and the speaker's notes.
 */
export async function readPptx(file: OfficePackage, budget: TextBudget): Promise<Section[]> {
  const ids: string[] = [];
  await file.read(file.main, {
    open(name, attributes) {
      if (name === "sldId") ids.push(prefixedAttribute(attributes, "id") ?? "");
    },
  });
  const targets = targetsById(await file.relationships(file.main));
  const sections: Section[] = [];
  for (const [index, id] of ids.slice(0, MAX_SLIDES).entries()) {
    const target = targets.get(id)?.target;
    const slide = target !== undefined && file.has(target)
      ? await readSlide(file, target, budget)
      : { text: "(missing slide)", hidden: false };
    sections.push({ title: `Slide ${index + 1}${slide.hidden ? " (hidden)" : ""}`, text: slide.text });
  }
  return sections;
}

async function readSlide(file: OfficePackage, part: string, budget: TextBudget) {
  const shapes = createShapes(budget);
  let hidden = false;
  await file.read(part, {
    ...shapes,
    open(name, attributes) {
      if (name === "sld") hidden = ["0", "false"].includes(attributes.show ?? "");
      shapes.open(name, attributes);
    },
  });
  const texts = [shapes.result({ leftOut: ["sldNum"] })];
  const links = await file.relationships(part);
  for (const { type, target } of links) {
    if (!file.has(target)) continue;
    if (type === "diagramData") texts.push(await readShapes(file, target, budget));
    if (type === "notesSlide") {
      const notes = await readShapes(file, target, budget);
      if (notes !== "") texts.push(`Notes:\n${notes}`);
    }
  }
  return { text: texts.filter((text) => text !== "").join("\n\n"), hidden };
}

/** Reads the text of a part that belongs to a slide, without what only repeats the slide. */
async function readShapes(file: OfficePackage, part: string, budget: TextBudget): Promise<string> {
  const shapes = createShapes(budget);
  await file.read(part, shapes);
  return shapes.result({ leftOut: ["sldNum", "sldImg", "hdr", "ftr", "dt"] });
}
