import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { planChart, typeNamed } from "../../../../../tools/engine/chart/choose/plan.ts";
import type { ChartWish } from "../../../../../tools/engine/chart/choose/chart_wish.ts";
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
  assertEquals(planned("名称,城市,值\na,北京,1\nb,上海,2\n", "各城市的值"), ["城市", "名称", 1]);
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
