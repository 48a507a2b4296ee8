import { ToolError } from "../../../../schemas/error.ts";
import type { ChartPlan } from "../choose/plan.ts";
import { fiveNumbers, quantile, sorted } from "../series/statistics.ts";
import { frame, grid, nameLabels, type Option, valueLabels, withUnit } from "./frame.ts";
import { namerOf, type SeriesData } from "../series/series.ts";
import { type Language, shortNumber, WORDS } from "../series/words.ts";

const MOST_BOXES = 40;
const MOST_DOTS = 400;

interface Drawn {
  title: string;
  plan: ChartPlan;
  language: Language;
  note(text: string): void;
}

/** How many values lie between round numbers. */
export function histogramOption({ title, plan: { y, x }, language }: Drawn): Option {
  const column = y[0] ?? (x?.kind === "number" ? x : null);
  if (column === null) {
    throw new ToolError("invalid_input", "A histogram needs a column of numbers, and there is none");
  }
  const values = sorted(column.values);
  const { start, width, counts } = binsOf(values);
  const edge = (at: number) => shortNumber(Number((start + at * width).toPrecision(8)), language);
  return {
    ...frame(title, { legend: false }),
    grid: { ...grid(title, []), bottom: counts.length > 10 ? 72 : 56 },
    xAxis: {
      type: "category",
      name: withUnit(column.name, column.unit),
      nameLocation: "middle",
      nameGap: counts.length > 10 ? 52 : 34,
      data: counts.map((_, at) => `${edge(at)} – ${edge(at + 1)}`),
      axisLabel: { hideOverlap: true, rotate: counts.length > 10 ? 30 : 0 },
    },
    yAxis: { type: "value", name: WORDS[language].count, minInterval: 1 },
    series: [{
      name: WORDS[language].count,
      type: "bar",
      barCategoryGap: "2%",
      data: counts,
      label: { show: counts.length <= 20, position: "top" },
    }],
  };
}

/** Bins between round numbers: as wide as Freedman and Diaconis say, 5 to 40 of them. */
export function binsOf(values: readonly number[]): { start: number; width: number; counts: number[] } {
  const low = values[0] ?? 0;
  const high = values.at(-1) ?? 0;
  if (low === high) return { start: low - 0.5, width: 1, counts: [values.length] };
  const spread = quantile(values, 0.75) - quantile(values, 0.25);
  const wanted = 2 * spread / Math.cbrt(values.length);
  const most = (high - low) / 5;
  const least = (high - low) / 40;
  const raw = Math.min(most, Math.max(least, wanted > 0 ? wanted : (high - low) / 10));
  const power = 10 ** Math.floor(Math.log10(raw));
  const width = [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= raw * 0.999)!;
  const start = Math.floor(low / width) * width;
  const counts: number[] = Array(Math.max(1, Math.ceil((high - start) / width + 1e-9))).fill(0);
  for (const value of values) counts[Math.min(counts.length - 1, Math.floor((value - start) / width))]!++;
  return { start, width, counts };
}

/** A box for each name or column: quartiles, whiskers of at most 1.5 boxes, and the values beyond. */
export function boxPlotOption({ title, plan: { x, y, color }, note }: Drawn): Option {
  const by = y.length > 1 ? null : x?.kind === "text" ? x : color;
  const groups = new Map<string, number[]>();
  if (by === null) { for (const column of y) groups.set(column.name, sorted(column.values)); }
  else {
    const nameOf = namerOf(by);
    by.values.forEach((value, row) => {
      const number = y[0]!.values[row];
      if (value === null || number === null || number === undefined) return;
      const name = nameOf(value);
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name)!.push(number);
    });
  }
  if (groups.size > MOST_BOXES) note(`Only the first ${MOST_BOXES} of ${groups.size} boxes are drawn`);
  const boxes = [...groups].slice(0, MOST_BOXES).map(([name, values]) => ({
    name,
    ...fiveNumbers(sorted(values)),
  }));
  const names = boxes.map(({ name }) => name);
  const dots = boxes.flatMap(({ beyond }, at) => beyond.map((value) => [at, value]));
  if (dots.length > MOST_DOTS) {
    note(`Only ${MOST_DOTS} of ${dots.length} values beyond the whiskers are drawn`);
  }
  const step = Math.ceil(dots.length / MOST_DOTS);
  return {
    ...frame(title, { legend: false }),
    grid: grid(title, []),
    xAxis: { type: "category", data: names, axisLabel: nameLabels(names) },
    yAxis: {
      type: "value",
      name: y.length > 1 ? "" : withUnit(y[0]!.name, y[0]!.unit),
      scale: true,
      ...valueLabels(boxes.flatMap(({ box }) => box)),
    },
    series: [
      {
        name: y[0]!.name,
        type: "boxplot",
        boxWidth: [7, 60],
        itemStyle: { color: "#cfdcf5" },
        data: boxes.map(({ box }) => box),
      },
      {
        name: "",
        type: "scatter",
        symbolSize: 6,
        itemStyle: { color: "#d9534f" },
        data: dots.filter((_, at) => at % step === 0),
      },
    ],
  };
}

/** A cell for each pair of names, coloured by its value. */
export function heatMapOption({ title, data }: { title: string; data: SeriesData }): Option {
  const cells = data.series.flatMap(({ points }, row) =>
    points.map(([at, value]) => [at, row, value ?? "-"])
  );
  const values = sorted(cells.map(([, , value]) => typeof value === "number" ? value : null));
  const few = cells.length <= 240;
  const [low = 0, high = 1] = [values[0], values.at(-1)];
  return {
    ...frame(title, { legend: false }),
    grid: { left: 40, right: 120, top: 72, bottom: 40, containLabel: true },
    xAxis: {
      type: "category",
      data: data.labels,
      splitArea: { show: true },
      axisLabel: nameLabels(data.labels),
    },
    yAxis: { type: "category", data: data.series.map(({ name }) => name), splitArea: { show: true } },
    visualMap: {
      min: low,
      max: high === low ? low + 1 : high,
      calculable: true,
      orient: "vertical",
      right: 16,
      top: "middle",
      inRange: { color: low < 0 && high > 0 ? ["#3b6fd4", "#f7f7f7", "#d9534f"] : ["#eef3fc", "#3b6fd4"] },
    },
    series: [{
      type: "heatmap",
      label: { show: few, fontSize: 11 },
      data: few ? cells.map((cell) => written(cell, low, high)) : cells,
    }],
  };
}

/** The value of a cell, in letters that stand out from its colour. */
function written(cell: readonly (number | string)[], low: number, high: number): unknown {
  const value = cell[2];
  if (typeof value !== "number") return cell;
  const middle = low < 0 && high > 0 ? (low + high) / 2 : low;
  const isDark = Math.abs(value - middle) > 0.55 * (high - middle);
  return { value: cell, label: { formatter: shortNumber(value), color: isDark ? "#fff" : "#333" } };
}
