import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { defineTool } from "../../schemas/tool.ts";
import { SourceBook, SOURCES } from "../engine/web/sources/source_book.ts";
import { checkCitations, localTime } from "./shared/report.ts";
import { writeReport } from "./shared/report_file.ts";
import { errorText, fieldsText } from "./shared/words.ts";

const REPORTS_DIR = "SGR__EXECUTION__REPORTS_DIR";
const DEFAULT_DIR = "reports";

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
  idempotent: true,
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
    const report = { title, content, confidence, cited };
    const { path: filepath, made } = await writeReport(folderOf(context), report, context);
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
