import type { ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { readBytes } from "../read_bytes.ts";

const MAX_BYTES = 100 * 1024 * 1024;

/**
 * Reads a file whole, as it is at one moment.
 *
 * @throws {ToolError} `limit_exceeded` for more than 100 MB; `conflict` if it changes while it is read; what the guard
 * throws
 */
export async function readOfficeFile(context: ToolContext, path: string): Promise<Uint8Array> {
  using open = await context.files.open(path);
  const { file, info } = open;
  if (info.size > MAX_BYTES) throw tooLarge(info.size);
  const bytes = await readBytes(file, { size: info.size, maxBytes: MAX_BYTES + 1, signal: context.signal });
  if (bytes.length > MAX_BYTES) throw tooLarge(bytes.length);
  const after = await file.stat();
  if (bytes.length === after.size && after.mtime?.getTime() === info.mtime?.getTime()) return bytes;
  throw new ToolError("conflict", "The file was changed while it was read, try again", { retryable: true });
}

function tooLarge(size: number): ToolError {
  return new ToolError("limit_exceeded", `The file has ${size} bytes, the limit is ${MAX_BYTES}`, {
    details: { size, max_size: MAX_BYTES },
  });
}
