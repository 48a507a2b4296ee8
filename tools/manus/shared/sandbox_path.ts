import { resolve } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { APART_FOLDER } from "../../../schemas/program.ts";

/**
 * Returns the absolute path that a path of the document means: `/workspace/a`, `workspace/a`, `/a` and `a` are one file.
 *
 * @throws {ToolError} `invalid_input` for a path outside of the sandbox's folder
 */
export function sandboxPath(path: string): string {
  if (path.includes("\0")) {
    throw new ToolError("invalid_input", `Cannot use ${JSON.stringify(path)}: embedded null byte`);
  }
  const below = path.replace(/^\/+/, "").replace(/^workspace(?:\/+|$)/, "");
  const whole = resolve(APART_FOLDER, below);
  if (whole === APART_FOLDER || whole.startsWith(`${APART_FOLDER}/`)) return whole;
  throw outside(path);
}

/** The refusal of a path that leads out of the sandbox's folder, by its name or by links. */
export function outside(path: string): ToolError {
  return new ToolError(
    "invalid_input",
    `Path '${path}' is outside of ${APART_FOLDER}: name a path in ${APART_FOLDER}`,
  );
}
