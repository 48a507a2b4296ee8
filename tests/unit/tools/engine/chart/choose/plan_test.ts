import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../../schemas/error.ts";
import { planChart, typeNamed } from "../../../../../../tools/engine/chart/choose/plan.ts";
import type { ChartWish } from "../../../../../../tools/engine/chart/choose/chart_wish.ts";
import { readTable } from "../../../../../../tools/engine/chart/table/read_table.ts";

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
  const names = [
    "Box Plot",
    "boxplot",
    "Heat Map",
    "heatmap chart",
    "Word Cloud",
    "Dual-Axis Chart",
    "column",
    "donut",
  ];
  assertEquals(names.map(typeNamed), [
    ...["box_plot", "box_plot", "heat_map", "heat_map", "word_cloud", "dual_axis", "bar", "pie"] as const,
  ]);
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
  const cases = [["liquid", "circular_progress"], ["Circle Packing", "treemap"], ["venn", "bar"], [
    "map",
    "bar",
  ]] as const;
  for (const [wished, drawn] of cases) {
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
