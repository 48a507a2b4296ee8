import { resolve } from "@std/path";

import { namedFileError } from "../../walls/files/system_error.ts";
import { type Io, userFolder } from "./io.ts";

/** Opens a file of the command line, or stdin for `-`. Throws `invalid_input` if it cannot be read. */
export async function openInput(file: string, io: Io): Promise<ReadableStream<Uint8Array>> {
  if (file === "-") return io.stdin();
  try {
    const opened = await Deno.open(resolve(userFolder(io), file));
    // A folder can be opened, and fails at the first read.
    if ((await opened.stat()).isDirectory) throw new Deno.errors.IsADirectory();
    return opened.readable;
  } catch (error) {
    throw namedFileError(error, "read", file);
  }
}
