import { readChart } from "./chart.ts";
import { addressesById } from "../text/links.ts";
import type { OfficePackage } from "../package/package.ts";
import { createShapes } from "./shapes.ts";
import type { Reading } from "../text/text.ts";

/** Reads what is drawn over a sheet: the text of its shapes, and its charts. */
export async function readDrawing(file: OfficePackage, part: string, reading: Reading): Promise<string[]> {
  const links = await file.relationships(part);
  const shapes = createShapes({ ...reading, addresses: addressesById(links) });
  await file.read(part, shapes);
  return [shapes.result({ leftOut: [] }), ...await readLinked(file, links, reading)].filter((text) =>
    text !== ""
  );
}

/** Reads the charts and diagrams that a part links to, and counts what else it shows or plays. */
export async function readLinked(
  file: OfficePackage,
  links: Awaited<ReturnType<OfficePackage["relationships"]>>,
  { budget, leftOut }: Reading,
): Promise<string[]> {
  const texts: string[] = [];
  for (const { type, target } of links) {
    if (COUNTED[type] !== undefined) leftOut.add(COUNTED[type]);
    if (!file.has(target)) continue;
    if (type === "chart" || type === "chartEx") texts.push(await readChart(file, target, budget));
    if (type === "diagramData") {
      const shapes = createShapes({ budget });
      await file.read(target, shapes);
      texts.push(shapes.result({ leftOut: [] }));
    }
  }
  return texts;
}

const COUNTED: Readonly<Record<string, string>> = {
  oleObject: "embedded object",
  ctrlProp: "form control",
  package: "embedded file",
  video: "video",
  audio: "sound",
};
