import { ToolError } from "../../schemas/error.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import { profileOf, requireNet } from "../rooms/profile.ts";
import { BOXED_PROGRAMS } from "../walls/grants/policies.ts";
import type { Host } from "./open_host.ts";

/**
 * Says what a tool lacks to run at all.
 *
 * @param boxed The host has a sandbox
 * @returns The flag, or the sandbox, that is missing; `null` if the tool can run
 */
export function missingGrant(entry: ManifestEntry, host: Host, boxed: boolean): string | null {
  return missingFlag(entry, host) ?? (boxed ? null : missingWithoutBox(entry, host));
}

function missingFlag(entry: ManifestEntry, host: Host): string | null {
  try {
    requireNet(entry, host.grants);
    profileOf(entry, host.grants, host);
    return null;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return String(error.details.flag);
  }
}

/** Without a box only named programs start. Under a read-only policy no program starts. */
function missingWithoutBox(entry: ManifestEntry, { grants }: Host): string | null {
  if (entry.needs.run === undefined) return null;
  if (grants.policy !== "coder") return "a sandbox";
  const { run } = grants.allow;
  const named = run === true || run.some((program) => program !== BOXED_PROGRAMS);
  return named ? null : "--allow-run or a sandbox";
}
