import { resolve } from "@std/path";

import { type HeldOutput, holdOutput, openLines } from "../../walls/files/output_file.ts";
import { type NamedOutput, placeOutput } from "../../walls/files/place_output.ts";
import { namedFileError, systemError } from "../../walls/files/system_error.ts";
import { type Io, print, printError, userFolder } from "./io.ts";

/** Where the result goes: stdout, or the file of `-o`. */
export interface Output extends Disposable {
  /** The file, for the host to open; none for stdout. */
  files: readonly NamedOutput[];
  /** Why the file could not be opened; `null` if it could, or was not tried. */
  readonly failure: unknown;
  write(text: string): Promise<void>;
}

/**
 * Opens the files of outputs where no call runs here that could have made links on the way.
 *
 * @throws {ToolError} What the system says
 */
export function openOutputs(outputs: readonly NamedOutput[]): void {
  for (const output of outputs) output.open(placeOutput(output.path, { calls: [], workspace: null }));
}

/** Deno opens none of these. */
const STREAMS: Readonly<Record<string, typeof print>> = {
  "/dev/stdout": print,
  "/dev/fd/1": print,
  "/proc/self/fd/1": print,
  "/dev/stderr": printError,
  "/dev/fd/2": printError,
  "/proc/self/fd/2": printError,
};

/**
 * Makes the output of a command. The host opens its file, as it knows what calls can write.
 *
 * @param file Relative to the user's folder; stdout if absent
 * @param options `form`: `whole` at once, and the file is replaced; `lines` as they come; `added` to what is in the file
 */
export function makeOutput(
  file: string | undefined,
  io: Io,
  { form }: { form: "whole" | "lines" | "added" },
): Output {
  const stream = file === undefined ? print : STREAMS[file];
  if (file === undefined || stream) {
    return { files: [], failure: null, write: (text) => stream!(io, text), [Symbol.dispose]: () => {} };
  }
  let opened: HeldOutput | null = null;
  let failure: unknown = null;
  const named: NamedOutput = {
    path: resolve(userFolder(io), file),
    open(placed) {
      try {
        opened = form === "whole" ? holdOutput(placed) : openLines(placed, { append: form === "added" });
      } catch (error) {
        throw failure = namedFileError(error, "write", file);
      }
    },
  };
  return {
    files: [named],
    get failure() {
      return failure;
    },
    async write(text) {
      // The run did not begin: no folder is known to be safe.
      if (opened === null) named.open(placeOutput(named.path, { calls: true, workspace: null }));
      try {
        await opened!.write(new TextEncoder().encode(text));
      } catch (error) {
        throw systemError(error, "write", file);
      }
    },
    [Symbol.dispose]: () => opened?.[Symbol.dispose](),
  };
}
