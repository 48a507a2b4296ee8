import { join } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { type Io, userFolder } from "../io/io.ts";

/** The file in which people keep keys and the name of a model for other programs. */
const FILE = ".env";

/**
 * Names that file to whoever has no model or no key, if it lies in their folder. It is not read. Needs `read`.
 *
 * @returns Any other error as it is
 */
export function offerEnvFile<E>(error: E, io: Io): E | ToolError {
  // Who looks for a model tells which keys were found.
  if (!(error instanceof ToolError) || !Array.isArray(error.details.found)) return error;
  try {
    if (!Deno.lstatSync(join(userFolder(io), FILE)).isFile) return error;
  } catch {
    return error;
  }
  const { code, message, retryable, details } = error;
  const offer = `; the file ${FILE} of this folder is not read by itself: --env-file ${FILE} reads it`;
  return new ToolError(code, `${message}${offer}`, { retryable, details, cause: error });
}
