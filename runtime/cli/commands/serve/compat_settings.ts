import { resolve } from "@std/path";

import type { CompatSettings } from "../../../server/serve.ts";
import { namedFileError } from "../../../walls/files/system_error.ts";
import type { Options } from "../../args/options/option_table.ts";
import { type Io, userFolder } from "../../io/io.ts";
import { realFolder } from "../../setup/served_by.ts";

/**
 * Returns how the server speaks with clients that were made for others. Needs `read` of the folder, and `write` where it is
 * not there yet.
 *
 * @throws {ToolError} What the system says
 */
export function compatSettings(
  { streamStyle: style = "reasoning", apiRunsDir }: Options,
  io: Io,
): CompatSettings {
  if (apiRunsDir === undefined) return { style, apiRunsDir: null };
  const path = resolve(userFolder(io), apiRunsDir);
  try {
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw namedFileError(error, "make", path);
  }
  return { style, apiRunsDir: realFolder(path, io) };
}
