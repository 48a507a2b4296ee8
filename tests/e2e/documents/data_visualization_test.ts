import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { makeScene } from "../support/scene.ts";

const FILES = {
  "ws/sales.csv": "月份,销售额（万元）\n2024-01,10\n2024-02,20\n2024-03,30\n2024-04,45\n",
  "ws/charts.json": '[{"csvFilePath":"sales.csv","chartTitle":"各月销售额"}]',
  "ws/insights.json": '[{"chartPath":"visualization/sales.png","insights_id":[1,2]}]',
  "secret.csv": "a,b\nx,1\n",
  "ws/outside.json": '[{"csvFilePath":"../secret.csv","chartTitle":"x"}]',
};

Deno.test("data_visualization draws PNG and pages in its rooms, and insights onto them", async () => {
  using scene = makeScene(FILES);
  const draw = (input: Record<string, unknown>) =>
    scene.call("data_visualization", { language: "zh", ...input });
  const png = await draw({ json_path: "charts.json", output_type: "png" });
  assertEquals([png.code, png.ok, png.warnings], [0, true, []]);
  assertStringIncludes(png.text, "1. 整体数据呈上升趋势，整体增长 350.0%。");
  const before = Deno.readFileSync(scene.at("ws/visualization/sales.png"));
  assertEquals([...before.subarray(1, 4)], [80, 78, 71]);
  assertEquals((await draw({ json_path: "charts.json" })).ok, true);
  assertStringIncludes(scene.read("ws/visualization/sales_new.html"), "default-src 'none'");
  const marked = await draw({ json_path: "insights.json", tool_type: "insight" });
  assertEquals([marked.ok, marked.text.split("\n")[0]], [true, "# Charts Update with Insights"]);
  assert(Deno.readFileSync(scene.at("ws/visualization/sales.png")).length > before.length);
});

Deno.test("data_visualization reads and writes only what is granted", async () => {
  using scene = makeScene(FILES);
  const outside = await scene.call("data_visualization", { json_path: "outside.json" });
  assertStringIncludes(outside.text, "Error in ../secret.csv");
  const readOnly = await scene.call("data_visualization", { json_path: "charts.json" }, [
    "--policy=read-only",
  ]);
  assertEquals([readOnly.code, readOnly.error?.code], [3, "permission_denied"]);
  assertEquals(scene.exists("ws/visualization"), false);
});
