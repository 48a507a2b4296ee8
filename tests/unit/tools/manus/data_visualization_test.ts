import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import type { ModelQuestion } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import dataVisualization from "../../../../tools/manus/data_visualization.ts";
import visualizationPreparation from "../../../../tools/manus/visualization_preparation.ts";
import { programTest } from "../../../support/needed_programs.ts";
import { workspace } from "../../../support/run_tool.ts";

const SALES = "month,sales\n2024-01,10\n2024-02,20\n2024-03,30\n2024-04,40\n";
const ONE = JSON.stringify([{ csvFilePath: "sales.csv", chartTitle: "Sales" }]);
const INSIGHTS = `## Sales Insights
1. The overall data shows an increasing trend, with an overall increase of 300.0%.
2. sales is highest at 2024-04 (40) and lowest at 2024-01 (10).
3. The average of sales is 25.
`;

Deno.test("data_visualization() draws a chart and writes its files", async () => {
  using ws = workspace({ "sales.csv": SALES, "charts.json": ONE });
  const { text, result } = await ws.run(dataVisualization, { json_path: "charts.json", output_type: "png" });
  const path = ws.at("visualization/sales.png");
  assertEquals(text, `Chart Generated Successful!\n## Sales\nChart saved in: ${path}\n${INSIGHTS}`);
  assertEquals(result.success, true);
  assertEquals([...ws.bytes("visualization/sales.png").subarray(1, 4)], [80, 78, 71]);
  assertEquals(ws.read("visualization/sales.md"), INSIGHTS);
  assertEquals(JSON.parse(ws.read("visualization/sales.json")).type, "line");
});

Deno.test("data_visualization() makes a page unless it is told otherwise, and takes no name twice", async () => {
  using ws = workspace({ "sales.csv": SALES, "charts.json": ONE });
  for (let turn = 0; turn < 3; turn++) await ws.run(dataVisualization, { json_path: "charts.json" });
  const names = [...Deno.readDirSync(ws.at("visualization"))].map(({ name }) => name);
  const pages = names.filter((name) => name.endsWith(".html"));
  assertEquals(pages.toSorted(), ["sales.html", "sales_new.html", "sales_new_new.html"]);
  assertStringIncludes(ws.read(".artifacts/sales.svg"), "<svg ");
});

Deno.test("data_visualization() takes wishes for the chart from the JSON file", async () => {
  const wish = { chartTitle: "Sales", chartType: "Pie Chart", y: "sales", unit: "万元" };
  const json = JSON.stringify({ csvFilePath: "sales.csv", ...wish });
  using ws = workspace({ "sales.csv": SALES, "charts.json": json });
  const { result } = await ws.run(dataVisualization, { json_path: "charts.json" });
  assertEquals(result.charts[0].type, "pie");
  assertEquals(JSON.parse(ws.read("visualization/sales.json")).option.series[0].name, "sales (万元)");
});

Deno.test("data_visualization() lets the model choose the chart where the JSON file leaves it open", async () => {
  const wish = { csvFilePath: "sales.csv", chartTitle: "Sales", chartType: "bar" };
  using ws = workspace({ "sales.csv": SALES, "open.json": ONE, "bar.json": JSON.stringify(wish) });
  const asked: ModelQuestion[] = [];
  const draw = async (json_path: string, answer: string | null | ToolError) => {
    const model = (question: ModelQuestion) => {
      asked.push(question);
      return answer instanceof ToolError ? Promise.reject(answer) : answer;
    };
    const { result, warnings } = await ws.run(dataVisualization, { json_path }, { model });
    return [result.charts[0].type, ...warnings];
  };
  const chosen = 'Gladly: {"chartType": "Pie Chart", "x": "month", "y": "sales", "color": null}';
  assertEquals(await draw("open.json", chosen), ["pie"]);
  assertEquals(asked.map(({ text }) => text), [`Title: Sales\n\n${SALES}`]);
  assertEquals(await draw("bar.json", chosen), ["bar"]);
  assertEquals(asked.length, 1);
  assertEquals(await draw("open.json", null), ["line"]);
  const lead = "The model chose no chart, so rules did:";
  const [kind, warning] = await draw("open.json", '{"chartType": "hologram"}');
  assertEquals(kind, "line");
  assertStringIncludes(warning, `${lead} There is no chart of the kind "hologram"`);
  for (const useless of ["A line.", "{}", new ToolError("limit_exceeded", "The budget is used up")]) {
    const [type, told] = await draw("open.json", useless);
    assertEquals([type, told?.startsWith(lead)], ["line", true]);
  }
  assertEquals(await draw("open.json", '{"chartType": "bar", "x": "price"}'), [
    "line",
    'The model\'s choice does not fit the data, so rules chose: The CSV file has no column "price": its columns are ' +
    "month, sales",
  ]);
});

Deno.test("data_visualization() draws the charts that it can, and names the others", async () => {
  const files = ["no.csv", "sales.csv", "empty.csv"];
  const list = files.map((csvFilePath) => ({ csvFilePath, chartTitle: "Sales" }));
  using ws = workspace({ "sales.csv": SALES, "empty.csv": "", "charts.json": JSON.stringify(list) });
  const { ok, text, result } = await ws.run(dataVisualization, { json_path: "charts.json" });
  assertEquals([ok, result.success, result.charts.length], [true, false, 1]);
  assertEquals(text.split("\n").slice(0, 4), [
    "# Error chart generated",
    "Error in no.csv: No such file or directory: no.csv",
    "Error in empty.csv: The CSV file is empty",
    "Chart Generated Successful!",
  ]);
});

Deno.test("data_visualization() draws insights onto its charts, and keeps their form", async () => {
  const choice = [
    { chartPath: "sales.png", insights_id: [1, 2] },
    { chartPath: "visualization/sales.png", insights_id: [9] },
  ];
  using ws = workspace({ "sales.csv": SALES, "charts.json": ONE, "insights.json": JSON.stringify(choice) });
  await ws.run(dataVisualization, { json_path: "charts.json", output_type: "png" });
  const before = ws.bytes("visualization/sales.png");
  const insight = { json_path: "insights.json", tool_type: "insight" };
  const { text, result } = await ws.run(dataVisualization, insight);
  assertEquals(
    text,
    "# Error in chart insights:\nError in visualization/sales.png: The chart has no insight 9: it has 1 to 3\n" +
      `# Charts Update with Insights\n${ws.at("visualization/sales.png")}`,
  );
  assertEquals(result.success, false);
  const after = ws.bytes("visualization/sales.png");
  assert(after.length !== before.length || after.some((byte, at) => byte !== before[at]));
});

Deno.test("data_visualization() refuses what is no list of charts, and says how it looks", async () => {
  using ws = workspace({ "text.json": "sales", "wrong.json": '[{"csv":"a"}]' });
  const run = (json_path: string, tool_type = "visualization") =>
    ws.run(dataVisualization, { json_path, tool_type });
  assertMatch((await run("text.json")).text, /^Error: text.json is no JSON: write it as \[\{"csvFilePath"/);
  assertMatch((await run("wrong.json")).text, /0\.csvFilePath/);
  assertMatch((await run("wrong.json", "insight")).text, /0\.chartPath.*"insights_id"/);
  assertEquals((await run("none.json")).error?.code, "not_found");
});

Deno.test("data_visualization() touches nothing outside of what is granted", async () => {
  using ws = workspace({
    "charts.json": '[{"csvFilePath":"/etc/passwd","chartTitle":"x"}]',
    "sales.csv": SALES,
    "ok.json": ONE,
  });
  const { result } = await ws.run(dataVisualization, { json_path: "charts.json" });
  assertEquals([result.success, result.charts], [false, []]);
  const { result: refused } = await ws.run(dataVisualization, { json_path: "ok.json" }, { write: [] });
  assertEquals([refused.success, refused.charts], [false, []]);
});

const PATIENT = { timeoutMs: 60_000 };

const CODE = `
import csv, json
with open("data.csv", "w", newline="", encoding="utf-8") as file:
    csv.writer(file).writerows([["城市", "人口"], ["北京", 21], ["上海", 24]])
with open("charts.json", "w", encoding="utf-8") as file:
    json.dump([{"csvFilePath": "data.csv", "chartTitle": "城市人口"}], file, ensure_ascii=False)
print("charts.json")
`;

programTest("visualization_preparation() writes what data_visualization() draws", ["python3"], async () => {
  await using ws = workspace();
  const input = { code_type: "visualization", code: CODE };
  const { text, result } = await ws.run(visualizationPreparation, input, PATIENT);
  assertEquals(text, '{"observation":"charts.json\\n","success":true}');
  const json_path = result.observation.trim();
  const drawn = await ws.run(dataVisualization, { json_path, output_type: "png", language: "zh" }, PATIENT);
  assertEquals(drawn.result.charts.map(({ type }: { type: string }) => type), ["bar"]);
});

programTest("visualization_preparation() shows what failed", ["python3"], async () => {
  await using ws = workspace();
  const { result } = await ws.run(visualizationPreparation, { code: "1 / 0" }, PATIENT);
  assertEquals([result.success, result.observation.includes("ZeroDivisionError")], [false, true]);
});
