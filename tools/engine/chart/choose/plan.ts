import { ToolError } from "../../../../schemas/error.ts";
import { CHART_TYPES, type ChartType, type ChartWish } from "./chart_wish.ts";
import { type Column, distinct, type NumberColumn } from "../table/columns.ts";
import type { Table } from "../table/read_table.ts";
import { chooseType } from "./choose_type.ts";

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
const PARTS: readonly ChartType[] = ["pie", "rose", "funnel", "treemap", "sunburst", "word_cloud", "sankey"];
const MOST_SERIES = 12;

/**
 * Chooses the kind of chart and the columns by what was wished, then by the title, then by the data.
 *
 * @throws {ToolError} `invalid_input` for kinds and columns that are not there
 */
export function planChart(table: Table, { title, wish }: { title: string; wish: ChartWish }): ChartPlan {
  const asked = wish.type === undefined ? null : typeNamed(wish.type);
  const fields = fieldsOf(table, wish);
  const type = asked ?? chooseType(table, { title, ...fields });
  const plan = { ...withoutUnit(fields, wish.unit), type, stack: wish.stack ?? /stack|堆/i.test(title) };
  if (plan.y.length === 0 && !["word_cloud", "bar", "pie", "line", "histogram"].includes(type)) {
    throw new ToolError(
      "invalid_input",
      `A chart of the kind ${type} needs a column of numbers, and there is none`,
    );
  }
  if (
    !PARTS.includes(type) || !plan.y.some(({ values }) => values.some((value) => value !== null && value < 0))
  ) {
    return plan;
  }
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

function fieldsOf({ columns }: Table, wish: ChartWish): Fields {
  const named = (name: string) => columnNamed(columns, name);
  const y = wish.y?.map((name) => numbersOf(named(name))) ?? null;
  const taken = new Set<Column>(y ?? []);
  const x = wish.x === undefined ? firstAxis(columns.filter((column) => !taken.has(column))) : named(wish.x);
  const numbers = columns.filter((column) => column.kind === "number" && column !== x) as NumberColumn[];
  const names = columns.filter((column) => column.kind === "text" && column !== x);
  const color = wish.color === undefined
    ? names.find((column) => distinct(column) > 1 && distinct(column) <= MOST_SERIES * 5) ?? null
    : named(wish.color);
  const levels = [x, ...names].filter((column): column is Column => column?.kind === "text");
  return { x, y: y ?? numbers.filter((column) => !isIdentifier(column)), color, levels };
}

/** The axis is time if there is any, else names. */
function firstAxis(columns: readonly Column[]): Column | null {
  return columns.find(({ kind }) => kind === "time") ?? columns.find(({ kind }) => kind === "text") ?? null;
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
  return unit === undefined ? fields : { ...fields, y: fields.y.map((column) => ({ ...column, unit })) };
}
