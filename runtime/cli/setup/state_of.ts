import { ToolError } from "../../../schemas/error.ts";
import { stateFolder } from "../../state/state_folder.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import type { Io } from "../io/io.ts";

/**
 * Returns where bulkhead keeps what outlives a run, as a real path if it is there.
 *
 * @throws {ToolError} `configuration` if there is no place
 */
export function stateOf(io: Io): string {
  const state = stateFolder(io.env("XDG_STATE_HOME"), io.env("HOME") ?? "");
  if (state !== null) return realOrNull(state) ?? state;
  throw new ToolError(
    "configuration",
    "No place for what outlives a run: set HOME or XDG_STATE_HOME to an absolute path",
  );
}
