import { basename } from "@std/path";

import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { applyPatch } from "../engine/edit/apply_patch.ts";
import { parsePatch, type Patch } from "../engine/edit/patch.ts";
import { editAgain } from "../engine/file/edit_again.ts";
import { loadText, saveText, warnAboutCodec } from "../engine/file/text_file.ts";
import { harnessErrorText } from "./shared/error_text.ts";
import { withLead } from "./shared/lead_error.ts";
import { locateFile } from "./shared/locate_file.ts";
import { changeSummary } from "../engine/summary.ts";

const output = z.object({
  path: z.string(),
  applied_hunks: z.int(),
  changed: z.boolean(),
  diff: z.string(),
});

export default defineTool({
  name: "Edit",
  description:
    "Edit a part of a local text file with a unified diff. Every hunk begins with a header such as " +
    "@@ -12,3 +12,4 @@; its lines begin with a space (context), - (delete) or + (add). Context and deleted lines must " +
    "stand in the file exactly, white space included; give two or three lines of context around a change. Line numbers " +
    "choose among equal places; a hunk that fits several places is refused, and nothing is written unless all hunks " +
    "fit. Line ends and encoding of the file are kept. One call edits one existing file.",
  seeAlso: ["Use {Write} to create one."],
  input: z.object({
    path: z.string().describe("Path of the file to edit, relative to the workspace or absolute."),
    patch: z.string().describe("Unified diff for this file: one or more hunks with @@ headers."),
  }),
  output,
  promptHints: [
    "Change an existing file with {Edit}; {Write} is for new files and for whole ones.",
  ],
  needs: { read: "granted", write: "granted" },
  readOnly: false,
  parallel: false,
  examples: [
    { line: "path=notes.md patch=$'@@ -1 +1 @@\\n-buy tea\\n+buy coffee\\n'", meaning: "Change a line" },
  ],
  limits: { timeoutMs: 30_000 },
  paths: ["path"],
  targets: ({ path }) => [{ kind: "read", value: path }, { kind: "write", value: path }],
  async run({ path, patch: source }, context): Promise<z.output<typeof output>> {
    const { real } = await locateFile(context, path, { access: "write" });
    if (source.trim() === "") {
      throw new ToolError("invalid_input", "'patch' must be a non-empty unified diff string.");
    }
    const { from, patch, result, changed } = await editAgain(
      context.signal,
      () => patchFile(context, real, source),
    );
    for (const warning of result.warnings) context.warn(warning);
    warnAboutCodec(from, path, context.warn);
    const wrongName = otherName(patch, real);
    if (wrongName) context.warn(`The patch names "${wrongName}" and was applied to "${path}"`);
    return { path: real, applied_hunks: changed ? patch.hunks.length : 0, changed, diff: result.diff };
  },
  preview: ({ patch }) => patch.trimEnd(),
  summary: ({ changed, diff }) => changed ? changeSummary(diff) : "nothing changed",
  text: ({ path, applied_hunks, changed, diff }) =>
    changed
      ? `[Edit] Updated file: ${path}; applied_hunks: ${applied_hunks}\n${diff}`
      : `[Edit] No changes applied: ${path}`,
  errorText: harnessErrorText("Edit", { purpose: "Edit access" }),
});

async function patchFile({ files }: ToolContext, real: string, source: string) {
  const from = await withLead("Error reading file: ", () => loadText(files, real));
  const patched = await withLead("Failed to apply patch: ", () => patchText(from.text, source));
  const changed = patched.result.text !== from.text;
  const change = { from, to: patched.result.text };
  if (changed) await withLead("Error writing file: ", () => saveText(files, real, change));
  return { ...patched, from, changed };
}

function patchText(text: string, source: string) {
  const patch = parsePatch(source);
  return Promise.resolve({ patch, result: applyPatch(text, patch) });
}

function otherName({ files }: Patch, real: string): string | null {
  const [name] = files;
  return name === undefined || basename(name) === basename(real) ? null : name;
}
