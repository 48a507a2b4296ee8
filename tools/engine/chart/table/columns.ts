import { dateOrder, parseDate, parseEpoch } from "./dates.ts";
import { isMissing, numberReader } from "./numbers.ts";

/** A column of numbers. */
export interface NumberColumn {
  kind: "number";
  name: string;
  /** What its header or its cells name; `null` without one. */
  unit: string | null;
  values: (number | null)[];
}

/** A column of points in time, in milliseconds since the epoch. */
export interface TimeColumn {
  kind: "time";
  name: string;
  values: (number | null)[];
}

/** A column of names. */
export interface TextColumn {
  kind: "text";
  name: string;
  /** Its names have an order of their own, such as months. */
  ordered: boolean;
  values: (string | null)[];
}

/** A column of a table; `null` stands for a value that is missing. */
export type Column = NumberColumn | TimeColumn | TextColumn;

/** Part of the cells that must fit, so that the others count as missing. */
const MOST = 0.8;
/** Cells that tell what a column is. */
const SAMPLE = 1000;
const TIME_NAME = /\b(?:year|date|day|time|month|yr)s?\b|年|日期|时间|时刻/i;
const EPOCH_NAME = /time|epoch|date|^ts$|_at$|时间/i;
const YEAR_NAME = /^(?:fiscal\s+)?(?:year|yr)s?$|年$|年份|年度/i;
const UNIT = /^(.*\S)\s*[([（【](?!\d+[)\]）】])\s*([^()（）[\]【】]{1,20}?)\s*[)\]）】]$/;
const PERIOD =
  /^(?:q[1-4]\b.*|\d{4}[- ]?q[1-4]|第?[一二三四\d]+季度|第?[一二三四五六七八九十\d]+[月周天年期]|\d{4}-?w\d{1,2}|\d{1,2}:\d{2}(?::\d{2})?|w(?:ee)?k?\s*\d+|day\s*\d+|(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|周[一二三四五六日]|星期[一二三四五六日])$/i;

/** Tells what the cells of a column are, and reads them. */
export function readColumn(name: string, cells: readonly string[], note: (text: string) => void): Column {
  const present = cells.filter((cell) => !isMissing(cell));
  if (present.length === 0) return { kind: "text", name, ordered: false, values: cells.map(() => null) };
  const step = Math.ceil(present.length / SAMPLE);
  const column = { name, cells, present, sample: present.filter((_, at) => at % step === 0), note };
  return epochColumn(column) ?? timeColumn(column) ?? numberColumn(column) ?? textColumn(column);
}

interface Cells {
  name: string;
  cells: readonly string[];
  /** Those that are not missing. */
  present: readonly string[];
  /** Some of them, from all over the column. */
  sample: readonly string[];
  note(text: string): void;
}

function epochColumn({ name, cells, sample }: Cells): TimeColumn | null {
  if (!EPOCH_NAME.test(name) || !sample.every((cell) => parseEpoch(cell) !== null)) return null;
  return { kind: "time", name, values: cells.map(parseEpoch) };
}

function timeColumn({ name, cells, present, sample, note }: Cells): TimeColumn | null {
  const bare = YEAR_NAME.test(name.trim()) || (TIME_NAME.test(name) && sample.every(isEightDigits));
  const orders = ["dmy", "mdy"] as const;
  const isDate = (cell: string) => orders.some((order) => parseDate(cell, { order, bare }) !== null);
  if (sample.filter(isDate).length < sample.length * MOST) return null;
  const { order, certain } = dateOrder(present);
  const values = cells.map((cell) => isMissing(cell) ? null : parseDate(cell, { order, bare }));
  const lost = present.length - countOf(values);
  if (present.length - lost < present.length * MOST) return null;
  if (lost > 0) note(`${lost} cells of "${name}" are no dates, they are left out`);
  if (!certain) note(`Dates of "${name}" are read as month/day/year`);
  return { kind: "time", name, values };
}

function isEightDigits(cell: string): boolean {
  return /^\s*\d{8}\s*$/.test(cell);
}

function numberColumn({ name, cells, present, sample, note }: Cells): NumberColumn | null {
  const { unit: sign, read } = numberReader(sample);
  if (sample.filter((cell) => read(cell) !== null).length < sample.length * MOST) return null;
  const values = cells.map((cell) => isMissing(cell) ? null : read(cell));
  const lost = present.length - countOf(values);
  if (present.length - lost < present.length * MOST) return null;
  if (lost > 0) note(`${lost} cells of "${name}" are no numbers, they count as missing`);
  const [, bareName = name, unit = null] = name.match(UNIT) ?? [];
  return { kind: "number", name: bareName, unit: unit ?? sign, values };
}

function countOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((count, value) => value === null ? count : count + 1, 0);
}

function textColumn({ name, cells, sample }: Cells): TextColumn {
  const ordered = sample.filter((cell) => PERIOD.test(cell.trim())).length >= sample.length * MOST;
  return { kind: "text", name, ordered, values: cells.map((cell) => isMissing(cell) ? null : cell.trim()) };
}

/** Says how many different values a column has. */
export function distinct({ values }: Column): number {
  return new Set((values as unknown[]).filter((value) => value !== null)).size;
}
