import * as z from "zod";

import { clipCharacters, numberLines } from "../../engine/editor/lines.ts";
import { oneLine } from "../../engine/file/one_line.ts";

/** Code points that the editor shows. */
export const EDITOR_MAX_CHARACTERS = 16_384;

/** What the editor's commands give. */
export const editorOutput = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("file"),
    path: z.string(),
    start_line: z.int(),
    end_line: z.int(),
    total_lines: z.int(),
    content: z.string(),
    truncated: z.boolean(),
  }),
  z.object({
    kind: z.literal("directory"),
    path: z.string(),
    entries: z.array(z.string()),
    truncated: z.boolean(),
  }),
  z.object({
    kind: z.literal("audio"),
    path: z.string(),
    name: z.string(),
    size_bytes: z.int(),
    format: z.string(),
    sample_rate_hz: z.number().nullable(),
    channels: z.int().nullable(),
    duration_seconds: z.number().nullable(),
  }),
  z.object({
    kind: z.literal("document"),
    path: z.string(),
    name: z.string(),
    format: z.string(),
    total_chars: z.int().nullable(),
    content: z.string(),
    truncated: z.boolean(),
  }),
  z.object({ kind: z.literal("created"), path: z.string() }),
  z.object({ kind: z.literal("replaced"), path: z.string(), line: z.int() }),
  z.object({ kind: z.literal("inserted"), path: z.string(), insert_line: z.int() }),
  z.object({ kind: z.literal("reverted"), path: z.string() }),
  z.object({ kind: z.literal("removed"), path: z.string() }),
]);

/** One of {@linkcode editorOutput}. */
export type EditorOutput = z.output<typeof editorOutput>;

/** Returns what a model sees of an edit or a view. */
export function editorText(result: EditorOutput): string {
  const { path } = result;
  switch (result.kind) {
    case "file":
      return clip(renderFile(result));
    case "directory":
      return clip([path, ...result.entries].map(oneLine).join("\n"), { more: result.truncated });
    case "audio":
      return renderAudio(result);
    case "document":
      return clip(`# ${oneLine(result.name)}\n\n${result.content}`, { more: result.truncated });
    case "created":
      return `[str_replace_editor] Created file: ${path}`;
    case "replaced":
      return `[str_replace_editor] Replaced text in file: ${path}`;
    case "inserted":
      return `[str_replace_editor] Inserted text after line ${result.insert_line} in file: ${path}`;
    case "reverted":
      return `[str_replace_editor] Reverted last edit to file: ${path}`;
    case "removed":
      return `[str_replace_editor] Removed file created by last edit: ${path}`;
  }
}

function clip(text: string, { more = false } = {}): string {
  const kept = clipCharacters(text, EDITOR_MAX_CHARACTERS);
  return more || kept.length < text.length ? `${kept}\n<response clipped>` : text;
}

function renderFile(file: Extract<EditorOutput, { kind: "file" }>): string {
  const { path, start_line, end_line, total_lines, content } = file;
  const header = `{"path": ${JSON.stringify(path)}, "start_line": ${start_line}, "end_line": ${end_line}, ` +
    `"total_lines": ${total_lines}}`;
  return `${header}\n${start_line > end_line ? "" : numberLines(content, start_line)}`;
}

function renderAudio(audio: Extract<EditorOutput, { kind: "audio" }>): string {
  const facts = [
    `path: ${audio.path}`,
    `size_bytes: ${audio.size_bytes}`,
    `format: ${audio.format}`,
    audio.sample_rate_hz === null ? "" : `sample_rate_hz: ${audio.sample_rate_hz}`,
    audio.channels === null ? "" : `channels: ${audio.channels}`,
    audio.duration_seconds === null ? "" : `duration_seconds: ${audio.duration_seconds.toFixed(3)}`,
  ];
  const lines = facts.filter((fact) => fact !== "").map((fact) => `- ${fact}`);
  return `# ${audio.name}\n\nBinary media file.\n\n${lines.join("\n")}`;
}
