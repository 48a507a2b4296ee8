import { assertEquals } from "@std/assert";

import { SIZED } from "../../../../../../tools/engine/chart/option/frame.ts";
import { renderChart } from "../../../../../../tools/engine/chart/output/library.ts";
import {
  sizedLabelsScript,
  withSizedLabels,
} from "../../../../../../tools/engine/chart/output/sized_labels.ts";
import { drawChartOf } from "../../../../../../tools/engine/chart/draw.ts";

const CSV = "year,GDP\n2021,17800000000000\n2022,18000000000000\n2023,500000000000\n";

Deno.test("withSizedLabels() writes large numbers of an axis with words for their size", async () => {
  const request = { task: "draw", title: "T", language: "en", output: "html", wish: {} } as const;
  const { spec, insights } = await drawChartOf(new TextEncoder().encode(CSV), request);
  const { option } = JSON.parse(spec);
  const labels = (language: "en" | "zh") =>
    [...renderChart(option, language).matchAll(/>([\d.]+(?:[KMBT]|万亿|亿))</g)].map(([, label]) => label);
  assertEquals(labels("en").includes("15T"), true);
  assertEquals(labels("zh").includes("15万亿"), true);
  assertEquals(
    insights.some((text) => text.includes("2022 (18T)") && text.includes("2023 (500B)")),
    true,
  );
});

Deno.test("sizedLabelsScript() does the same in a page", () => {
  const option = { xAxis: undefined, yAxis: [{ axisLabel: { formatter: SIZED } }, {}], series: [] };
  new Function("option", sizedLabelsScript("zh"))(option);
  const write = option.yAxis[0]!.axisLabel!.formatter as unknown as (value: number) => string;
  assertEquals([126.06e12, 5e8, -2e9, 0, 1.5e18].map(write), [
    "126.06万亿",
    "5亿",
    "-20亿",
    "0",
    "1500000000000000000",
  ]);
  const plain = { series: [] };
  assertEquals(withSizedLabels(plain, "en"), plain);
});
