import { join } from "@std/path";
import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { SourceBook, SOURCES } from "../engine/web/sources/source_book.ts";
import { checkCitations, localTime, reportName, reportText } from "./shared/report.ts";
import { errorText, fieldsText } from "./shared/words.ts";

const REPORTS_DIR = "SGR__EXECUTION__REPORTS_DIR";
const DEFAULT_DIR = "reports";
/** Reports of one second and title. */
const MOST_OF_A_NAME = 100;

const output = z.object({
  title: z.string(),
  content: z.string(),
  confidence: z.enum(["high", "medium", "low"]),
  sources_count: z.int(),
  word_count: z.int(),
  filepath: z.string(),
  timestamp: z.string(),
});

export default defineTool({
  name: "create_report_tool",
  description:
    "Writes the report of the research to a file, with the sources that it cites. Every statement of fact carries the " +
    "number of its source [n] within the sentence, in the language of the request. Warnings name numbers without a " +
    "source, sources that were never opened, and figures without a source.",
  seeAlso: ["Then end with {final_answer_tool}."],
  input: z.object({
    reasoning: z.string().describe("Why the report can be written now."),
    title: z.string().describe("Title of the report."),
    user_request_language_reference: z.string().describe(
      "The request of the person, copied: the report has its language.",
    ),
    content: z.string().describe(
      "The whole report, as Markdown, with [n] after each statement of fact: `It opened in 1904 [2].`",
    ),
    confidence: z.enum(["high", "medium", "low"]).describe(
      "How sure the findings are: `high`, `medium` or `low`.",
    ),
  }),
  output,
  needs: { write: "if-granted" },
  readOnly: false,
  parallel: false,
  leavesFiles: true,
  stepPart: "report",
  keepsSources: SOURCES,
  cutsLong: true,
  settings: [REPORTS_DIR],
  examples: [
    {
      line:
        "reasoning='all is found' title='Tea kettles' user_request_language_reference='Compare tea kettles' " +
        "content='The first was made of copper [1].' confidence=medium --session kettles",
      meaning: "Write a report with the sources of the session",
    },
  ],
  limits: { timeoutMs: 30_000 },
  targets: (_, told) => [{ kind: "write", value: folderOf(told), ifNeeded: true }],
  async run({ title, content, confidence }, context): Promise<z.output<typeof output>> {
    const { sources } = await SourceBook.open(context.session);
    const { cited, warnings } = checkCitations(content, sources);
    const made = new Date();
    const text = reportText({ title, content, confidence, made, cited });
    const filepath = await write(reportName({ title, made }), new TextEncoder().encode(text), context);
    for (const warning of warnings) context.warn(warning);
    return {
      title,
      content,
      confidence,
      sources_count: cited.length,
      word_count: content.split(/\s+/).filter((word) => word !== "").length,
      filepath,
      timestamp: localTime(made),
    };
  },
  summary: ({ filepath }) => filepath,
  text: fieldsText,
  errorText,
});

function folderOf({ settings }: Pick<ToolContext, "settings">): string {
  return settings[REPORTS_DIR]?.trim() || DEFAULT_DIR;
}

/** Writes the file into the folder of reports if that may be written, else among the files that calls leave. */
async function write(name: string, bytes: Uint8Array, context: ToolContext): Promise<string> {
  const folder = folderOf(context);
  for (let turn = 1; turn <= MOST_OF_A_NAME; turn++) {
    const other = turn === 1 ? name : name.replace(/\.md$/, ` ${turn}.md`);
    try {
      const options = { createDirs: true, mustNotExist: true };
      return (await context.files.write(join(folder, other), bytes, options)).path;
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      if (error.code === "conflict") continue;
      if (error.code !== "permission_denied") throw error;
      context.warn(`"${folder}" may not be written, so the report is among the files of the session`);
      return (await context.artifacts.write(name.replace(/[^\w .-]/g, "_"), bytes)).path;
    }
  }
  throw new ToolError("conflict", `Cannot write the report: "${folder}" has ${MOST_OF_A_NAME} of this name`);
}
