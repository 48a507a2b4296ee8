import { Buffer } from "node:buffer";
import { basename, join } from "@std/path";
import * as z from "zod";

import type { ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { chartWish } from "../../engine/chart/choose/chart_wish.ts";
import { readWhole } from "../../engine/file/read_whole.ts";

/** Where charts go, below the workspace. */
export const CHART_FOLDER = "visualization";
/** Charts of one name. */
const MOST_OF_A_NAME = 100;
const MOST_CHARTS = 100;

/** A chart to be drawn. */
const wanted = z.object({
  csvFilePath: z.string().min(1),
  chartTitle: z.string(),
  chartType: z.string().optional(),
  x: z.string().optional(),
  y: z.union([z.string().transform((name) => [name]), z.array(z.string())]).optional(),
  color: z.string().optional(),
  unit: z.string().optional(),
  stack: z.boolean().optional(),
});

/** Insights to be drawn onto a chart. */
const chosen = z.object({ chartPath: z.string().min(1), insights_id: z.array(z.int()).default([]) });

/** A chart to be drawn, of a line of the JSON file. */
export type WantedChart = z.output<typeof wanted>;
/** A chart to be marked, of a line of the JSON file. */
export type ChosenInsights = z.output<typeof chosen>;

const FORMS = { visualization: wanted, insight: chosen };
const EXAMPLES = {
  visualization: '[{"csvFilePath": "sales.csv", "chartTitle": "Sales"}]',
  insight: '[{"chartPath": "visualization/sales.png", "insights_id": [1, 2]}]',
};

/**
 * Reads the list of charts that the preparation wrote.
 *
 * @throws {ToolError} `invalid_input` if it is no such list; what the guard throws
 */
export async function readCharts<T extends keyof typeof FORMS>(
  path: string,
  type: T,
  context: ToolContext,
): Promise<z.output<typeof FORMS[T]>[]> {
  const { real } = await findFile(path, { folder: "", context });
  const text = new TextDecoder().decode(await readWhole(context, real, "office"));
  const example = EXAMPLES[type];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ToolError("invalid_input", `${path} is no JSON: write it as ${example}`, { cause: error });
  }
  const list = z.array(FORMS[type]).max(MOST_CHARTS).safeParse(Array.isArray(value) ? value : [value]);
  if (list.success) return list.data as z.output<typeof FORMS[T]>[];
  const [issue] = list.error.issues;
  const where = issue?.path.join(".") ?? "";
  throw new ToolError(
    "invalid_input",
    `${path} is no list of charts: ${where}: ${issue?.message ?? "it is wrong"}. Write it as ${example}`,
  );
}

/** What a chart is wished as. */
export function wishOf({ chartType, x, y, color, unit, stack }: WantedChart): z.output<typeof chartWish> {
  return chartWish.parse({ type: chartType, x, y, color, unit, stack });
}

/** Finds a file as it is given, else in a folder of the workspace. */
export async function findFile(
  path: string,
  { folder, context: { files } }: { folder: string; context: ToolContext },
): Promise<{ real: string; path: string }> {
  const given = await files.locate(path, "read");
  if (given.info !== null) return given;
  const below = folder === "" ? given : await files.locate(join(folder, path), "read");
  if (below.info !== null) return below;
  throw new ToolError("not_found", `No such file or directory: ${path}`, { details: { path } });
}

/** The files of a chart, without their endings. */
export async function freeStem(csv: string, { files }: ToolContext): Promise<string> {
  const name = basename(csv).replace(/\.[^.]*$/, "") || "chart";
  for (let turn = 0; turn < MOST_OF_A_NAME; turn++) {
    const stem = join(CHART_FOLDER, `${name}${"_new".repeat(turn)}`);
    const taken = await Promise.all(
      ["png", "html", "json", "md"].map(async (ending) =>
        (await files.locate(`${stem}.${ending}`, "write")).info !== null
      ),
    );
    if (!taken.includes(true)) return stem;
  }
  throw new ToolError(
    "conflict",
    `The folder ${CHART_FOLDER} has ${MOST_OF_A_NAME} charts named ${name}: remove some`,
  );
}

/** The bytes of a picture as the reader gives it. */
export function pictureBytes(picture: string, output: "png" | "html"): Uint8Array {
  return output === "html" ? new TextEncoder().encode(picture) : Buffer.from(picture, "base64");
}
