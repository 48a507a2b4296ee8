import * as z from "zod";

import type { ToolContext } from "../../../schemas/context.ts";
import { chartWish } from "./choose/chart_wish.ts";

const output = z.enum(["png", "html"]);

/** What is asked of the reader of charts, besides the bytes. */
export const chartRequest = z.discriminatedUnion("task", [
  z.object({
    /** The bytes are a CSV file, and a chart is drawn. */
    task: z.literal("draw"),
    title: z.string(),
    language: z.enum(["en", "zh"]),
    output,
    wish: chartWish,
  }),
  z.object({
    /** The bytes are the JSON file of a chart, and it is drawn again with some of its insights. */
    task: z.literal("mark"),
    /** Numbers of insights, from 1. */
    insights: z.array(z.int()),
    output,
  }),
]);

/** What the reader of charts made. */
export const chartReading = z.object({
  title: z.string(),
  type: z.string(),
  /** The picture: base64 of a PNG, or the text of a page. */
  picture: z.string(),
  /** The chart as SVG, for who shows runs and opens no pages and no folders. */
  still: z.string(),
  /** The chart as JSON: its options, and its insights. */
  spec: z.string(),
  insights: z.array(z.string()),
  /** What was repaired, guessed or left out. */
  notes: z.array(z.string()),
});

/** One of {@linkcode chartRequest}. */
export type ChartRequest = z.output<typeof chartRequest>;
/** One of {@linkcode chartReading}. */
export type ChartReading = z.output<typeof chartReading>;

/**
 * Draws a chart in a room that holds nothing but the bytes.
 *
 * @param options `timeoutMs` is the longest time of the reader, in milliseconds
 * @throws {ToolError} `invalid_input` for bytes or wishes that make no chart; `limit_exceeded`; `timeout`
 */
export async function drawChart(
  bytes: Uint8Array,
  request: ChartRequest,
  options: { context: ToolContext; timeoutMs: number },
): Promise<ChartReading> {
  const { context, timeoutMs } = options;
  // The reader may have read hostile bytes: its answer is not trusted.
  return chartReading.parse(await context.documents.read("chart", bytes, { input: request, timeoutMs }));
}
