import type { ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { readBytes } from "../read_bytes.ts";

/** Largest PDF that is read, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads a PDF file whole, as it is at one moment.
 *
 * @throws {ToolError} `limit_exceeded` for more than 64 MB; `conflict` if it changes while it is read; what the guard
 * throws
 */
export async function readUnchanged(context: ToolContext, path: string): Promise<Uint8Array> {
  using open = await context.files.open(path);
  const before = await open.file.stat();
  if (before.size > MAX_BYTES) throw tooLarge(before.size);
  const bytes = await readBytes(open.file, {
    size: before.size,
    maxBytes: MAX_BYTES + 1,
    signal: context.signal,
  });
  const after = await open.file.stat();
  if (bytes.length > MAX_BYTES) throw tooLarge(bytes.length);
  const isSame = after.size === before.size && after.mtime?.getTime() === before.mtime?.getTime();
  if (isSame && bytes.length === before.size) return bytes;
  throw new ToolError("conflict", "The file was changed while it was read, try again", { retryable: true });
}

function tooLarge(size: number): ToolError {
  return new ToolError(
    "limit_exceeded",
    `The file has ${size} bytes, more than ${MAX_BYTES}: split it first, with qpdf in Bash`,
    { details: { size, max_size: MAX_BYTES } },
  );
}
