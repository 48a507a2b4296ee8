import { resolve } from "@std/path";

import { namedFileError, systemError } from "../../walls/files/system_error.ts";
import { type Io, print, userFolder } from "./io.ts";

/** Where the result goes: stdout, or the file of `-o`. */
export interface Output extends Disposable {
  write(text: string): Promise<void>;
}

/**
 * Opens the output of a command.
 *
 * @param file Relative to the user's folder; stdout if absent
 */
export function openOutput(file: string | undefined, io: Io): Output {
  if (file === undefined) return { write: (text) => print(io, text), [Symbol.dispose]: () => {} };
  const encoder = new TextEncoder();
  let opened: Deno.FsFile;
  try {
    opened = Deno.openSync(resolve(userFolder(io), file), { write: true, create: true, truncate: true });
  } catch (error) {
    throw namedFileError(error, "write", file);
  }
  return {
    async write(text) {
      const bytes = encoder.encode(text);
      try {
        for (let at = 0; at < bytes.length;) at += await opened.write(bytes.subarray(at));
      } catch (error) {
        throw systemError(error, "write", file);
      }
    },
    [Symbol.dispose]: () => opened.close(),
  };
}
