import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";
import { type RepeatedEdit, replaceEdits } from "../engine/edit/replace_edits.ts";
import { editAgain } from "../engine/file/edit_again.ts";
import { loadText, saveText, warnAboutCodec } from "../engine/file/text_file.ts";
import { admitParPath } from "./shared/path.ts";
import { replacement } from "../engine/summary.ts";

export default defineTool({
  name: "edit",
  description:
    "Replace exact strings in a text file. Every old string must be in the file exactly, spaces and line " +
    "breaks included; its first occurrence is replaced by the new string, taken literally. All are looked up in the " +
    "file as it is before the call; overlapping ones are refused, and nothing is written unless all are found. " +
    'Example: {"path": "src/main.ts", "edits": [{"old": "let x = 1", "new": "let x = 2"}]}.',
  input: z.object({
    path: z.string().describe('File path relative to the workspace, such as "src/main.ts"; no colon.'),
    edits: z.array(z.object({
      old: z.string().describe(
        "Exact text to replace; include enough of its surroundings to be the first match.",
      ),
      new: z.string().describe("Text to put in its place."),
    })).describe("The replacements, in any order."),
  }),
  output: z.string(),
  needs: { read: "granted", write: "granted" },
  readOnly: false,
  parallel: false,
  examples: [
    { line: 'path=notes.md edits=\'[{"old":"buy","new":"drink"}]\'', meaning: "Replace a text" },
  ],
  limits: { timeoutMs: 30_000 },
  paths: ["path"],
  targets: ({ path }) => [{ kind: "read", value: path }, { kind: "write", value: path }],
  async run({ path, edits }, context) {
    await admitParPath(context, path, "write");
    const { files, signal } = context;
    const result = await editAgain(signal, async () => {
      const from = await loadText(files, path);
      const replaced = replaceEdits(from.text, edits);
      if (replaced.text !== from.text) await saveText(files, path, { from, to: replaced.text });
      return { ...replaced, from };
    });
    warnAboutCodec(result.from, path, context.warn);
    for (const repeated of result.repeated) context.warn(describeRepeated(repeated));
    return `Applied ${edits.length} edit(s) to ${path}`;
  },
  preview: ({ edits }) => edits.map((edit) => replacement(edit.old, edit.new)).join("\n"),
});

function describeRepeated({ edit, line, otherLines }: RepeatedEdit): string {
  const lines = `${otherLines.length > 1 ? "lines" : "line"} ${otherLines.join(", ")}`;
  return `edits[${edit}]: "old" stands at ${lines} too; only the first one, at line ${line}, was replaced`;
}
