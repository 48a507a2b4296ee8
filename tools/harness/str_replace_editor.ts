import { dirname, extname, isAbsolute } from "@std/path";
import * as z from "zod";

import type { Location, ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import type { ContentType } from "../../schemas/first_bytes.ts";
import { defineTool } from "../../schemas/tool.ts";
import { readAudioInfo } from "../engine/file/audio_info.ts";
import type { EditorDialect } from "../engine/editor/dialect.ts";
import { createFile, type EditorCall, insertText, replaceText, undoEdit } from "../engine/editor/editor.ts";
import { editorTargets } from "../engine/editor/editor_targets.ts";
import { listFolder } from "../engine/editor/list_folder.ts";
import { viewFile } from "../engine/editor/view_file.ts";
import { sniffFile } from "../engine/file/sniff.ts";
import { EDITOR_MAX_CHARACTERS, type EditorOutput, editorOutput, editorText } from "./shared/editor_text.ts";
import { viewDocument } from "./shared/editor_document.ts";
import { harnessErrorText } from "./shared/error_text.ts";
import { replacement, signed } from "../engine/summary.ts";

const COMMANDS = ["view", "create", "str_replace", "insert", "undo_edit"] as const;
/** Formats that are not edited and not shown as text, with any content. */
const MEDIA: Readonly<Record<string, ContentType>> = {
  ".pdf": "pdf",
  ".docx": "office",
  ".pptx": "office",
  ".xlsx": "office",
  ".wav": "audio",
  ".mp3": "audio",
  ".m4a": "audio",
  ".flac": "audio",
};

const input = z.object({
  command: z.enum(COMMANDS, {
    error: ({ input }) =>
      typeof input === "string" ? `command must be one of: ${COMMANDS.join(", ")}.` : undefined,
  }).describe("What to do: view, create, str_replace, insert or undo_edit."),
  path: z.string().describe("Absolute path of a file, or of a folder to view."),
  file_text: z.string().optional().describe("Required for create: the whole text of the new file."),
  old_str: z.string().optional().describe(
    "Required for str_replace: the exact text to replace; it must occur only once.",
  ),
  new_str: z.string().optional().describe(
    "The text that replaces old_str, nothing if not given; for insert, required: the text to insert.",
  ),
  insert_line: z.int().meta({ minimum: 0 }).optional().describe(
    "Required for insert: new_str goes after this line, counted from 1; 0 is the start of the file.",
  ),
  view_range: z.array(z.int({ error: "view_range entries must be integers." }).meta({ minimum: -1 }))
    .optional().describe(
      "For view of a file: [start_line, end_line]; [start_line, -1] reads to the end.",
    ),
});

type Input = z.output<typeof input>;

export default defineTool({
  name: "str_replace_editor",
  description:
    "Compatibility editor for text files: view a file with line numbers or a folder two levels deep, " +
    "create a file (never overwrites), replace an exact text that occurs only once (str_replace), insert lines " +
    "after a line, and undo the last edit of a file. Needs absolute paths. Shows the text of PDF, docx, pptx and xlsx " +
    "files, and metadata of audio files.",
  input,
  output: editorOutput,
  needs: { read: "granted", write: "granted" },
  readOnly: false,
  parallel: false,
  optional: true,
  examples: [
    { line: 'command=view path="$PWD/README.md"', meaning: "View a file with line numbers" },
    {
      line: 'command=str_replace path="$PWD/notes.md" old_str=tea new_str=milk --session today',
      meaning: "Replace a text, and remember it for undo_edit",
    },
  ],
  limits: { timeoutMs: 120_000 },
  paths: ["path"],
  targets: editorTargets,
  async run(request, context): Promise<EditorOutput> {
    const at = await locate(request, context);
    const call = { context, dialect: DIALECT };
    switch (request.command) {
      case "view":
        return await view(at, request, context);
      case "create":
        await createFile(at, required(request, "file_text"), call);
        return { kind: "created", path: at.path };
      case "str_replace":
        return await replace(at, request, call);
      case "insert":
        return await insert(at, request, call);
      case "undo_edit": {
        const { text } = await undoEdit(at, call);
        return { kind: text === null ? "removed" : "reverted", path: at.path };
      }
    }
  },
  preview: ({ file_text = "", old_str = "", new_str = "" }) =>
    file_text !== "" ? signed("+", file_text) : replacement(old_str, new_str),
  text: editorText,
  errorText: harnessErrorText("str_replace_editor", { purpose: "str_replace_editor access" }),
});

const DIALECT: EditorDialect = {
  undoLevels: 1,
  createDirs: false,
  showsTabsAsSpaces: false,
  countsFinalLine: false,
  failures: {
    unreadable: (_path, reason) => reason,
    unwritable: (_path, reason) => `Error writing file: ${reason}`,
    exists: (path) => `Cannot create because file already exists: ${path}`,
    noParent: (path) => `Parent directory does not exist: ${dirname(path)}`,
    noMatch: () => "old_str was not found exactly once; found 0 matches.",
    severalMatches: ({ count }) => `old_str must be unique; found ${count} matches.`,
    badLine: (_line, lastLine) => `insert_line must be between 0 and ${lastLine}.`,
    noHistory: (path) => `No edit to undo for file: ${path}`,
  },
};

async function locate({ command, path }: Input, { files, home }: ToolContext): Promise<Location> {
  if (path.trim() === "") throw invalid("path must be a non-empty absolute path.");
  const expanded = home === "" ? path : path.replace(/^~(?=\/|$)/, () => home);
  if (!isAbsolute(expanded)) throw invalid("path must be absolute.");
  return await files.locate(expanded, command === "view" ? "read" : "write");
}

function invalid(message: string): ToolError {
  return new ToolError("invalid_input", message);
}

async function view(at: Location, request: Input, context: ToolContext): Promise<EditorOutput> {
  if (!at.info) throw new ToolError("not_found", `Path not found: ${at.path}`);
  if (at.info.isDirectory) return await viewFolder(at, request, context);
  if (!at.info.isFile) throw invalid(`Path is neither a file nor a directory: ${at.path}`);
  const media = await mediaOf(at, context);
  if (media?.type === "audio") return await viewAudio(at, media.format, context);
  if (media) return await viewDocument(at, { ...media, range: request.view_range }, context);
  return await viewLines(at, request, context);
}

async function viewFolder(at: Location, { view_range }: Input, context: ToolContext): Promise<EditorOutput> {
  if (view_range) context.warn("view_range is ignored: the path is a folder");
  const { entries, truncated } = await listFolder(at, context, { followLinks: true });
  const names = entries.map(({ path, folder }) => folder ? `${path}/` : path);
  return { kind: "directory", path: at.path, entries: names, truncated };
}

interface Media {
  type: ContentType;
  format: string;
}

/** Tells pdf, office and audio files by their ending, as the documents do, and by content where it says nothing. */
async function mediaOf(at: Location, { files }: ToolContext): Promise<Media | null> {
  const ending = extname(at.path).toLowerCase();
  const type = MEDIA[ending];
  if (type) return { type, format: ending.slice(1) };
  using open = await files.open(at.path);
  const kind = sniffFile(open.file, at.path);
  return ["pdf", "office", "audio"].includes(kind.type) ? kind : null;
}

async function viewAudio(at: Location, format: string, { files }: ToolContext): Promise<EditorOutput> {
  using open = await files.open(at.path);
  const readAt = async (offset: number, length: number) => {
    const bytes = new Uint8Array(length);
    await open.file.seek(offset, Deno.SeekMode.Start);
    return bytes.subarray(0, await open.file.read(bytes) ?? 0);
  };
  const info = await readAudioInfo(readAt, open.info.size);
  return {
    kind: "audio",
    path: at.path,
    name: at.path.slice(at.path.lastIndexOf("/") + 1),
    size_bytes: open.info.size,
    format,
    sample_rate_hz: info?.sampleRateHz ?? null,
    channels: info?.channels ?? null,
    duration_seconds: info?.durationSeconds ?? null,
  };
}

async function viewLines(at: Location, { view_range }: Input, context: ToolContext): Promise<EditorOutput> {
  const [start, end] = checkedRange(view_range);
  const options = { firstLine: start, lastLine: end, maxCharacters: EDITOR_MAX_CHARACTERS };
  const seen = await viewFile(at, options, context).catch((error) => {
    if (!(error instanceof ToolError) || error.code === "permission_denied") throw error;
    throw new ToolError(error.code, `Error reading text file: ${error.message}`, { cause: error });
  });
  return {
    kind: "file",
    path: at.path,
    start_line: start,
    end_line: Math.min(end, seen.totalLines),
    total_lines: seen.totalLines,
    content: seen.content,
    truncated: seen.truncated,
  };
}

function checkedRange(range: number[] | undefined): [number, number] {
  if (!range) return [1, Infinity];
  const [start, end] = range;
  if (range.length !== 2 || start === undefined || end === undefined) {
    throw invalid("view_range must be [start_line, end_line].");
  }
  if (start < 1) throw invalid("view_range start_line must be >= 1.");
  if (end !== -1 && end < start) throw invalid("view_range end_line must be -1 or >= start_line.");
  return [start, end === -1 ? Infinity : end];
}

function required(request: Input, name: "file_text" | "old_str" | "new_str"): string {
  const value = request[name];
  if (value === undefined) throw invalid(`Missing required parameter for ${request.command}: ${name}`);
  return value;
}

async function replace(at: Location, request: Input, call: EditorCall): Promise<EditorOutput> {
  const oldText = required(request, "old_str");
  const newText = request.new_str ?? "";
  if (oldText === "") throw invalid("old_str must be non-empty.");
  if (oldText === newText) throw invalid("old_str and new_str must be different.");
  await expectEditable(at, call.context);
  const { line } = await replaceText(at, { oldText, newText }, call);
  return { kind: "replaced", path: at.path, line };
}

async function insert(at: Location, request: Input, call: EditorCall): Promise<EditorOutput> {
  const line = request.insert_line;
  if (line === undefined) throw invalid("Missing required parameter for insert: insert_line");
  const newText = required(request, "new_str");
  await expectEditable(at, call.context);
  await insertText(at, { line, newText }, call);
  return { kind: "inserted", path: at.path, insert_line: line };
}

async function expectEditable(at: Location, context: ToolContext): Promise<void> {
  if (!at.info) throw new ToolError("not_found", `File not found: ${at.path}`);
  if (!at.info.isFile) throw invalid(`Path is not a file: ${at.path}`);
  if (await mediaOf(at, context)) {
    throw invalid(`Editing binary/derived formats is not supported: ${at.path}`);
  }
}
