import { ToolError } from "../../../schemas/error.ts";

/** How often an edit is made on the content that another writer left. With many writers, one gets through each time. */
const TRIES = 100;
/** Longest wait between two tries, in milliseconds. */
const LONGEST_WAIT_MS = 20;

/**
 * Reads a file, changes its text and writes it back; if somebody else changed the file in between, does it again on
 * what is there now.
 *
 * @param edit Reads with `loadText` and writes with `saveText`; has no other effect before it has written
 * @throws {ToolError} What the edit throws; `conflict` if the file keeps changing
 */
export async function editAgain<T>(signal: AbortSignal, edit: () => Promise<T>): Promise<T> {
  for (let attempt = 1;; attempt++) {
    try {
      return await edit();
    } catch (error) {
      if (!isChanged(error) || attempt === TRIES) throw error;
    }
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_WAIT_MS));
  }
}

/** Says whether an error means that the file was changed or replaced by somebody else. */
export function isChanged(error: unknown): boolean {
  return error instanceof ToolError && error.code === "conflict" && error.retryable;
}
