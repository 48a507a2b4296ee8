import * as z from "zod";

import { ToolError } from "../../../schemas/error.ts";
import type { Section, TextBudget } from "./text/text.ts";

const text = z.union([z.string(), z.array(z.string())]).transform((text) =>
  typeof text === "string" ? text : text.join("")
);

const output = z.looseObject({
  output_type: z.string(),
  text: text.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
  traceback: z.array(z.string()).optional(),
});

const cell = z.looseObject({
  cell_type: z.string(),
  source: text.default(""),
  execution_count: z.int().nullish(),
  outputs: z.array(output).default([]),
});

const notebook = z.looseObject({ nbformat: z.int(), cells: z.array(cell) });

type Output = z.output<typeof output>;

/**
 * Reads a Jupyter notebook, a section for each cell: its source, and the text that it printed or returned. Pictures
 * are only named.
 *
 * @throws {ToolError} `invalid_input` if it is not a notebook of format 4
 */
export function readNotebook(json: string, budget: TextBudget): Section[] {
  const { cells } = parseNotebook(json);
  return cells.map(({ cell_type, execution_count, source, outputs }, index) => {
    const count = typeof execution_count === "number" ? ` [${execution_count}]` : "";
    const printed = outputs.map(outputText).filter((text) => text !== "").join("\n");
    const text = [source, ...(printed === "" ? [] : [`Output:\n${printed}`])].join("\n\n").trim();
    budget.spend(text.length);
    return { title: `Cell ${index + 1} (${cell_type})${count}`, text };
  });
}

function parseNotebook(json: string): z.output<typeof notebook> {
  const stored = parseJson(json);
  const old = z.object({ nbformat: z.int().max(3) }).safeParse(stored);
  if (old.success) {
    const message =
      `The notebook has the old format ${old.data.nbformat}: convert it with jupyter nbconvert --to notebook`;
    throw new ToolError("invalid_input", message);
  }
  const parsed = notebook.safeParse(stored);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.map(String).join(".") || "the top";
  throw new ToolError(
    "invalid_input",
    `The file is not a Jupyter notebook: ${where}: ${issue?.message ?? "wrong"}`,
  );
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ToolError("invalid_input", `The notebook is not valid JSON: ${error.message}`, {
      cause: error,
    });
  }
}

function outputText({ text: printed, data = {}, ename, evalue, traceback = [] }: Output): string {
  if (ename !== undefined) return traceText(`${ename}: ${stripColors(evalue ?? "")}`, traceback);
  if (printed !== undefined) return lastFrames(stripColors(printed)).trimEnd();
  const plain = text.safeParse(data["text/plain"] ?? data["text/markdown"]);
  const others = Object.keys(data).filter((type) => !plain.success || type.startsWith("image/"));
  return [...(plain.success ? [plain.data.trimEnd()] : []), ...others.map((type) => `[${type}]`)].join("\n");
}

/** Longest traceback, in lines: the call that failed stands first, and the cause last. */
const TRACE_START = 20;
const TRACE_END = 40;

function traceText(error: string, traceback: readonly string[]): string {
  const lines = stripColors(traceback.join("\n")).trimEnd().split("\n");
  const cut = lines.length - TRACE_START - TRACE_END;
  if (cut > 0) lines.splice(TRACE_START, cut, `… ${cut} more lines of the traceback`);
  const trace = lines.join("\n");
  return trace.includes(error) ? trace : `${trace}\n${error}`.trim();
}

/** Of what a program wrote over itself in a line, a person sees the last. */
function lastFrames(text: string): string {
  return text.replace(/\r+\n/g, "\n").replace(/[^\n]*\r(?=[^\n])/g, "").replaceAll("\r", "");
}

/** Programs colour what they print for terminals, and make links of it. */
function stripColors(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))/g, "");
}
