import type { OfficePackage } from "../package/package.ts";
import { cellText, type TextBudget } from "../text/text.ts";

const MAX_POINTS = 1000;

interface Series {
  name: string;
  /** Labels and values by the numbers of their points. */
  labels: Map<number, string>;
  values: Map<number, string>;
}

/** Elements that hold what the points of a series are called, and what they are worth. */
const LABELS: ReadonlySet<string> = new Set(["cat", "xVal", "strDim"]);
const VALUES: ReadonlySet<string> = new Set(["val", "yVal", "numDim"]);
const TEXTS: ReadonlySet<string> = new Set(["v", "t", "pt"]);

/** Reads a chart as its title, and a table of the values that are stored with it: a column for each series. */
export async function readChart(file: OfficePackage, part: string, budget: TextBudget): Promise<string> {
  const { kind, title, series } = await readSeries(file, part, budget);
  const head = `Chart${kind === "" ? "" : ` (${kind})`}${title === "" ? "" : `: ${title}`}`;
  const points = [...new Set(series.flatMap(({ labels, values }) => [...labels.keys(), ...values.keys()]))]
    .toSorted((one, other) => one - other);
  if (points.length === 0) return `${head}\n(its values are not stored in a form that is read)`;
  const [first] = series;
  const rows = points.slice(0, MAX_POINTS).map((point) => {
    const label = series.find(({ labels }) => labels.has(point))?.labels.get(point) ?? String(point + 1);
    return [label, ...series.map(({ values }) => values.get(point) ?? "")].map(cellText).join("\t").trimEnd();
  });
  const more = points.length - rows.length;
  const names = first && series.some(({ name }) => name !== "")
    ? [`\t${series.map(({ name }) => cellText(name)).join("\t")}`]
    : [];
  const text = [head, ...names, ...rows, ...(more > 0 ? [`(${more} more points)`] : [])].join("\n");
  budget.spend(text.length);
  return text;
}

async function readSeries(file: OfficePackage, part: string, budget: TextBudget) {
  const path: string[] = [];
  const series: Series[] = [];
  let kind = "";
  let title = "";
  let point = 0;
  let text: string | null = null;
  // In charts of newer kinds the values stand before the series that show them.
  let named = -1;
  const take = (piece: string) => {
    budget.spend(piece.length);
    const current = series.at(path.includes("series") ? named : -1);
    const isIn = (names: ReadonlySet<string>) => path.some((name) => names.has(name));
    if (path.includes("title")) title += path.some((name) => /Ax$|^axis$/.test(name)) ? "" : piece;
    else if (!current) return;
    else if (path.includes("tx")) current.name += piece;
    else if (isIn(LABELS)) {
      current.labels.set(point, [piece, current.labels.get(point) ?? ""].join(" ").trim());
    } else if (isIn(VALUES)) current.values.set(point, piece);
  };
  await file.read(part, {
    open(name, attributes) {
      path.push(name);
      if (/.Chart$/.test(name) && kind === "") kind = name.slice(0, -"Chart".length);
      if (name === "series") [kind, named] = [attributes.layoutId ?? kind, named + 1];
      if (name === "ser" || name === "data") series.push({ name: "", labels: new Map(), values: new Map() });
      if (name === "pt") point = Number(attributes.idx) || 0;
      if (TEXTS.has(name)) text = "";
    },
    close(name) {
      if (text !== null && TEXTS.has(name)) {
        take(text);
        text = null;
      }
      path.pop();
    },
    text(piece) {
      if (text !== null) text += piece;
    },
  });
  return { kind, title, series };
}
