import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { Host } from "./open_host.ts";

/** What a process still needs after its run is set up. */
export interface StillNeeded {
  host: Pick<Host, "grants" | "tidied">;
  /** The tools that will be called. */
  called: readonly Pick<ManifestEntry, "needs" | "leaves_files">[];
  /** Main itself continues to write: a trace, a recording, a session, an output file. */
  keepsFiles: boolean;
}

/**
 * Gives up the permissions of this process that its run cannot need, once what a killed run left is put in order. They
 * cannot come back. Only for a
 * process that is the program itself: a program that embeds it may need them.
 */
export async function giveUp(
  { host: { grants, tidied }, called, keepsFiles }: StillNeeded,
): Promise<void> {
  await tidied;
  // No tool of this version reaches the network.
  for (const name of ["net", "ffi", "env"] as const) Deno.permissions.revokeSync({ name });
  // While programs run, the free space of disks is watched, and all their output may have to be kept.
  if (called.some(({ needs }) => needs.run !== undefined)) return;
  Deno.permissions.revokeSync({ name: "sys" });
  const writes = grants.allow.write === true || grants.allow.write.length > 0;
  if (keepsFiles || writes || called.some(({ leaves_files }) => leaves_files)) return;
  Deno.permissions.revokeSync({ name: "write" });
}
