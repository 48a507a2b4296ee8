import { resolve } from "@std/path";

import type { ManifestEntry } from "../../../schemas/manifest.ts";
import { expandHome } from "../../walls/grants/expand_home.ts";
import { namedFileError } from "../../walls/files/system_error.ts";
import { parseCallArguments, sourceOf } from "../args/call_arguments.ts";
import { awaitInput, type Io, userFolder } from "./io.ts";

/** Reads a call's arguments from the words after the tool's name, a file, or stdin. */
export async function readInput(
  words: readonly string[],
  entry: ManifestEntry,
  io: Io,
): Promise<Record<string, unknown>> {
  const source = words[0] === undefined ? null : sourceOf(words[0]);
  if (source?.kind === "file") {
    return parseCallArguments(words, entry.input_schema, await awaitInput(io, readFile(source.path, io)));
  }
  if (source?.kind === "stdin") {
    const text = new Response(io.stdin()).text();
    return parseCallArguments(words, entry.input_schema, await awaitInput(io, text));
  }
  return parseCallArguments(words, entry.input_schema);
}

async function readFile(path: string, io: Io): Promise<string> {
  try {
    return await Deno.readTextFile(resolve(userFolder(io), expandHome(path, io.env("HOME"))));
  } catch (error) {
    throw namedFileError(error, "read", path);
  }
}
