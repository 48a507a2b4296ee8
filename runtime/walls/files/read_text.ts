import { ToolError } from "../../../schemas/error.ts";
import { readPlain } from "./open_plain.ts";

/** Longest text that is read, in bytes. */
const MAX_BYTES = 256 * 1024;

/**
 * Reads a file as text. Needs `read`.
 *
 * @param path Absolute, real path
 * @returns `null` if there is no file, `false` for what is long, no text or cannot be read
 */
export function readText(path: string): string | null | false {
  try {
    Deno.lstatSync(path);
    const bytes = readPlain(path, { maxBytes: MAX_BYTES, mayHaveNames: true });
    if (bytes === null) return false;
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? false : text;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    // It is no text, too long, or closed to this user.
    if (error instanceof TypeError || error instanceof ToolError || isOfSystem(error)) return false;
    throw error;
  }
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Deno.errors.NotCapable || error instanceof Error && "code" in error;
}
