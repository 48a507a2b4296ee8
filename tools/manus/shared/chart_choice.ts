import * as z from "zod";

import type { ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { CHART_TYPES, type ChartWish } from "../../engine/chart/choose/chart_wish.ts";
import { typeNamed } from "../../engine/chart/choose/plan.ts";
import { decodeText } from "../../engine/file/decode_text.ts";

/** Bytes and lines of a file that the model sees. */
const SEEN_BYTES = 4_000;
const SEEN_LINES = 20;
const NEWLINE = 0x0a;

const TASK =
  "Choose the chart that shows the data of a CSV file best. Below are the title of the chart and the first lines of the " +
  'file. Answer with one JSON object and nothing else: {"chartType": …, "x": …, "y": […], "color": …}. chartType is ' +
  `one of ${
    CHART_TYPES.join(", ")
  }. x is the column of the axis or of the names, y the columns of numbers, color the ` +
  "column whose names become series. Leave out x, y and color where the columns leave no choice.";

const name = z.string().min(1).nullish().transform((column) => column ?? undefined);
const choice = z.object({
  chartType: z.string(),
  x: name,
  y: z.union([z.string().transform((column) => [column]), z.array(z.string())]).nullish()
    .transform((columns) => columns?.length ? columns : undefined),
  color: name,
});

/**
 * Asks the model of the run which chart shows a file best.
 *
 * @param bytes The CSV file
 * @returns `null` if no model answers, or nothing of use: then the rules choose
 */
export async function askForChart(
  bytes: Uint8Array,
  title: string,
  context: ToolContext,
): Promise<ChartWish | null> {
  const lines = decodeText(beginningOf(bytes)).text.split("\n").slice(0, SEEN_LINES);
  try {
    const answer = await context.askModel({ task: TASK, text: `Title: ${title}\n\n${lines.join("\n")}` });
    if (answer === null) return null;
    const { chartType, ...columns } = choice.parse(objectIn(answer));
    return { type: typeNamed(chartType), ...columns };
  } catch (error) {
    if (context.signal.aborted || !isOfNoUse(error)) throw error;
    context.warn(`The model chose no chart, so rules did: ${error.message}`);
    return null;
  }
}

/** Whole lines, so that no character is cut. */
function beginningOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= SEEN_BYTES) return bytes;
  const beginning = bytes.subarray(0, SEEN_BYTES);
  return beginning.subarray(0, beginning.lastIndexOf(NEWLINE) + 1);
}

/** The model may say something around it. */
function objectIn(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1));
}

function isOfNoUse(error: unknown): error is Error {
  return error instanceof ToolError || error instanceof SyntaxError || error instanceof z.ZodError;
}
