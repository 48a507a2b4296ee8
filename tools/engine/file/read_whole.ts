import type { ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { readBytes } from "./read_bytes.ts";

/** Largest file of each kind that is read, in bytes, and what to do with a larger one. */
const KINDS = {
  pdf: { maxBytes: 64 * 1024 * 1024, advice: "split it first, with qpdf in Bash" },
  image: { maxBytes: 50 * 1024 * 1024, advice: "shrink it first, with a program in Bash" },
  office: { maxBytes: 100 * 1024 * 1024, advice: "save the part of it that matters as a file of its own" },
};

/**
 * Reads a file whole, as it is at one moment.
 *
 * @throws {ToolError} `limit_exceeded` for a file too large for its kind; `conflict` if it changes while it is read; what
 * the guard throws
 */
export async function readWhole(
  context: Pick<ToolContext, "files" | "signal">,
  path: string,
  kind: keyof typeof KINDS,
): Promise<Uint8Array> {
  const { maxBytes } = KINDS[kind];
  using open = await context.files.open(path);
  const before = await open.file.stat();
  if (before.size > maxBytes) throw tooLarge(before.size, kind);
  const { signal } = context;
  const bytes = await readBytes(open.file, { size: before.size, maxBytes: maxBytes + 1, signal });
  if (bytes.length > maxBytes) throw tooLarge(bytes.length, kind);
  const after = await open.file.stat();
  const isSame = after.size === bytes.length && after.mtime?.getTime() === before.mtime?.getTime();
  if (isSame && bytes.length === before.size) return bytes;
  throw new ToolError("conflict", "The file was changed while it was read, try again", { retryable: true });
}

function tooLarge(size: number, kind: keyof typeof KINDS): ToolError {
  const { maxBytes, advice } = KINDS[kind];
  return new ToolError("limit_exceeded", `The file has ${size} bytes, more than ${maxBytes}: ${advice}`, {
    details: { size, max_size: maxBytes },
  });
}
