import { join } from "@std/path";

import { median, OpenBatch, timeCommand } from "./measure.ts";
import type { Ratio } from "./report.ts";

const RUNS = 7;
/** Longest time that a picture of a chart may take, in milliseconds. */
const MOST_MS = 500;
const MONTHS = 24;

/** Measures a chart as PNG, by a program that starts for it and in a running batch. */
export async function benchCharts(label: string, argv: readonly string[], folder: string): Promise<Ratio[]> {
  const rows = Array.from(
    { length: MONTHS },
    (_, at) =>
      `${2023 + Math.floor(at / 12)}-${String(at % 12 + 1).padStart(2, "0")},${100 + 7 * at},${40 + at}`,
  );
  await Deno.writeTextFile(join(folder, "sales.csv"), `month,sales,costs\n${rows.join("\n")}\n`);
  const charts = [{ csvFilePath: "sales.csv", chartTitle: "Sales and costs" }];
  await Deno.writeTextFile(join(folder, "charts.json"), JSON.stringify(charts));
  const input = { json_path: "charts.json", output_type: "png" };
  const call = [...argv, "call", "data_visualization", JSON.stringify(input), "-C", folder];
  const cold = await afresh(folder, async () => (await timeCommand(call)).ms);
  const batch = new OpenBatch(argv, folder);
  const warm = await afresh(folder, async () => (await batch.call("data_visualization", input)).ms);
  await batch.close();
  return [
    { name: `${label} chart as PNG, program and all`, ms: cold, peer: "at most", peerMs: MOST_MS, bound: 1 },
    { name: `${label} chart as PNG, in a batch`, ms: warm, peer: "at most", peerMs: MOST_MS, bound: 1 },
  ];
}

/** The files of earlier runs would make the program look for other names. */
async function afresh(folder: string, work: () => Promise<number>): Promise<number> {
  return await median(RUNS, async () => {
    const ms = await work();
    await Deno.remove(join(folder, "visualization"), { recursive: true });
    return ms;
  });
}
