import { ToolError } from "../../../../schemas/error.ts";

/** Returns the failure for a picture whose bytes are damaged. */
export function damagedImage(format: string, reason: string, options: { cause?: unknown } = {}): ToolError {
  return new ToolError("invalid_input", `The ${format} image is damaged: ${reason}`, {
    details: { format },
    ...options,
  });
}

/** Returns the failure for a kind of picture that cannot be drawn here. */
export function unsupportedImage(what: string): ToolError {
  return new ToolError(
    "invalid_input",
    `${what} cannot be read here. Convert the file to PNG or JPEG first, with a program in Bash`,
  );
}

/**
 * Does some work on bytes that may end too early.
 *
 * @throws {ToolError} `invalid_input` where the work reads past their end
 */
export function untilEnd<T>(format: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) {
      throw damagedImage(format, "it ends too early, get the whole file", { cause: error });
    }
    throw error;
  }
}
