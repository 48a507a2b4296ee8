import { assert, assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import type { ChartWish } from "../../../../../tools/engine/chart/choose/chart_wish.ts";
import { planChart, typeNamed } from "../../../../../tools/engine/chart/choose/plan.ts";
import { findDotInsights, findInsights } from "../../../../../tools/engine/chart/insight/find_insights.ts";
import { binsOf } from "../../../../../tools/engine/chart/option/distribution.ts";
import { placeWords } from "../../../../../tools/engine/chart/option/word_cloud.ts";
import type { Point, SeriesData } from "../../../../../tools/engine/chart/series/series.ts";
import {
  fitLine,
  fiveNumbers,
  pearson,
  quantile,
  robustScores,
  sorted,
  spearman,
} from "../../../../../tools/engine/chart/series/statistics.ts";
import { textWidth } from "../../../../../tools/engine/chart/series/words.ts";
import { readTable } from "../../../../../tools/engine/chart/table/read_table.ts";

function plan(csv: string, title = "", wish: ChartWish = {}) {
  const table = readTable(new TextEncoder().encode(csv));
  const { type, x, y, color } = planChart(table, { title, wish });
  return {
    type,
    x: x?.name ?? null,
    y: y.map(({ name }) => name),
    color: color?.name ?? null,
    notes: table.notes,
  };
}

const CITIES = "city,people\nOslo,7\nRome,28\nCairo,100\n";
const SALES = "month,sales,cost\n2024-01,10,5\n2024-02,12,6\n";

Deno.test("planChart() takes the axis and the series that the title names", () => {
  const planned = (csv: string, title: string) => {
    const { x, color, y } = planChart(readTable(new TextEncoder().encode(csv)), { title, wish: {} });
    return [x?.name, color?.name, y.length];
  };
  const sales =
    "date,store,region,sales\n2024-01-01,s1,north,1\n2024-01-02,s2,south,2\n2024-01-03,s1,north,3\n";
  assertEquals(planned(sales, "Sales by region"), ["region", "store", 1]);
  assertEquals(planned(sales, "Sales over time by region"), ["date", "region", 1]);
  assertEquals(planned(sales, "Sales"), ["date", "store", 1]);
  const people = "name,city\nAnn,Rome\nBob,Oslo\nCid,Rome\n";
  assertEquals(planned(people, "People"), ["city", undefined, 0]);
  assertEquals(planned("名称,城市,值\na,北京,1\nb,上海,2\na,上海,3\n", "各城市的值"), ["城市", "名称", 1]);
});

Deno.test("planChart() chooses the kind by the data", () => {
  const cases: [string, string][] = [
    [CITIES, "bar"],
    [SALES, "line"],
    ["month,sales,rate (%)\n2024-01,1000,5\n2024-02,1200,6\n", "dual_axis"],
    ["a,b\n1,2\n3,4\n", "scatter"],
    ["age\n1\n2\n3\n", "histogram"],
    ["source,target,value\na,b,1\nb,c,2\n", "sankey"],
    ["city\nOslo\nRome\nOslo\n", "bar"],
    ["date,v\n2024-01-01,5\n", "bar"],
    [
      `day,hour,n\n${
        "ABCDEF".split("").flatMap((d) => [1, 2, 3, 4, 5, 6].map((h) => `${d},${h}h,1`)).join("\n")
      }`,
      "heat_map",
    ],
  ];
  for (const [csv, type] of cases) assertEquals(plan(csv).type, type, csv);
});

Deno.test("planChart() follows the words of the title if the data allow it", () => {
  const cases: [string, string, string][] = [
    [CITIES, "Share of people", "pie"],
    [CITIES, "各城市人口占比", "pie"],
    [CITIES, "Funnel", "funnel"],
    [CITIES, "词云", "word_cloud"],
    [CITIES, "Correlation of people", "bar"],
    [CITIES, "Line by line", "bar"],
    ["month,sales,rate (%)\n1月,1000,5\n2月,1200,6\n", "Sales trend", "dual_axis"],
    [SALES, "Area chart", "area"],
    [SALES, "Sales versus cost", "scatter"],
    ["name,a,b,c\nx,1,2,3\ny,4,5,6\n", "Radar", "radar"],
  ];
  for (const [csv, title, type] of cases) assertEquals(plan(csv, title).type, type, title);
});

Deno.test("planChart() follows wishes, and refuses what is not there", () => {
  const { type, x, y } = plan(SALES, "Share", { type: "Bar Chart", x: "MONTH", y: ["cost"] });
  assertEquals([type, x, y], ["bar", "month", ["cost"]]);
  assertThrows(() => plan(SALES, "", { type: "spiral" }), ToolError, "choose one of bar, line");
  assertThrows(() => plan(SALES, "", { x: "day" }), ToolError, "its columns are month, sales, cost");
  assertThrows(() => plan(CITIES, "", { y: ["city"] }), ToolError, "holds no numbers");
  assertThrows(() => plan("city\nOslo\n", "", { type: "scatter" }), ToolError, "needs a column of numbers");
});

Deno.test("planChart() draws parts with a negative one as bars, and says so", () => {
  const { type, notes } = plan("unit,profit\nA,10\nB,-5\n", "Share of profit");
  assertEquals(type, "bar");
  assertEquals(notes.length, 1);
});

Deno.test("typeNamed() knows kinds as people write them", () => {
  const names = "Box Plot,boxplot,Heat Map,heatmap chart,Word Cloud,Dual-Axis Chart,column,donut".split(",");
  const kinds = "box_plot,box_plot,heat_map,heat_map,word_cloud,dual_axis,bar,pie".split(",");
  assertEquals<(string | null)[]>(names.map(typeNamed), kinds);
});

Deno.test("planChart() draws the columns of numbers that the title names", () => {
  const brands = "brand,market share,price,profit\nA,0.5,7068,3145\nB,0.2,6059,-5\nC,0.1,3406,12\n";
  assertEquals(plan(brands, "Show market share of each brand").y, ["market share"]);
  assertEquals(plan(brands, "Show market share of each brand").type, "pie");
  assertEquals(plan(brands, "Prices and profits").y, ["price", "profit"]);
  assertEquals(plan(brands, "Compare them in a scatter plot: price").y.length, 3);
  assertEquals(plan(brands, "All").y.length, 3);
  const steps = "process,conversion rate,month\nS1,100,1\nS2,80,1\nS3,60,1\n";
  const { type, y, notes } = plan(steps, "Show conversion rates for each process");
  assertEquals([type, y], ["funnel", ["conversion rate"]]);
  assertEquals(notes, ['Of 2 columns of numbers, those that the title names are drawn: "conversion rate"']);
});

Deno.test("planChart() understands words for what a chart shows", () => {
  const words = `keyword,popularity\n${
    Array.from({ length: 20 }, (_, at) => `w${at},${at + 1}`).join("\n")
  }\n`;
  const days = `day,men,women\n${
    "Mon Tue Wed Thu Fri Sat Sun".split(" ").map((day) => `${day},1,2`).join("\n")
  }\n`;
  const aspects = "dimension,performance\nStrength,5\nSpeed,5\nShooting,3\n";
  const hours = `day,hour,visits\n${
    "ABC".split("").flatMap((day) => [0, 1, 2].map((hour) => `${day},${hour},5`)).join("\n")
  }\n`;
  assertEquals(plan(words, "Show the popularity of search keywords").type, "word_cloud");
  assertEquals(plan("keyword,popularity\na,1\nb,2\n", "Keywords").type, "bar");
  assertEquals(plan(days, "Show the difference between men and women").type, "bar");
  assertEquals(plan(aspects, "Is he a hexagonal warrior").type, "radar");
  const { type, y, color } = plan(hours, "Heat map of visits");
  assertEquals([type, y, color], ["heat_map", ["visits"], "hour"]);
});

Deno.test("planChart() says what it draws in place of a kind that there is not", () => {
  const cases = { liquid: "circular_progress", "Circle Packing": "treemap", venn: "bar", map: "bar" };
  for (const [wished, drawn] of Object.entries(cases)) {
    const { type, notes } = plan(CITIES, "T", { type: wished });
    assertEquals(type, drawn, wished);
    assertEquals(notes.filter((note) => note.endsWith(`${drawn} is drawn in its place`)).length, 1, wished);
  }
  assertEquals(plan(CITIES, "动态条形图").type, "bar");
  assertEquals(plan(CITIES, "A map of treemap things").type, "treemap");
});

Deno.test("planChart() draws twelve columns at most, unless others are wished", () => {
  const head = Array.from({ length: 15 }, (_, at) => `metric ${at}`);
  const csv = `month,${head.join(",")}\n2024-01,${head.map(() => 1)}\n2024-02,${head.map((_, at) => at)}\n`;
  assertEquals(plan(csv).y.length, 12);
  assertEquals(plan(csv, "", { y: head }).y.length, 15);
});

Deno.test("planChart() makes no series of names that come with one row of the axis each", () => {
  const csv = "month,sales,remark\n1月,120,good\n2月,98,low\n3月,143,best\n";
  assertEquals(plan(csv).color, null);
  assertEquals(plan(csv, "Sales by month and remark").color, "remark");
  assertEquals(plan(csv, "", { color: "remark" }).color, "remark");
});

function data(series: Record<string, (number | null)[]>, more: Partial<SeriesData> = {}): SeriesData {
  const [first = []] = Object.values(series);
  return {
    axis: "category",
    name: "k",
    ordered: true,
    joined: false,
    labels: first.map((_, at) => `p${at + 1}`),
    series: Object.entries(series).map(([name, values]) => ({
      name,
      unit: null,
      points: values.map((value, at): Point => [at, value]),
    })),
    ...more,
  };
}

const kinds = (found: { kind: string }[]) => found.map(({ kind }) => kind);

Deno.test("findInsights() finds where a series turns", () => {
  const [insight] = findInsights(data({ a: [1, 3, 5, 7, 9, 7, 5, 3, 1] }), "en");
  assertEquals(insight, {
    kind: "turning_point",
    text: "Turning point of a at p5, with a value of 9: it rises before it and falls after it.",
    marks: [{ form: "point", series: 0, at: [4, 9], text: "p5", lower: false }],
  });
  assertEquals(
    findInsights(data({ a: [9, 7, 5, 3, 1, 3, 5, 7, 9] }), "zh")[0]?.text,
    "“a”在 p5 出现转折点，值为 1：此前下降，此后上升。",
  );
});

Deno.test("findInsights() finds series that go together, and those that go apart", () => {
  const up = [1, 5, 2, 8, 3, 9];
  const found = findInsights(data({ a: up, b: up.map((value) => 20 - value), c: [4, 4, 5, 4, 4, 5] }), "en");
  assertEquals(found[0]?.text, "a and b have a strong negative correlation: Pearson -1.00, Spearman -1.00.");
  assertEquals(found.filter(({ kind }) => kind === "correlation").length, 1);
});

Deno.test("findInsights() finds what makes up most, where there is no order", () => {
  const found = findInsights(data({ a: [70, 20, 10] }, { ordered: false }), "en");
  assertEquals(kinds(found), ["majority", "extremes", "average"]);
  assertEquals(found[0]?.text, "p1 makes up 70.0% of a.");
});

Deno.test("findInsights() says no trend of noise, of few points, and of names, nor that these turn", () => {
  const noise = data({ a: [5, 1, 6, 2, 5, 1, 6, 2] });
  const names = data({ a: [1, 2, 3, 4, 5] }, { ordered: false });
  for (const one of [noise, data({ a: [1, 2, 3] }), names]) {
    assertEquals(kinds(findInsights(one, "en")).filter((kind) => /^(?:trend|turning_point)$/.test(kind)), []);
  }
});

Deno.test("findInsights() says nothing of what is missing or all the same", () => {
  assertEquals(findInsights(data({ a: [null, null] }), "en"), []);
  assertEquals(findInsights(data({ a: [3] }), "en"), []);
  assertEquals(findInsights(data({ a: [3, 3, 3, null, 3] }), "en"), []);
});

Deno.test("findInsights() writes values with their units, and says of what an average is", () => {
  const values = data({ a: [70, 20, 11] }, { ordered: false, joined: true, name: "city" });
  const texts = (unit: string, language: "en" | "zh") =>
    findInsights({ ...values, series: values.series.map((one) => ({ ...one, unit })) }, language)
      .map(({ text }) => text);
  assertEquals(texts("$", "en"), [
    "p1 makes up 69.3% of a.",
    "a is highest at p1 ($70) and lowest at p3 ($11).",
    "The average of a per city is $33.67.",
  ]);
  // Parts of a hundred do not add up to a whole.
  assertEquals(texts("%", "zh"), [
    "“a”的最大值为 p1（70%），最小值为 p3（11%）。",
    "按“city”汇总，“a”的平均值为 33.67%。",
  ]);
  assertEquals(texts("kg", "zh")[1], "“a”的最大值为 p1（70 kg），最小值为 p3（11 kg）。");
});

Deno.test("findInsights() gives at most six", () => {
  const wild = [1, 9, 2, 40, 3, 8, 4, 9, 5, 12];
  assertEquals(findInsights(data({ a: wild, b: wild, c: wild }), "en").length, 6);
});

Deno.test("findDotInsights() finds how two numbers go together, and the dot that does not", () => {
  const points = Array.from(
    { length: 20 },
    (_, at): [number, number] => [at, at === 10 ? 90 : 2 * at + at % 3],
  );
  const found = findDotInsights({ names: ["x", "y"], unit: null, points }, "en");
  assertEquals(found[0]?.text, "x 10 (90) is an outlier of y.");
  const others = points.filter(([x]) => x !== 10);
  const sound = findDotInsights({ names: ["x", "y"], unit: "kg", points: others }, "zh");
  assertEquals(sound[0]?.text, "“x”与“y”存在强正相关：Pearson 1.00，Spearman 1.00。");
  assertEquals(sound[0]?.marks[0]?.form, "line");
});

Deno.test("binsOf() counts every value once, between round numbers", () => {
  const cases = [
    [1, 2, 3],
    [0, 100],
    [-5, -4.5, 0, 7],
    [3, 3, 3],
    Array.from({ length: 1000 }, (_, at) => at / 7),
  ];
  for (const values of cases) {
    const { start, width, counts } = binsOf(values.toSorted((one, other) => one - other));
    assertEquals(counts.reduce((sum, count) => sum + count, 0), values.length);
    assert(start <= Math.min(...values) && start + width * counts.length >= Math.max(...values));
    assert(counts.length <= 42, `${counts.length} bins`);
  }
  assertEquals(binsOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).width, 2);
});

Deno.test("placeWords() places the largest in the middle, and none upon another or outside", () => {
  const words = Array.from(
    { length: 120 },
    (_, at) => [at % 3 === 0 ? `词语${at}` : `word${at}`, 120 - at] as const,
  );
  const placed = placeWords(words);
  assert(placed.length > 110, `only ${placed.length} words`);
  assertEquals([placed[0]?.text, placed[0]?.x], ["词语0", 500]);
  const boxes = placed.map(({ text, size, x, y }) => ({ x, y, width: textWidth(text) * size, height: size }));
  for (const [at, one] of boxes.entries()) {
    assert(one.x - one.width / 2 >= 0 && one.x + one.width / 2 <= 1000 && one.y - one.height / 2 >= 60);
    const hit = boxes.slice(at + 1).find((other) =>
      Math.abs(one.x - other.x) * 2 < one.width + other.width &&
      Math.abs(one.y - other.y) * 2 < one.height + other.height
    );
    assertEquals(hit, undefined);
  }
});

const at = (values: number[]) => values.map((value, x) => [x, value] as const);
const about = (value: number, digits = 3) => Number(value.toFixed(digits));

Deno.test("quantile() and fiveNumbers() are those of common statistics", () => {
  const values = sorted([9, 1, null, 7, 3, 5]);
  assertEquals(values, [1, 3, 5, 7, 9]);
  assertEquals([0, 0.25, 0.5, 0.9].map((part) => about(quantile(values, part))), [1, 3, 5, 8.2]);
  // R: boxplot.stats(c(1:9, 30)) has 30 beyond the whiskers.
  assertEquals(fiveNumbers(sorted([1, 2, 3, 4, 5, 6, 7, 8, 9, 30])), {
    box: [1, 3.25, 5.5, 7.75, 9],
    beyond: [30],
  });
});

Deno.test("fitLine() finds the line of least squares", () => {
  const { slope, start, fit } = fitLine(at([1, 3, 2, 5, 4]));
  assertEquals([about(slope), about(start), about(fit)], [0.8, 1.4, 0.64]);
  assertEquals(fitLine(at([4, 4, 4])).slope, 0);
});

Deno.test("pearson() and spearman() agree with textbooks", () => {
  // Anscombe's first quartet.
  const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
  const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
  const pairs = x.map((left, index) => [left, y[index]!] as const);
  assertEquals([about(pearson(pairs)), about(spearman(pairs))], [0.816, 0.818]);
  assertEquals(about(spearman([[1, 1], [2, 4], [3, 9], [4, 16]])), 1);
  assertEquals(about(pearson([[1, 3], [2, 2], [3, 1]])), -1);
  assert(Number.isNaN(pearson([[1, 5], [2, 5]])));
});

Deno.test("robustScores() marks what lies far off, also where most are equal", () => {
  const scores = robustScores([10, 11, 9, 10, 12, 10, 50]);
  assertEquals(scores.map((score) => Math.abs(score) > 3.5).indexOf(true), 6);
  assertEquals(robustScores([5, 5, 5]), [0, 0, 0]);
  assert(robustScores([5, 5, 5, 5, 5, 5, 9])[6]! > 3.5);
});
