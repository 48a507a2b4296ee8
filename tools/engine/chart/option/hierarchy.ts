import { ToolError } from "../../../../schemas/error.ts";
import type { ChartPlan } from "../choose/plan.ts";
import type { Column, TextColumn } from "../table/columns.ts";
import { namerOf } from "../series/series.ts";
import { shortNumber } from "../series/words.ts";
import { COLORS, frame, type Option } from "./frame.ts";

const MOST_LINKS = 200;
const AREA = { top: 72, bottom: 24, left: 24, right: 24 };

/** A name with its value, and what it is made of. */
export interface Branch {
  name: string;
  value: number;
  children: Branch[];
}

/** The sums of numbers by names, and by further names below them. */
export function treeOf({ levels: named, x, y: [size] }: Pick<ChartPlan, "levels" | "x" | "y">): Branch[] {
  const levels = named.length > 0 || x === null ? named : [namesOf(x)];
  const roots: Branch[] = [];
  const known = new Map<string, Branch>();
  levels[0]?.values.forEach((_, row) => {
    const value = size === undefined ? 1 : size.values[row];
    if (value === null || value === undefined || value <= 0) return;
    let siblings = roots;
    let path = "";
    for (const { values } of levels) {
      const name = values[row];
      if (name === null || name === undefined) break;
      path += `${JSON.stringify(name)}\n`;
      let branch = known.get(path);
      if (branch === undefined) {
        branch = { name: String(name), value: 0, children: [] };
        known.set(path, branch);
        siblings.push(branch);
      }
      branch.value = Number((branch.value + value).toPrecision(12));
      siblings = branch.children;
    }
  });
  return roots;
}

/** Points in time, or numbers, as names. */
function namesOf(column: Column): TextColumn {
  const nameOf = namerOf(column);
  const values = column.values.map((value) => value === null ? null : nameOf(value));
  return { kind: "text", name: column.name, ordered: true, values };
}

/**
 * Rectangles, or rings, as large as their values.
 *
 * @throws {ToolError} `invalid_input` without names, or without a value above zero
 */
export function treeOption(
  { title, plan }: { title: string; plan: ChartPlan },
  type: "treemap" | "sunburst",
): Option {
  const data = treeOf(plan);
  if (data.length === 0) {
    throw new ToolError("invalid_input", `A ${type} needs a column of names, and numbers above zero`);
  }
  const treemap = {
    ...AREA,
    roam: false,
    nodeClick: false,
    breadcrumb: { show: false },
    label: { show: true, formatter: "{b}\n{c}" },
    upperLabel: { show: plan.levels.length > 1, height: 22, color: "#333" },
    itemStyle: { borderColor: "#fff", borderWidth: 1, gapWidth: 1 },
    levels: [{ itemStyle: { borderWidth: 0, gapWidth: 4 }, upperLabel: { show: false } }, {}, {}],
  };
  const rings = { center: ["50%", "54%"], radius: ["12%", "84%"], label: { minAngle: 6, fontSize: 12 } };
  return {
    ...frame(title, { legend: false }),
    series: [{ type, ...(type === "treemap" ? treemap : rings), data }],
  };
}

/**
 * Flows between names.
 *
 * @throws {ToolError} `invalid_input` without two columns of names and one of numbers
 */
export function sankeyOption(
  { title, plan, note }: { title: string; plan: ChartPlan; note(text: string): void },
): Option {
  const [from, to] = plan.levels;
  const [size] = plan.y;
  if (from === undefined || to === undefined || size === undefined) {
    throw new ToolError(
      "invalid_input",
      "Flows need two columns of names, the start and the end, and one of numbers",
    );
  }
  const sums = new Map<string, { source: string; target: string; value: number }>();
  from.values.forEach((start, row) => {
    const [end, value] = [to.values[row], size.values[row]];
    if (start === null || end === null || end === undefined || !value || value < 0) return;
    const key = JSON.stringify([start, end]);
    const link = sums.get(key) ?? { source: String(start), target: String(end), value: 0 };
    sums.set(key, { ...link, value: Number((link.value + value).toPrecision(12)) });
  });
  const links = withoutCircles(
    [...sums.values()].toSorted((one, other) => other.value - one.value).slice(0, MOST_LINKS),
  );
  if (links.length < sums.size) {
    note(`${sums.size - links.length} flows are not drawn: they are small, or lead back`);
  }
  const names = new Set(links.flatMap(({ source, target }) => [source, target]));
  const flowOf = (name: string) => {
    const sum = (side: "source" | "target") =>
      links.reduce((all, link) => link[side] === name ? all + link.value : all, 0);
    return shortNumber(Math.max(sum("source"), sum("target")));
  };
  return {
    ...frame(title, { legend: false }),
    series: [{
      type: "sankey",
      ...AREA,
      right: 150,
      nodeAlign: "justify",
      emphasis: { focus: "adjacency" },
      lineStyle: { color: "source", opacity: 0.35, curveness: 0.5 },
      data: [...names].map((name, at) => ({
        name,
        itemStyle: { color: COLORS[at % COLORS.length] },
        label: { formatter: `{b}: ${flowOf(name)}` },
      })),
      links,
    }],
  };
}

/** The library draws no flow that leads back to where it came from. */
function withoutCircles<T extends { source: string; target: string }>(links: readonly T[]): T[] {
  const next = new Map<string, string[]>();
  const reaches = (from: string, to: string): boolean => {
    const seen = new Set([from]);
    for (const name of seen) for (const other of next.get(name) ?? []) seen.add(other);
    return seen.has(to);
  };
  return links.filter(({ source, target }) => {
    if (reaches(target, source)) return false;
    next.set(source, [...(next.get(source) ?? []), target]);
    return true;
  });
}
