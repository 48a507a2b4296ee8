import { Buffer } from "node:buffer";

import * as z from "zod";

import { ToolError } from "../../../schemas/error.ts";
import { planChart } from "./choose/plan.ts";
import { drawInsights } from "./insight/draw_insights.ts";
import type { Insight } from "./insight/find_insights.ts";
import { buildOption } from "./build_option.ts";
import type { Option } from "./option/frame.ts";
import type { Language } from "./series/words.ts";
import type { ChartReading, ChartRequest } from "./reading.ts";
import { readTable } from "./table/read_table.ts";

const VERSION = 1;
const MOST_NOTES = 20;

const pair = z.tuple([z.number(), z.number()]);
const mark = z.discriminatedUnion("form", [
  z.object({
    form: z.literal("point"),
    series: z.int(),
    at: pair,
    text: z.string(),
    lower: z.boolean().optional(),
  }),
  z.object({ form: z.literal("line"), series: z.int(), from: pair, to: pair, text: z.string() }),
  z.object({ form: z.literal("level"), series: z.int(), value: z.number(), text: z.string() }),
]);
/** The JSON file of a chart. */
const spec = z.object({
  version: z.literal(VERSION),
  title: z.string(),
  type: z.string(),
  language: z.enum(["en", "zh"]),
  option: z.looseObject({ series: z.array(z.record(z.string(), z.unknown())) }),
  insights: z.array(z.object({ kind: z.string(), text: z.string(), marks: z.array(mark) })),
});
type Spec = z.output<typeof spec>;

/**
 * Draws a chart of a CSV file, or draws one again with some of its insights.
 *
 * @throws {ToolError} `invalid_input` for bytes or wishes that make no chart; `limit_exceeded` for too many rows
 */
export async function drawChartOf(bytes: Uint8Array, request: ChartRequest): Promise<ChartReading> {
  return request.task === "draw" ? await drawTable(bytes, request) : await drawAgain(bytes, request);
}

async function drawTable(
  bytes: Uint8Array,
  { title, language, output, wish }: Extract<ChartRequest, { task: "draw" }>,
): Promise<ChartReading> {
  const table = readTable(bytes);
  const plan = planChart(table, { title, wish });
  const { option, insights } = buildOption({ title, language, plan, table });
  const made: Spec = { version: VERSION, title, type: plan.type, language, option, insights };
  if (output === "png" && (await import("./output/png.ts")).lacksFont(JSON.stringify(option))) {
    table.notes.push(
      "Some letters are in a script that the PNG has no font for: choose html, which uses the viewer's fonts",
    );
  }
  return {
    ...factsOf(made),
    ...await pictureOf(option, { title, language, output, shown: [] }),
    notes: table.notes.slice(0, MOST_NOTES),
  };
}

async function drawAgain(
  bytes: Uint8Array,
  { insights: numbers, output }: Extract<ChartRequest, { task: "mark" }>,
): Promise<ChartReading> {
  const made = readSpec(bytes);
  const chosen = numbers.map((number) => {
    const found = made.insights[number - 1];
    if (found) return found as Insight;
    const known = made.insights.length === 0 ? "it has none" : `it has 1 to ${made.insights.length}`;
    throw new ToolError("invalid_input", `The chart has no insight ${number}: ${known}`);
  });
  const option = drawInsights(made.option as Option, chosen);
  const shown = chosen.map(({ text }) => text);
  return { ...factsOf(made), ...await pictureOf(option, { ...made, output, shown }), notes: [] };
}

function readSpec(bytes: Uint8Array): Spec {
  try {
    return spec.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new ToolError(
      "invalid_input",
      "The JSON file beside the chart was not written by data_visualization",
      {
        cause: error,
      },
    );
  }
}

function factsOf(made: Spec): Pick<ChartReading, "title" | "type" | "spec" | "insights"> {
  const { title, type, insights } = made;
  return { title, type, spec: `${JSON.stringify(made)}\n`, insights: insights.map(({ text }) => text) };
}

async function pictureOf(
  option: Option,
  { title, language, output, shown }: {
    title: string;
    language: Language;
    output: "png" | "html";
    shown: string[];
  },
): Promise<Pick<ChartReading, "picture" | "still">> {
  // The renderer gets ready while the library is loaded.
  const png = output === "png" ? await import("./output/png.ts") : null;
  const { renderChart, libraryCode } = await import("./output/library.ts");
  const still = renderChart(option, language);
  if (png !== null) return { picture: Buffer.from(await png.pngOf(still)).toString("base64"), still };
  const { pageOf } = await import("./output/page.ts");
  return { picture: await pageOf(option, { title, language, insights: shown, code: libraryCode }), still };
}
