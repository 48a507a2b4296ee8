import { ToolError } from "../../schemas/error.ts";
import type { Grants } from "../../schemas/grants.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import { BOXED_PROGRAMS } from "../walls/grants/policies.ts";
import { profileOf, requireNet } from "./profile.ts";

/** What a run grants its tools. */
export interface Granting {
  grants: Grants;
  home: string;
  artifacts: { readable: string | null };
}

/**
 * Says what a tool lacks to run at all.
 *
 * @param boxed The run has a sandbox
 * @returns The flag, or the sandbox, that is missing; `null` if the tool can run
 */
export function missingGrant(entry: ManifestEntry, run: Granting, boxed: boolean): string | null {
  return missingFlag(entry, run) ?? (boxed ? null : missingWithoutBox(entry, run));
}

function missingFlag(entry: ManifestEntry, run: Granting): string | null {
  try {
    requireNet(entry, run.grants);
    profileOf(entry, run.grants, run);
    return null;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return String(error.details.flag);
  }
}

/** Without a box only named programs start. Under a read-only policy no program starts. */
function missingWithoutBox(entry: ManifestEntry, { grants }: Granting): string | null {
  if (entry.needs.run === undefined) return null;
  if (grants.policy !== "coder") return "a sandbox";
  const { run } = grants.allow;
  const named = run === true || run.some((program) => program !== BOXED_PROGRAMS);
  return named ? null : "--allow-run or a sandbox";
}
