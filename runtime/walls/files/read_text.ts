/** Longest text that is read, in bytes. */
const MAX_BYTES = 256 * 1024;

/**
 * Reads a file as text. Needs `read`.
 *
 * @returns `null` if there is no file, `false` for what is long, no text or cannot be read
 */
export function readText(path: string): string | null | false {
  try {
    const { isFile, size } = Deno.lstatSync(path);
    if (!isFile || size > MAX_BYTES) return false;
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Deno.readFileSync(path));
    return text.includes("\0") ? false : text;
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? null : false;
  }
}
