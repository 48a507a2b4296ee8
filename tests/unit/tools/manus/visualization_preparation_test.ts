import { assertEquals } from "@std/assert";

import dataVisualization from "../../../../tools/manus/data_visualization.ts";
import visualizationPreparation from "../../../../tools/manus/visualization_preparation.ts";
import { programTest } from "../../../support/needed_programs.ts";
import { workspace } from "../../../support/run_tool.ts";

/** A busy machine may take its time to start Python. */
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
  const { text, result } = await ws.run(
    visualizationPreparation,
    { code_type: "visualization", code: CODE },
    PATIENT,
  );
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
