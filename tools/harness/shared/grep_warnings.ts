import type { ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { SearchOutcome } from "../../engine/grep/collate_matches.ts";
import { adviseReader } from "./advise_reader.ts";
import type { OneFileOutcome } from "../../engine/grep/search_one_file.ts";

/**
 * Says why a file that was named as `path` was not searched, and what to use instead.
 *
 * @throws {ToolError} `unavailable` if it cannot be read
 */
export function warnAboutFile(kind: OneFileOutcome["kind"], path: string, context: ToolContext): void {
  if (kind === "unreadable") throw new ToolError("unavailable", `Search root cannot be read: ${path}`);
  if (kind === "text") return;
  const what = { pdf: "PDF", image: "Image", binary: "Binary" }[kind];
  const advice = kind === "binary" ? "" : adviseReader({ type: kind }, context);
  context.warn(`${what} files are not searched${advice === "" ? "" : `. ${advice}`}: ${path}`);
}

/** Warns about parts of a search that the caller may not expect. */
export function warnAboutSearch(
  found: SearchOutcome,
  pattern: string,
  context: ToolContext,
): void {
  const none = found.matches.length === 0;
  if (none && found.truncated) {
    context.warn("max_chars is too small for the first matching line. Raise it to see matches.");
  }
  if (none && /\n|\\n/.test(pattern)) {
    context.warn("The pattern asks for a line end, but lines are matched one at a time, without their ends.");
  }
  if (found.pieces > 0) {
    context.warn(
      `${found.pieces} file(s) have lines over 1,048,576 characters, which were matched in overlapping pieces: ` +
        "^, $ and matches over 65,536 characters may be wrong there.",
    );
  }
}
