import type { ErrorInfo } from "../../../schemas/error.ts";
import { harnessErrorText } from "./error_text.ts";

/** Optional words of {@linkcode programErrorText}. */
export interface ProgramErrorWording {
  /** Stands before refusals of the working folder. @default nothing */
  folderLead?: string;
}

/** Returns the function that words a failure of a tool that starts programs: `[Bash] Blocked by safety policy: …`. */
export function programErrorText(
  tool: string,
  { folderLead = "" }: ProgramErrorWording = {},
): (error: ErrorInfo) => string {
  const words = harnessErrorText(tool, { purpose: "Working directory" });
  return (error) => {
    const { kind, reason } = error.details;
    if (error.code === "denied_by_policy") return `[${tool}] Blocked by safety policy: ${error.message}`;
    // Granted folders do not apply to programs: the code that refuses a program words the refusal.
    if (kind === "run" || reason === undefined) return `[${tool}] ${error.message}`;
    const lead = `[${tool}] `;
    return lead + folderLead + words(error).slice(lead.length);
  };
}
