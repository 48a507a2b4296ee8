import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { Artifact, ToolResult } from "../../../schemas/result.ts";
import { takeMarkOff } from "../../text/mark_block.ts";
import type { ArtifactFolder } from "../../state/artifact_folder.ts";

/** Most of one result's text that a model gets, or a person on a terminal, in bytes. */
export const MAX_RESULT_BYTES = 50 * 1024;

/** Lines of JSON that are longer are laid out anew, so that a reader can go on at a line. */
const LONG_LINE = 2_000;

/** A text that was too long. */
export interface ClippedText {
  /** The first whole lines, or the start of the first one. */
  shown: string;
  /** How many whole lines are shown. */
  lines: number;
  /** All of the text, in lines. */
  whole: string;
  wholeBytes: number;
}

/** Where the rest of a long result goes, and who can read it. */
export interface CapOptions {
  folder: ArtifactFolder;
  /** The tools of the caller, under the names by which it calls them. */
  offered: readonly { entry: { tool: ManifestEntry }; name: string }[];
}

/** Clips a text to what one result may have; `null` if it is short enough. */
export function clipText(text: string): ClippedText | null {
  const encoder = new TextEncoder();
  if (text.length * 3 <= MAX_RESULT_BYTES || encoder.encode(text).length <= MAX_RESULT_BYTES) return null;
  const mark = takeMarkOff(text);
  const whole = `${mark.start}${inLines(mark.content)}${mark.end}`;
  const wholeBytes = encoder.encode(whole).length;
  const { read } = encoder.encodeInto(whole, new Uint8Array(MAX_RESULT_BYTES));
  const end = whole.lastIndexOf("\n", read - 1) + 1;
  const isWhole = end > mark.start.length;
  const shown = whole.slice(0, isWhole ? end : read);
  // What is cut off must not take the end of the mark along.
  const closed = mark.end === "" ? shown : `${shown}${isWhole ? "" : "\n"}${mark.end}`;
  return { shown: closed, lines: isWhole ? shown.split("\n").length - 1 : 0, whole, wholeBytes };
}

/**
 * Caps the text of a result for a model: what is too long goes into a file that the caller's tools can read, and the
 * text says how to go on. The one place for this bound; tools may have lower ones. Needs `write` of the folder.
 */
export async function capResult(result: ToolResult, options: CapOptions): Promise<ToolResult> {
  const clipped = clipText(result.text);
  if (clipped === null) return result;
  const { shown, lines, wholeBytes } = clipped;
  const artifact = await keep(clipped.whole, result.tool_name, options.folder);
  const size = `the result has ${wholeBytes} bytes, and the first ${
    lines === 0 ? "part" : `${lines} lines`
  } stand here`;
  const rest = artifact === null
    ? "the rest could not be kept: ask for less"
    : `the whole is in ${artifact.path}${howToGoOn(artifact.path, lines, options)}`;
  const text = `${shown}${shown.endsWith("\n") ? "" : "\n"}[${size}; ${rest}]`;
  return {
    ...result,
    text,
    artifacts: artifact === null ? result.artifacts : [...result.artifacts, artifact],
  };
}

function howToGoOn(path: string, lines: number, { offered }: CapOptions): string {
  for (const { entry: { tool }, name } of offered) {
    if (tool.reads_on === null) continue;
    const facts: Record<string, string> = { path, line: String(lines + 1), skip: String(lines) };
    return `; go on with ${name} ${
      tool.reads_on.replace(/\{(\w+)\}/g, (_, fact: string) => facts[fact] ?? "")
    }`;
  }
  return "";
}

/** A file that cannot be kept does not fail the call. */
async function keep(text: string, toolName: string, folder: ArtifactFolder): Promise<Artifact | null> {
  const name = `${toolName.replace(/[^\w-]+/g, "_")}-result.txt`;
  const bytes = new TextEncoder().encode(text);
  try {
    const { path, file } = await folder.open(name);
    using _file = file;
    for (let done = 0; done < bytes.length;) done += await file.write(bytes.subarray(done));
    return { name, path, bytes: bytes.length };
  } catch {
    return null;
  }
}

/** JSON on one line becomes one value a line. */
function inLines(text: string): string {
  if (!/^\s*[[{]/.test(text) || text.split("\n").every((line) => line.length <= LONG_LINE)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}
