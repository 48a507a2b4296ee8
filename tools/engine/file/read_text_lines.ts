import type { ToolContext } from "../../../schemas/context.ts";
import { detectEncoding } from "./encoding/detect.ts";
import { UTF_8 } from "./encoding/codec.ts";
import { sourceOf } from "./own_source.ts";
import { readBytes } from "./read_bytes.ts";
import { type LineRange, type LinesRead, readLines } from "./read_lines.ts";
import { MAX_TEXT_BYTES } from "./text_file.ts";

/** Lines of a text file, and how its bytes were read. */
export interface TextLines extends LinesRead {
  /** The encoding as which they were read. */
  encoding: string;
  /** Encodings that a file which is not UTF-8 may have; none where it is told for sure. */
  likely: string[];
}

/**
 * Reads a range of lines from an open file in the file's own encoding where that is told for sure, else as UTF-8. A file
 * above 64 MiB is read as UTF-8.
 *
 * @param options `isWide` says that the file is UTF-16 or UTF-32
 */
export async function readTextLines(
  file: Deno.FsFile,
  range: LineRange,
  options: { isWide: boolean; signal?: AbortSignal },
): Promise<TextLines> {
  const { isWide, signal } = options;
  const stop = signal ? { signal } : {};
  const read = await readLines(file, range, stop);
  const { size } = file.statSync();
  if ((!isWide && !read.invalid) || size > MAX_TEXT_BYTES) {
    return { ...read, encoding: UTF_8.name, likely: [] };
  }
  await file.seek(0, Deno.SeekMode.Start);
  const found = detectEncoding(await readBytes(file, { maxBytes: MAX_TEXT_BYTES, size, ...stop }));
  if (!found?.sure) {
    return {
      ...read,
      invalid: true,
      encoding: UTF_8.name,
      likely: found?.likely.map(({ name }) => name) ?? [],
    };
  }
  const decoded = await readLines(sourceOf(found.text), range, stop);
  return { ...decoded, encoding: found.codec.name, likely: [] };
}

/** Says as which encoding a file was read, or how much of it could not be. */
export function warnAboutEncoding(
  { encoding, invalid, likely, lines }: TextLines,
  path: string,
  context: Pick<ToolContext, "warn">,
): void {
  if (encoding !== UTF_8.name) context.warn(`"${path}" is written in ${encoding}, and was read so`);
  if (!invalid) return;
  const count = lines.reduce((sum, line) => sum + line.split("\ufffd").length - 1, 0);
  context.warn(
    `"${path}" holds bytes that are not valid UTF-8: ${count} ${
      count === 1 ? "place is" : "places are"
    } shown as ` +
      `U+FFFD${likely.length === 0 ? "" : `; it may be ${likely.join(" or ")}`}`,
  );
}
