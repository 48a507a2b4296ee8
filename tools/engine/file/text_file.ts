import type { Files, Location } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { readBytes } from "./read_bytes.ts";

/** Largest file that is held in memory as a whole, in bytes. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** A text file whose string form encodes back to exactly its bytes: a BOM and every line end are kept in it. */
export interface TextFile {
  location: Location;
  text: string;
}

/**
 * Reads a whole text file for editing.
 *
 * @throws {ToolError} `invalid_input` for bytes that are not UTF-8 or hold NUL, `limit_exceeded` above 64 MiB
 */
export async function loadText(files: Files, path: string): Promise<TextFile> {
  using open = await files.open(path);
  if (open.info.size > MAX_TEXT_BYTES) {
    throw new ToolError(
      "limit_exceeded",
      `Cannot edit "${path}": it has ${open.info.size} bytes, more than 64 MiB`,
    );
  }
  const bytes = await readBytes(open.file, { maxBytes: MAX_TEXT_BYTES, size: open.info.size });
  return {
    location: { path: open.path, real: open.real, info: open.info },
    text: decodeExactly(bytes, path),
  };
}

/** Decodes UTF-8 so that encoding gives the same bytes back, or refuses. */
function decodeExactly(bytes: Uint8Array<ArrayBuffer>, path: string): string {
  const nul = bytes.indexOf(0);
  if (nul >= 0) {
    throw new ToolError("invalid_input", `Cannot edit "${path}": it is binary, byte ${nul} is NUL`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const message = `Cannot edit "${path}": it is not valid UTF-8, and editing would change its other bytes`;
    throw new ToolError("invalid_input", message, { cause });
  }
}

/** A text that takes the place of another. */
export interface TextChange {
  /** What `loadText` read. */
  from: string;
  to: string;
}

/**
 * Writes the whole text back, atomically, with the file's mode kept.
 *
 * @throws {ToolError} `conflict` that is `retryable` if the file no longer holds what was read
 */
export async function saveText(files: Files, path: string, { from, to }: TextChange): Promise<Location> {
  const encoder = new TextEncoder();
  return await files.write(path, encoder.encode(to), { replaces: encoder.encode(from) });
}

/** Splits after every `\n`; the terminators stay, so that joining gives the text back. An empty text has no lines. */
export function splitLines(text: string): string[] {
  const lines = text.split(/(?<=\n)/);
  return lines.length === 1 && lines[0] === "" ? [] : lines;
}

/** Returns the line end that most lines of the text have; `\n` for a text of one line. */
export function lineEnding(text: string): "\n" | "\r\n" {
  let all = 0;
  let carriage = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    all++;
    if (text[at - 1] === "\r") carriage++;
  }
  return carriage * 2 > all ? "\r\n" : "\n";
}

/** Returns the 1-based number of the line that holds the character at `index`. */
export function lineNumberAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < index; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
