import * as z from "zod";

import { clipCharacters, numberLines } from "../../engine/editor/lines.ts";
import { expandTabs } from "../../engine/editor/tabs.ts";
import { oneLine } from "../../engine/file/one_line.ts";

/** Code points that the editor shows of a file or a folder. */
export const EDITOR_MAX_CHARACTERS = 16_000;

const CLIPPED = "<response clipped><NOTE>To save on context only part of this file has been shown to you. " +
  "You should retry this tool after you have searched inside the file with `grep -n` in order to find the line " +
  "numbers of what you are looking for.</NOTE>";

const block = { content: z.string(), first_line: z.int(), truncated: z.boolean() };

/** What the editor's commands give. */
export const editorOutput = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("file"), path: z.string(), ...block }),
  z.object({
    kind: z.literal("directory"),
    path: z.string(),
    entries: z.array(z.string()),
    truncated: z.boolean(),
  }),
  z.object({ kind: z.literal("created"), path: z.string() }),
  z.object({ kind: z.literal("replaced"), path: z.string(), ...block }),
  z.object({ kind: z.literal("inserted"), path: z.string(), ...block }),
  z.object({ kind: z.literal("undone"), path: z.string(), ...block }),
  z.object({ kind: z.literal("removed"), path: z.string() }),
]);

/** One of {@linkcode editorOutput}. */
export type EditorOutput = z.output<typeof editorOutput>;
/** Lines to be shown with their numbers. */
export type EditorBlock = Pick<Extract<EditorOutput, { kind: "file" }>, keyof typeof block>;

/** Cuts lines to what is shown of them. */
export function clipBlock(whole: string, first: number): EditorBlock {
  const content = clipCharacters(whole, EDITOR_MAX_CHARACTERS);
  return { content, first_line: first, truncated: content.length < whole.length };
}

/** Returns what a model sees of an edit or a view. */
export function editorText(result: EditorOutput): string {
  const { path } = result;
  switch (result.kind) {
    case "file":
      return renderBlock(result, path);
    case "directory":
      return renderFolder(result);
    case "created":
      return `File created successfully at: ${path}`;
    case "replaced":
      return `The file ${path} has been edited. ${renderBlock(result, `a snippet of ${path}`)}` +
        "Review the changes and make sure they are as expected. Edit the file again if necessary.";
    case "inserted":
      return `The file ${path} has been edited. ${renderBlock(result, "a snippet of the edited file")}` +
        "Review the changes and make sure they are as expected (correct indentation, no duplicate lines, etc). " +
        "Edit the file again if necessary.";
    case "undone":
      return `Last edit to ${path} undone successfully. ${renderBlock(result, path)}`;
    case "removed":
      return `Last edit to ${path} undone successfully. The edit had created the file, so it was removed.`;
  }
}

function renderBlock({ content, first_line, truncated }: EditorBlock, descriptor: string): string {
  const shown = expandTabs(truncated ? content + CLIPPED : content);
  return `Here's the result of running \`cat -n\` on ${descriptor}:\n${numberLines(shown, first_line)}\n`;
}

function renderFolder({ path, entries, truncated }: Extract<EditorOutput, { kind: "directory" }>): string {
  const list = entries.map(oneLine).join("\n");
  const shown = clipCharacters(list, EDITOR_MAX_CHARACTERS);
  const end = truncated || shown.length < list.length ? CLIPPED : "";
  return `Here's the files and directories up to 2 levels deep in ${path}, excluding hidden items:\n${shown}${end}\n`;
}
