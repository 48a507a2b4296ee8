import { isAbsolute } from "@std/path";
import * as z from "zod";

import type { Location, ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import type { EditorDialect } from "../engine/editor/dialect.ts";
import { createFile, type EditorCall, insertText, replaceText, undoEdit } from "../engine/editor/editor.ts";
import { editorTargets } from "../engine/editor/editor_targets.ts";
import { countLineEnds, shownText, sliceLines } from "../engine/editor/lines.ts";
import { listFolder } from "../engine/editor/list_folder.ts";
import { type FileView, viewFile, type ViewOptions } from "../engine/editor/view_file.ts";
import {
  clipBlock,
  EDITOR_MAX_CHARACTERS,
  type EditorBlock,
  type EditorOutput,
  editorOutput,
  editorText,
} from "./shared/editor_text.ts";
import { replacement, signed } from "../engine/summary.ts";

const COMMANDS = ["view", "create", "str_replace", "insert", "undo_edit"] as const;
const SNIPPET_LINES = 4;
const UNDO_LEVELS = 50;
const BAD_RANGE = "Invalid `view_range`. It should be a list of two integers.";

const input = z.object({
  command: z.enum(COMMANDS, {
    error: ({ input }) =>
      typeof input === "string"
        ? `Unrecognized command ${input}. The allowed commands for the str_replace_editor tool are: ` +
          COMMANDS.join(", ")
        : undefined,
  }).describe("What to do: `view`, `create`, `str_replace`, `insert` or `undo_edit`."),
  path: z.string().describe("Absolute path of the file, or of the folder to view."),
  file_text: z.string().optional().describe("Required for `create`: the whole content of the new file."),
  old_str: z.string().optional().describe(
    "Required for `str_replace`: the text in the file to replace; it must occur exactly once.",
  ),
  new_str: z.string().optional().describe(
    "For `str_replace`: the text that takes its place, nothing if not given. Required for `insert`: the text to insert.",
  ),
  insert_line: z.int().meta({ minimum: 0 }).optional().describe(
    "Required for `insert`: `new_str` goes AFTER this line; 0 is the top of the file.",
  ),
  view_range: z.array(z.int({ error: BAD_RANGE }).meta({ minimum: -1 }), { error: BAD_RANGE }).optional()
    .describe(
      "For `view` of a file: [first, last] line, from 1; [first, -1] shows all from `first` to the end.",
    ),
});

type Input = z.output<typeof input>;

export default defineTool({
  name: "str_replace_editor",
  description:
    "Views, creates and edits files; knows its own edits across calls, so that they can be undone.\n" +
    "* `view` shows a file with line numbers, or the non-hidden files and folders of a folder up to 2 levels deep.\n" +
    "* `create` makes a new file and its missing parent folders; it never overwrites.\n" +
    "* `str_replace` replaces `old_str`, which must match EXACTLY, whitespace included, and occur only once: " +
    "include enough lines around it.\n" +
    "* `insert` puts `new_str` after line `insert_line`.\n" +
    "* `undo_edit` takes back the last edit of the file; call it again for the one before.\n" +
    "Long output is cut and marked with `<response clipped>`.",
  input,
  output: editorOutput,
  needs: { read: "granted", write: "granted" },
  readOnly: false,
  parallel: false,
  examples: [
    { line: 'command=view path="$PWD/README.md"', meaning: "View a file with line numbers" },
  ],
  limits: { timeoutMs: 30_000 },
  paths: ["path"],
  targets: editorTargets,
  async run(request, context): Promise<EditorOutput> {
    const at = await locate(request, context);
    const call = { context, dialect: DIALECT };
    switch (request.command) {
      case "view":
        return at.info?.isDirectory
          ? await viewFolder(at, request, context)
          : await view(at, request, context);
      case "create":
        await createFile(at, required(request, "file_text"), call);
        return { kind: "created", path: at.path };
      case "str_replace":
        return await replace(at, request, call);
      case "insert":
        return await insert(at, request, call);
      case "undo_edit":
        return await undo(at, call);
    }
  },
  preview: ({ file_text = "", old_str = "", new_str = "" }) =>
    file_text !== "" ? signed("+", file_text) : replacement(old_str, new_str),
  text: editorText,
  errorText: ({ message }) => `Error: ${message}`,
});

const DIALECT: EditorDialect = {
  undoLevels: UNDO_LEVELS,
  createDirs: true,
  showsTabsAsSpaces: true,
  countsFinalLine: true,
  failures: {
    unreadable: (path, reason) => `Failed to read ${path}: ${reason}`,
    unwritable: (path, reason) => `Failed to write to ${path}: ${reason}`,
    exists: (path) => `File already exists at: ${path}. Cannot overwrite files using command \`create\`.`,
    noParent: (path) => `Failed to write to ${path}: its parent folder cannot be made`,
    noMatch: (path, oldText) =>
      `No replacement was performed, old_str \`${oldText}\` did not appear verbatim in ${path}.`,
    severalMatches: ({ lines }, oldText) =>
      `No replacement was performed. Multiple occurrences of old_str \`${oldText}\` in lines ` +
      `[${lines.join(", ")}]. Please ensure it is unique`,
    badLine: (line, lastLine) =>
      `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: ` +
      `[0, ${lastLine}]`,
    noHistory: (path) => `No edit history found for ${path}.`,
  },
};

async function locate({ command, path }: Input, { files }: ToolContext): Promise<Location> {
  if (!isAbsolute(path)) throw invalid(`The path ${path} is not an absolute path`);
  const at = await files.locate(path, command === "view" ? "read" : "write");
  if (command === "create") return at;
  if (!at.info) {
    const message = `The path ${at.path} does not exist. Please provide a valid path.`;
    throw new ToolError("not_found", message);
  }
  if (at.info.isDirectory && command !== "view") {
    throw invalid(
      `The path ${at.path} is a directory and only the \`view\` command can be used on directories`,
    );
  }
  return at;
}

function invalid(message: string): ToolError {
  return new ToolError("invalid_input", message);
}

async function viewFolder(at: Location, { view_range }: Input, context: ToolContext): Promise<EditorOutput> {
  if (view_range?.length) {
    throw invalid("The `view_range` parameter is not allowed when `path` points to a directory.");
  }
  const { entries, truncated } = await listFolder(at, context);
  const prefix = at.path === "/" ? "/" : `${at.path}/`;
  const paths = entries.map((entry) => prefix + entry.path).sort();
  return { kind: "directory", path: at.path, entries: [at.path, ...paths], truncated };
}

async function view(at: Location, { view_range }: Input, context: ToolContext): Promise<EditorOutput> {
  if (view_range && view_range.length !== 2 && view_range.length !== 0) {
    throw invalid(BAD_RANGE);
  }
  const [first = 1, last = -1] = view_range ?? [];
  const range = { firstLine: Math.max(1, first), lastLine: last === -1 ? Infinity : last };
  const seen = await readShown(at, { ...range, maxCharacters: EDITOR_MAX_CHARACTERS }, context);
  const lines = seen.totalLines + (seen.endsClosed ? 1 : 0);
  checkRange([first, last], lines);
  // The empty rest after a last line end counts as a line, as in the line numbers of edits.
  const showsEnd = seen.endsClosed && !seen.truncated && first < lines && range.lastLine >= lines;
  const shown = clipBlock(showsEnd ? `${seen.content}\n` : seen.content, first);
  return { kind: "file", path: at.path, ...shown, truncated: seen.truncated || shown.truncated };
}

async function readShown(at: Location, options: ViewOptions, context: ToolContext): Promise<FileView> {
  try {
    return await viewFile(at, options, context);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === "permission_denied") throw error;
    const message = DIALECT.failures.unreadable(at.path, error.message);
    throw new ToolError(error.code, message, { details: error.details, cause: error });
  }
}

function checkRange([first, last]: [number, number], lines: number): void {
  const lead = `Invalid \`view_range\`: [${first}, ${last}].`;
  if (first < 1 || first > lines) {
    throw invalid(
      `${lead} Its first element \`${first}\` should be within the range of lines of the file: [1, ${lines}]`,
    );
  }
  if (last > lines) {
    throw invalid(
      `${lead} Its second element \`${last}\` should be smaller than the number of lines in the file: \`${lines}\``,
    );
  }
  if (last !== -1 && last < first) {
    throw invalid(
      `${lead} Its second element \`${last}\` should be larger or equal than its first \`${first}\``,
    );
  }
}

function required(request: Input, name: "file_text" | "old_str" | "new_str"): string {
  const value = request[name];
  if (value === undefined) {
    throw invalid(`Parameter \`${name}\` is required for command: ${request.command}`);
  }
  return value;
}

async function replace(at: Location, request: Input, call: EditorCall): Promise<EditorOutput> {
  const oldText = required(request, "old_str");
  if (oldText === "") throw invalid("Parameter `old_str` must not be empty for command: str_replace");
  const newText = request.new_str ?? "";
  const { text, line } = await replaceText(at, { oldText, newText }, call);
  const last = line + SNIPPET_LINES + countLineEnds(newText);
  return { kind: "replaced", path: at.path, ...snippet(text, Math.max(1, line - SNIPPET_LINES), last) };
}

async function insert(at: Location, request: Input, call: EditorCall): Promise<EditorOutput> {
  const line = request.insert_line;
  if (line === undefined) throw invalid("Parameter `insert_line` is required for command: insert");
  const newText = required(request, "new_str");
  const { text } = await insertText(at, { line, newText }, call);
  const last = line + countLineEnds(newText) + 1 + SNIPPET_LINES;
  return { kind: "inserted", path: at.path, ...snippet(text, Math.max(1, line - SNIPPET_LINES + 1), last) };
}

async function undo(at: Location, call: EditorCall): Promise<EditorOutput> {
  const { text } = await undoEdit(at, call);
  if (text === null) return { kind: "removed", path: at.path };
  return { kind: "undone", path: at.path, ...clipBlock(shownText(text), 1) };
}

function snippet(text: string, first: number, last: number): EditorBlock {
  return clipBlock(shownText(sliceLines(text, first, last)), first);
}
