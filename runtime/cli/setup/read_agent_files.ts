import { resolve } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { parseJson } from "../../../schemas/json/json_text.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import { namedFileError } from "../../walls/files/system_error.ts";
import { readNamedText } from "../../walls/files/open_plain.ts";
import { type Io, userFolder } from "../io/io.ts";

/** Longest file that the command line names, in bytes. */
const MAX_BYTES = 512 * 1024;

/**
 * Reads the role prompts of a run.
 *
 * @throws {ToolError} `invalid_input` for a file that cannot be used
 */
export async function readRoles(files: readonly string[], io: Io): Promise<string[]> {
  return await Promise.all(files.map((file) => readText(file, io)));
}

/**
 * Reads the JSON Schema that an answer must fit.
 *
 * @throws {ToolError} `invalid_input` for a file that cannot be used
 */
export async function readSchema(file: string, io: Io): Promise<JsonSchema> {
  const schema = parseJson(await readText(file, io), `the schema "${file}"`);
  if (isObject(schema)) return schema;
  throw new ToolError("invalid_input", `Cannot use "${file}": a JSON Schema is a JSON object`);
}

async function readText(file: string, io: Io): Promise<string> {
  const path = resolve(userFolder(io), file);
  try {
    // Opening a pipe would wait for its writer.
    const { isFile, size } = await Deno.stat(path);
    if (!isFile) throw new ToolError("invalid_input", `Cannot use "${file}": it is not a file`);
    if (size <= MAX_BYTES) return readNamedText(path, { maxBytes: MAX_BYTES });
    throw new ToolError("invalid_input", `Cannot use "${file}": it has more than ${MAX_BYTES} bytes`);
  } catch (error) {
    throw namedFileError(error, "read", file);
  }
}
