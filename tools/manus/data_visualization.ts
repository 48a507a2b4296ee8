import { basename, extname } from "@std/path";
import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import type { ChartWish } from "../engine/chart/choose/chart_wish.ts";
import { type ChartReading, drawChart } from "../engine/chart/reading.ts";
import { readWhole } from "../engine/file/read_whole.ts";
import { askForChart } from "./shared/chart_choice.ts";
import {
  CHART_FOLDER,
  type ChosenInsights,
  findFile,
  freeStem,
  pictureBytes,
  readCharts,
  type WantedChart,
  wishOf,
} from "./shared/chart_files.ts";

const READER_MS = 60_000;

const input = z.object({
  json_path: z.string().describe("Path of the JSON file that was prepared, ending in .json."),
  output_type: z.enum(["png", "html"]).default("html").describe(
    "`png`: a picture; `html`: a page that answers to the pointer.",
  ),
  tool_type: z.enum(["visualization", "insight"]).default("visualization").describe(
    "`visualization`: draw charts of CSV files; `insight`: draw insights onto charts.",
  ),
  language: z.enum(["zh", "en"]).default("en").describe("Language of the insights: English or Chinese."),
});

const output = z.object({
  observation: z.string(),
  success: z.boolean(),
  charts: z.array(
    z.object({ title: z.string(), type: z.string(), path: z.string(), insights: z.array(z.string()) }),
  ),
});
type Input = z.output<typeof input>;
type Drawn = z.output<typeof output>["charts"][number];

export default defineTool({
  name: "data_visualization",
  description:
    "Draws charts of CSV files as PNG, or as HTML pages that need no network, into the folder visualization. Each comes " +
    "with numbered insights: trends, outliers, extremes, turning points, correlations. With tool_type insight, it draws " +
    "chosen insights onto charts that it has made.",
  seeAlso: ["Prepare the JSON file with {visualization_preparation}."],
  input,
  output,
  needs: { read: "granted", write: "granted" },
  readOnly: false,
  parallel: false,
  asksModel: true,
  examples: [{ line: "json_path=charts.json output_type=png", meaning: "Draw charts of CSV files" }],
  limits: { timeoutMs: 300_000 },
  paths: ["json_path"],
  targets: ({ json_path }) => [{ kind: "read", value: json_path }, { kind: "write", value: CHART_FOLDER }],
  run: (input, context) =>
    input.tool_type === "insight" ? markCharts(input, context) : drawCharts(input, context),
  summary: ({ charts, success }) =>
    `${success ? "" : "failed in part, "}${charts.map(({ path }) => path).join(", ")}`,
  text: ({ observation }) => observation,
  errorText: ({ message }) => `Error: ${message}`,
});

async function drawCharts(input: Input, context: ToolContext): Promise<z.output<typeof output>> {
  const wanted = await readCharts(input.json_path, "visualization", context);
  const { done, errors } = await each(
    wanted,
    ({ csvFilePath }) => csvFilePath,
    context,
    (chart) => draw(chart, input, context),
  );
  const shown = done.map(({ title, path, insights }) => {
    const list = insights.map((text, at) => `${at + 1}. ${text}\n`).join("");
    return `## ${title}\nChart saved in: ${path}\n${list === "" ? "\n" : `## ${title} Insights\n${list}`}`;
  });
  const made = done.length === 0 ? "Is EMPTY!" : `Chart Generated Successful!\n${shown.join("")}`;
  const failed = errors.length === 0 ? "" : `# Error chart generated\n${errors.join("\n")}\n`;
  return { observation: failed + made, success: errors.length === 0, charts: done };
}

async function draw(
  chart: WantedChart,
  { output_type, language }: Input,
  context: ToolContext,
): Promise<Drawn> {
  const { csvFilePath, chartTitle: title } = chart;
  const { real } = await findFile(csvFilePath, { folder: "", context });
  const bytes = await readWhole(context, real, "office");
  const drawn = (wish: ChartWish) =>
    drawChart(bytes, { task: "draw", title, language, output: output_type, wish }, {
      context,
      timeoutMs: READER_MS,
    });
  const { type, picture, still, spec, insights, notes } = await drawChosen(chart, bytes, { drawn, context });
  for (const note of notes) context.warn(`${csvFilePath}: ${note}`);
  const stem = await freeStem(csvFilePath, context);
  const write = (ending: string, content: Uint8Array) =>
    context.files.write(`${stem}.${ending}`, content, { createDirs: true, mustNotExist: true });
  const { path } = await write(output_type, pictureBytes(picture, output_type));
  await keepStill(stem, still, context);
  const text = new TextEncoder();
  await write("json", text.encode(spec));
  if (insights.length > 0) {
    const list = insights.map((insight, at) => `${at + 1}. ${insight}\n`).join("");
    await write("md", text.encode(`## ${title} Insights\n${list}`));
  }
  return { title, type, path, insights };
}

/** Where the preparation leaves the choice of the chart open, the model chooses; else, and where that fails, rules do. */
async function drawChosen(
  chart: WantedChart,
  bytes: Uint8Array,
  { drawn, context }: { drawn(wish: ChartWish): Promise<ChartReading>; context: ToolContext },
): Promise<ChartReading> {
  const wish = wishOf(chart);
  const isOpen = [wish.type, wish.x, wish.y, wish.color].every((part) => part === undefined);
  const choice = isOpen ? await askForChart(bytes, chart.chartTitle, context) : null;
  if (choice === null) return await drawn(wish);
  try {
    return await drawn({ ...wish, ...choice });
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "invalid_input") throw error;
    context.warn(`The model's choice does not fit the data, so rules chose: ${error.message}`);
    return await drawn(wish);
  }
}

async function markCharts(input: Input, context: ToolContext): Promise<z.output<typeof output>> {
  const chosen = await readCharts(input.json_path, "insight", context);
  const { done, errors } = await each(
    chosen,
    ({ chartPath }) => chartPath,
    context,
    (choice) => mark(choice, input, context),
  );
  const made = done.length === 0
    ? ""
    : `# Charts Update with Insights\n${done.map(({ path }) => path).join(",")}`;
  const failed = errors.length === 0 ? "" : `# Error in chart insights:\n${errors.join("\n")}\n`;
  return { observation: failed + made, success: errors.length === 0, charts: done };
}

/** The chart is drawn again in its own form, whatever the call says. */
async function mark(
  { chartPath, insights_id }: ChosenInsights,
  { output_type }: Input,
  context: ToolContext,
): Promise<Drawn> {
  const { path: chart } = await findFile(chartPath, { folder: CHART_FOLDER, context });
  const ending = extname(chart);
  const output = ending === ".png" ? "png" as const : ending === ".html" ? "html" as const : output_type;
  const stem = chart.slice(0, chart.length - ending.length);
  const { real } = await findFile(`${stem}.json`, { folder: "", context });
  const bytes = await readWhole(context, real, "office");
  const request = { task: "mark" as const, insights: insights_id, output };
  const { title, type, picture, still, insights } = await drawChart(bytes, request, {
    context,
    timeoutMs: READER_MS,
  });
  const { path } = await context.files.write(`${stem}.${output}`, pictureBytes(picture, output));
  await keepStill(stem, still, context);
  return { title, type, path, insights };
}

/** Keeps the chart with the run as a picture, too: what shows runs opens neither pages that were made in them nor folders. */
async function keepStill(stem: string, still: string, { artifacts }: ToolContext): Promise<void> {
  const name = `${basename(stem).replace(/[^\w .-]/g, "_")}.svg`;
  await artifacts.write(name, new TextEncoder().encode(still));
}

/** Does the same for each chart, one after the other; a chart that fails leaves the others. */
async function each<T, R>(
  charts: readonly T[],
  nameOf: (chart: T) => string,
  context: ToolContext,
  work: (chart: T) => Promise<R>,
): Promise<{ done: R[]; errors: string[] }> {
  const done: R[] = [];
  const errors: string[] = [];
  for (const [at, chart] of charts.entries()) {
    context.progress({ message: nameOf(chart), done: at, total: charts.length });
    try {
      done.push(await work(chart));
    } catch (error) {
      if (!(error instanceof ToolError) || context.signal.aborted) throw error;
      errors.push(`Error in ${nameOf(chart)}: ${error.message}`);
    }
  }
  return { done, errors };
}
