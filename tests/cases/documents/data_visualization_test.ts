import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { scriptedModel } from "../../support/scripted_model.ts";
import { tell } from "../../support/cli/agent_scene.ts";
import { makeScene } from "../../support/cli/scene.ts";

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

/** Python that writes JSON, and prints where. */
const python = (json: string, path: string) =>
  `open(${JSON.stringify(path)}, "w").write(${JSON.stringify(json)})
print(${JSON.stringify(path)})`;

Deno.test("the agent data_analysis prepares data, draws a chart, and draws an insight onto it", async () => {
  using scene = makeScene({ "ws/sales.csv": FILES["ws/sales.csv"] });
  const charts = python(FILES["ws/charts.json"], "charts.json");
  const insights = python('[{"chartPath":"sales.png","insights_id":[1]}]', "insights.json");
  const call = (name: string, input: unknown) => ({ tool_calls: [{ name, arguments: input }] });
  await using model = scriptedModel([
    call("visualization_preparation", { code_type: "visualization", code: charts }),
    call("data_visualization", { json_path: "charts.json", output_type: "png" }),
    { text: '{"chartType": "line"}' },
    call("visualization_preparation", { code_type: "insight", code: insights }),
    call("data_visualization", { json_path: "insights.json", output_type: "png", tool_type: "insight" }),
    call("terminate", { status: "success" }),
  ]);
  const words = ["Which months sold most?", "--agent=data_analysis", "--no-session", "--allow-run=python3"];
  const { code, run, stderr } = await tell(scene, model, words);
  assertEquals([code, run.state, run.usage.failed], [0, "completed", 0], stderr);
  assertStringIncludes(JSON.stringify(model.requests.at(-1)), "# Charts Update with Insights");
  assert(scene.exists("ws/visualization/sales.png"));
});
