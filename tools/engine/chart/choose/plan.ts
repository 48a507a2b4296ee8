import { ToolError } from "../../../../schemas/error.ts";
import { CHART_TYPES, type ChartType, type ChartWish } from "./chart_wish.ts";
import { inPlaceOf } from "./stand_ins.ts";
import { type Column, distinct, type NumberColumn } from "../table/columns.ts";
import type { Table } from "../table/read_table.ts";
import { askedIn, chooseType } from "./choose_type.ts";

/** What is drawn, and from which columns. */
export interface ChartPlan {
  type: ChartType;
  /** The axis, the slices or the names; `null` if only numbers are drawn. */
  x: Column | null;
  y: NumberColumn[];
  /** Its names become series. */
  color: Column | null;
  /** Further columns of names, from the whole to its parts. */
  levels: Column[];
  stack: boolean;
}

/** Names that other programs use. */
const OTHER_NAMES: Readonly<Record<string, ChartType>> = {
  column: "bar",
  donut: "pie",
  doughnut: "pie",
  boxplot: "box_plot",
  box: "box_plot",
  heatmap: "heat_map",
  wordcloud: "word_cloud",
  dual: "dual_axis",
  combo: "dual_axis",
  tree_map: "treemap",
  range: "range_column",
  progress: "linear_progress",
  nightingale: "rose",
  multi_line: "line",
  grouped_bar: "bar",
  stacked_bar: "bar",
  bubble: "scatter",
};
/** Charts that show parts of a whole: a negative part cannot be drawn. */
const PARTS: readonly ChartType[] = [
  ...["pie", "rose", "funnel", "treemap", "sunburst", "word_cloud", "sankey"] as const,
  ...["linear_progress", "circular_progress"] as const,
];
/** Charts of one column of numbers. */
const SINGLE: readonly ChartType[] = [...PARTS, "histogram", "waterfall", "gauge"];
/** Charts that set columns against each other. */
const AGAINST: readonly ChartType[] = [
  "scatter",
  "radar",
  "heat_map",
  "dual_axis",
  "range_column",
  "box_plot",
];
const AXES: readonly ChartType[] = ["bar", "line", "area"];
const TOLD_APART: readonly ChartType[] = ["bar", "line", "area", "radar"];
const MOST_NAMES = 60;
const LONGEST_UNIT = 20;
const BY = /\b(?:by|per|across|each|and)\s+|[各按每]/i;
const OVER_TIME = /over time|trend|\blines?\b|趋势|走势|变化/i;
const MOST_SERIES = 12;

/**
 * Chooses the kind of chart and the columns by what was wished, then by the title, then by the data.
 *
 * @throws {ToolError} `invalid_input` for kinds and columns that are not there
 */
export function planChart(table: Table, { title, wish }: { title: string; wish: ChartWish }): ChartPlan {
  const stand = inPlaceOf(wish.type ?? title, { named: wish.type !== undefined });
  if (stand !== null) {
    table.notes.push(`There is no chart of the kind ${stand.wanted}: ${stand.type} is drawn in its place`);
  }
  const asked = stand?.type ?? (wish.type === undefined ? null : typeNamed(wish.type));
  const fields = namedFields(fieldsOf(table, { title, wish }), { asked, title, wish, table });
  const type = asked ?? chooseType(table, { title, ...fields });
  const isLone = wish.color === undefined && AXES.includes(type) && isOneEach(fields, table, title);
  const drawn = isLone ? { ...fields, color: null } : fields;
  const plan = { ...withoutUnit(drawn, wish.unit), type, stack: wish.stack ?? /stack|堆/i.test(title) };
  if (!SINGLE.includes(type)) return fewer(drawable(plan, table), { wish, notes: table.notes });
  // Slices are the names of one column, whichever field was meant for them.
  const slices = wish.x === undefined && wish.color !== undefined ? plan.color : plan.x;
  return drawable({ ...plan, x: slices, y: firstOf(plan.y, title, table.notes), color: null }, table);
}

/** Says whether each name of the axis has one row: series would only leave gaps between its bars. */
function isOneEach({ x, color }: Fields, { rows }: Table, title: string): boolean {
  if (x === null || color === null || distinct(x) < rows) return false;
  return (x.kind === "text" || distinct(color) === rows) && columnAfter(BY, [color], title) === null;
}

/** Of several columns the one that the title names, else the first. */
function firstOf(columns: NumberColumn[], title: string, notes: string[]): NumberColumn[] {
  if (columns.length < 2) return columns;
  const named = columns.find(({ name }) => placeIn(title, name) >= 0) ?? columns[0]!;
  notes.push(`Only "${named.name}" is drawn: this kind of chart has one column of numbers`);
  return [named];
}

/** Where a text has a name, as words of its own. */
function placeIn(text: string, name: string): number {
  const at = name.length < 2 ? text.indexOf(name) : text.toLowerCase().indexOf(name.toLowerCase());
  const isPart = /[a-z\d]/i.test(text[at - 1] ?? "") || /[a-z\d]/i.test(text[at + name.length] ?? "");
  return at >= 0 && isPart && /[a-z\d]/i.test(name) ? -1 : at;
}

/** Of many columns of numbers, those that the title names; charts that set columns against each other keep all. */
function namedFields(
  fields: Fields,
  { asked, title, wish, table }: { asked: ChartType | null; title: string; wish: ChartWish; table: Table },
): Fields {
  const type = asked ?? askedIn(title, table, { title, ...fields });
  if (wish.y !== undefined || fields.y.length < 2 || type !== undefined && AGAINST.includes(type)) {
    return type === "heat_map" && wish.y === undefined ? withNumbersAsNames(fields) : fields;
  }
  // A single letter may be any word.
  if (fields.y.some(({ name }) => /^[a-z]$/i.test(name))) return fields;
  const named = fields.y.filter(({ name }) => placeIn(title, name) >= 0 || placeIn(title, `${name}s`) >= 0);
  if (named.length === 0 || named.length === fields.y.length) return fields;
  const narrowed = { ...fields, y: named };
  const worded = asked ?? askedIn(title, table, { title, ...narrowed });
  // Two columns have room in one chart, unless its kind has one.
  if (fields.y.length === 2 && (worded === undefined || !SINGLE.includes(worded))) return fields;
  const names = named.map(({ name }) => `"${name}"`).join(", ");
  table.notes.push(
    `Of ${fields.y.length} columns of numbers, those that the title names are drawn: ${names}`,
  );
  return narrowed;
}

/** The rows of a heat map may be numbers that come again and again, such as hours. */
function withNumbersAsNames(fields: Fields): Fields {
  const [rows, ...others] = fields.y;
  if (fields.color !== null || rows === undefined || others.length !== 1) return fields;
  const size = distinct(rows);
  return size <= MOST_NAMES && rows.values.length >= 2 * size && rows.values.every(Number.isInteger)
    ? { ...fields, y: others, color: rows }
    : fields;
}

/** Lines and bars of too many columns cannot be told apart. */
function fewer(plan: ChartPlan, { wish, notes }: { wish: ChartWish; notes: string[] }): ChartPlan {
  if (wish.y !== undefined || plan.y.length <= MOST_SERIES || !TOLD_APART.includes(plan.type)) return plan;
  notes.push(
    `Only the first ${MOST_SERIES} of ${plan.y.length} columns of numbers are drawn: name others as y`,
  );
  return { ...plan, y: plan.y.slice(0, MOST_SERIES) };
}

/** Charts that cannot show the values become bars. */
function drawable(plan: ChartPlan, table: Table): ChartPlan {
  const { type } = plan;
  if (plan.y.length === 0 && !["word_cloud", "bar", "pie", "line", "histogram"].includes(type)) {
    throw new ToolError(
      "invalid_input",
      `A chart of the kind ${type} needs a column of numbers, and there is none`,
    );
  }
  if (type === "dual_axis" && plan.y.length < 2) {
    table.notes.push("Two axes need two columns of numbers, and there is one: drawn as bars");
    return { ...plan, type: "bar" };
  }
  const isNegative = plan.y.some(({ values }) => values.some((value) => value !== null && value < 0));
  if (!PARTS.includes(type) || !isNegative) return plan;
  table.notes.push(
    `Some values are negative, so they are no parts of a whole: drawn as bars instead of ${type}`,
  );
  return { ...plan, type: "bar" };
}

/**
 * Reads the name of a kind as people write it.
 *
 * @throws {ToolError} `invalid_input` for a kind that there is not
 */
export function typeNamed(name: string): ChartType {
  const word = name.trim().toLowerCase().replace(/[\s-]+/g, "_").replace(
    /_?(?:chart|plot|graph|diagram)$/,
    "",
  );
  const found = CHART_TYPES.find((type) => type === word || type === `${word}_plot`) ?? OTHER_NAMES[word];
  if (found !== undefined) return found;
  throw new ToolError(
    "invalid_input",
    `There is no chart of the kind ${JSON.stringify(name)}: choose one of ${CHART_TYPES.join(", ")}`,
    { details: { chart_types: CHART_TYPES } },
  );
}

type Fields = Pick<ChartPlan, "x" | "y" | "color" | "levels">;

function fieldsOf({ columns, rows }: Table, { title, wish }: { title: string; wish: ChartWish }): Fields {
  const named = (name: string) => columnNamed(columns, name);
  const y = wish.y?.map((name) => numbersOf(named(name))) ?? null;
  const taken = new Set<Column>(y ?? []);
  const free = columns.filter((column) => !taken.has(column));
  const x = wish.x === undefined ? axisOf(free, { title, rows }) : named(wish.x);
  const numbers = columns.filter((column) => column.kind === "number" && column !== x) as NumberColumn[];
  const names = columns.filter((column) => column.kind === "text" && column !== x);
  const shown = y ?? numbers.filter((column) => !isIdentifier(column));
  const groups = names.filter((column) => distinct(column) > 1 && distinct(column) <= MOST_SERIES * 5);
  // Where rows are counted, only what the title names parts them.
  const color = wish.color === undefined
    ? columnAfter(BY, groups, title) ?? (shown.length > 0 ? groups[0] : null) ?? null
    : named(wish.color);
  const isFirst = wish.x !== undefined || x === columnAfter(BY, free, title);
  const levels = (isFirst ? [x, ...names] : columns).filter((column) => column?.kind === "text") as Column[];
  return { x, y: shown, color, levels };
}

/** The axis is what the title names, but time where it tells of it, or names parts of a year. */
function axisOf(columns: readonly Column[], { title, rows }: { title: string; rows: number }): Column | null {
  const time = columns.find(({ kind }) => kind === "time") ?? null;
  const wanted = columnAfter(BY, columns, title);
  const isOfTime = wanted?.kind === "text" && (wanted.ordered || OVER_TIME.test(title));
  return wanted !== null && !(time && isOfTime) ? wanted : firstAxis(columns, rows);
}

/** The first column of names or time that stands after such a word in the title: "by city". */
function columnAfter(word: RegExp, columns: readonly Column[], title: string): Column | null {
  const [, ...parts] = title.split(word);
  const places = columns.filter(({ kind }) => kind !== "number").flatMap((column) =>
    parts.flatMap((part, at) => placeIn(part, column.name) === 0 ? [{ column, at }] : [])
  );
  return places.toSorted((one, other) => one.at - other.at)[0]?.column ?? null;
}

/** The axis is time if there is any, else names; those that come again if there is nothing to measure but rows. */
function firstAxis(columns: readonly Column[], rows: number): Column | null {
  const time = columns.find(({ kind }) => kind === "time");
  const names = columns.filter(({ kind }) => kind === "text");
  const counted = columns.some(({ kind }) => kind === "number")
    ? undefined
    : names.find((column) => distinct(column) < rows && distinct(column) > 1);
  return time ?? counted ?? names[0] ?? null;
}

function isIdentifier({ name }: Column): boolean {
  return /^(?:id|no\.?|index|序号|编号|unnamed: \d+)$/i.test(name.trim());
}

function columnNamed(columns: readonly Column[], name: string): Column {
  const bare = (text: string) => text.trim().toLowerCase();
  const found = columns.find((column) => column.name === name) ??
    columns.find((column) =>
      bare(column.name) === bare(name) || bare(name).startsWith(`${bare(column.name)} (`)
    ) ??
    columns.find((column) => bare(name).replace(/\s*[（(].*$/, "") === bare(column.name));
  if (found) return found;
  const names = columns.map((column) => column.name);
  throw new ToolError(
    "invalid_input",
    `The CSV file has no column ${JSON.stringify(name)}: its columns are ${names.join(", ")}`,
    { details: { columns: names } },
  );
}

function numbersOf(column: Column): NumberColumn {
  if (column.kind === "number") return column;
  throw new ToolError("invalid_input", `The column ${JSON.stringify(column.name)} holds no numbers`);
}

function withoutUnit(fields: Fields, unit: string | undefined): Fields {
  if (unit === undefined) return fields;
  const short = unit.slice(0, LONGEST_UNIT);
  return { ...fields, y: fields.y.map((column) => ({ ...column, unit: short })) };
}
