import type { OfficePackage } from "../package/package.ts";
import { localAttribute, type XmlAttributes } from "../package/xml.ts";

const MAX_LEVELS = 9;
const MAX_LABEL = 40;
const BULLET = "-";

interface Level {
  format: string;
  /** The label with `%1` for the number of the first level. */
  label: string;
  start: number;
}

interface List {
  abstract: string;
  /** Levels that start again with this list, by the numbers they start from. */
  restarts: Map<number, number>;
}

/** The labels of list items in the order of the text. */
export interface ListLabels {
  /** Counts one item and returns its label, such as `-` or `2.1.`; empty if the list has no labels. */
  next(list: string, level: number): string;
}

/** Reads the lists of a Word document. */
export async function createListLabels(file: OfficePackage, part: string | undefined): Promise<ListLabels> {
  const { levels, lists } = await readNumbering(file, part);
  const counters = new Map<string, (number | undefined)[]>();
  return {
    next(id, asked) {
      const list = lists.get(id);
      if (!list) return id === "0" ? "" : BULLET;
      const level = Number.isInteger(asked) ? Math.min(Math.max(asked, 0), MAX_LEVELS - 1) : 0;
      const known = levels.get(list.abstract) ?? [];
      const counts = counters.get(list.abstract) ?? [];
      counters.set(list.abstract, counts);
      const restart = list.restarts.get(level);
      list.restarts.delete(level);
      counts[level] = restart ?? (counts[level] ?? (known[level]?.start ?? 1) - 1) + 1;
      counts.length = level + 1;
      return labelOf(known, counts);
    },
  };
}

async function readNumbering(file: OfficePackage, part: string | undefined) {
  const levels = new Map<string, Level[]>();
  const lists = new Map<string, List>();
  let current: Level[] = [];
  let level: Level | undefined;
  let list: List | undefined;
  let override = 0;
  const describe = (name: string, attributes: XmlAttributes) => {
    const value = localAttribute(attributes, "val") ?? "";
    if (name === "abstractNumId" && list) list.abstract = value;
    if (name === "lvlOverride") override = Number(localAttribute(attributes, "ilvl"));
    if (name === "startOverride") list?.restarts.set(override, Number(value));
    if (!level || list) return;
    if (name === "start") level.start = Number(value);
    if (name === "numFmt") level.format = value;
    if (name === "lvlText") level.label = value;
  };
  if (part === undefined) return { levels, lists };
  await file.read(part, {
    open(name, attributes) {
      if (name === "abstractNum") levels.set(localAttribute(attributes, "abstractNumId") ?? "", current = []);
      if (name === "num") {
        list = { abstract: "", restarts: new Map() };
        lists.set(localAttribute(attributes, "numId") ?? "", list);
      }
      if (name === "lvl" && !list) {
        level = { format: "decimal", label: "", start: 1 };
        const index = Number(localAttribute(attributes, "ilvl"));
        if (index >= 0 && index < MAX_LEVELS) current[index] = level;
      }
      describe(name, attributes);
    },
    close(name) {
      if (name === "num") list = undefined;
      if (name === "lvl") level = undefined;
    },
  });
  return { levels, lists };
}

function labelOf(levels: readonly (Level | undefined)[], counts: readonly (number | undefined)[]): string {
  const level = levels[counts.length - 1];
  if (!level || level.format === "bullet") return BULLET;
  if (level.format === "none") return "";
  return level.label.slice(0, MAX_LABEL).replace(/%([1-9])/g, (_, digit: string) => {
    const index = Number(digit) - 1;
    return formatNumber(counts[index] ?? levels[index]?.start ?? 1, levels[index]?.format ?? "decimal");
  });
}

function formatNumber(number: number, format: string): string {
  if (format === "lowerLetter") return letters(number);
  if (format === "upperLetter") return letters(number).toUpperCase();
  if (format === "lowerRoman") return roman(number);
  if (format === "upperRoman") return roman(number).toUpperCase();
  if (format === "decimalZero") return String(number).padStart(2, "0");
  return String(number);
}

/** a, b … z, aa, bb, as Word counts. */
function letters(number: number): string {
  if (!(number >= 1 && number <= 780)) return String(number);
  return String.fromCharCode(97 + (number - 1) % 26).repeat(Math.ceil(number / 26));
}

const ROMAN = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
] as const;

function roman(number: number): string {
  if (!(number >= 1 && number < 4000)) return String(number);
  let rest = number;
  let text = "";
  for (const [value, letter] of ROMAN) {
    while (rest >= value) {
      text += letter;
      rest -= value;
    }
  }
  return text;
}
