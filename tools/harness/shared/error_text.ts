import type { ErrorInfo } from "../../../schemas/error.ts";

/** How a harness tool words its failures: its name, what it calls its access, and whether path failures get a lead. */
export interface ErrorWording {
  /** "Read access", "Search access", "Write access" … */
  purpose: string;
  /** Puts "Blocked or invalid path: " before path failures, as the reading tools do. @default false */
  pathLead?: boolean;
}

/** Returns the function that words a failure as ResearchHarness does: `[Read] File not found: …`. */
export function harnessErrorText(tool: string, wording: ErrorWording): (error: ErrorInfo) => string {
  return (error) => {
    const reason = pathReason(error, wording.purpose);
    if (reason === null) return `[${tool}] ${error.message}`;
    return `[${tool}] ${wording.pathLead ? "Blocked or invalid path: " : ""}${reason}`;
  };
}

/**
 * The document's words for a refusal of the path guard, with the flag that would allow it; `null` for other
 * errors.
 */
function pathReason(error: ErrorInfo, purpose: string): string | null {
  const { reason, target, pass, workspace, granted } = error.details;
  if (reason === "outside") {
    const where = granted === workspace ? `the workspace root: ${workspace}` : `these folders: ${granted}`;
    return `${purpose} is limited to ${where} (${target} lies outside; pass ${pass} to grant it)`;
  }
  if (reason === "secret") {
    return `${purpose} to sensitive paths is blocked: ${target} (pass ${pass} to grant it)`;
  }
  if (reason === "denied" || reason === "protected") return error.message;
  if (error.code === "invalid_input" && error.message.endsWith("embedded null byte")) return error.message;
  return null;
}
