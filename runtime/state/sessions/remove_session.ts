import { removeTree } from "../apart_folder.ts";
import { sessionFolder } from "../tool_state.ts";
import { tracePath } from "./session_folder.ts";
import { openTrace } from "./trace_file.ts";

/**
 * Removes a session with its trace, its artifacts and what its tools remember. Needs `read` and `write`.
 *
 * @param state Where bulkhead keeps what outlives a run
 * @param removeRest Removes what lies elsewhere; called once it is sure that nobody works with the session
 * @throws {ToolError} `conflict` if a run uses it
 */
export async function removeSession(
  state: string,
  id: string,
  removeRest: () => Promise<void> | void = () => {},
): Promise<void> {
  // Whoever holds the trace works with the session.
  using _trace = await openTrace(tracePath(state, id), { redact: (text) => text });
  await removeRest();
  await removeTree(sessionFolder(state, id));
}
