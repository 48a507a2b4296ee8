import type { ManifestEntry } from "../../schemas/manifest.ts";
import { boxNetwork } from "../programs/network/box_network.ts";
import { reachesNothing, toolRules } from "../walls/net/net_rules.ts";
import type { ProcessSettings } from "./host_settings.ts";
import type { Host } from "./open_host.ts";

/** Whether a process keeps its permissions. */
type Keeping = Pick<ProcessSettings, "keepsPermissions">;

/** What a process still needs after its run is set up. */
export interface StillNeeded {
  host: Pick<Host, "box" | "grants" | "gate" | "tidied" | "ready">;
  process: Keeping | undefined;
  /** The tools that will be called. */
  called: readonly Pick<ManifestEntry, "needs" | "leaves_files">[];
  /** They are only explained, and reach nothing. @default false */
  explains?: boolean | undefined;
  /** Main itself continues to write: a trace, a recording, a session, an output file. */
  keepsFiles: boolean;
}

/**
 * Gives up the permissions of this process that its run cannot need, once what a killed run left is put in order. They
 * cannot come back. Only for a process that is the program itself: a program that embeds it may need them. Revokes nothing
 * in a process that keeps its permissions.
 */
export async function giveUp(
  { host, process, called, explains = false, keepsFiles }: StillNeeded,
): Promise<void> {
  const { grants, gate, tidied } = host;
  await tidied;
  giveUpSetup(process);
  const giveUpNet = () => revoke(["net"], process);
  const use = explains ? "none" : await useOfGate(host, called);
  if (use === "programs" && called.length === 1) {
    // The start of a gate holds this thread up: it waits until the call's room is on its way.
    gate.stood.then(giveUpNet);
  } else {
    // One call has no calls after it, for which another gate would have to take over.
    if (use !== "none") await gate.stand(called.length > 1);
    giveUpNet();
  }
  // While programs run, the free space of disks is watched, and all their output may have to be kept.
  if (called.some(({ needs }) => needs.run !== undefined)) return;
  revoke(["sys"], process);
  const writes = grants.allow.write === true || grants.allow.write.length > 0;
  // A call that needs no source loads none.
  const sources = await host.ready({ onlyLoaded: true });
  if (
    keepsFiles || writes || sources.some((source) => source.keepsFiles) ||
    called.some(({ leaves_files }) => leaves_files)
  ) return;
  revoke(["write"], process);
}

/** Gives up what only the start of a process needs, also one that opens further hosts: the environment has been read. */
export function giveUpSetup(process: Keeping | undefined): void {
  revoke(["ffi", "env"], process);
}

function revoke(names: readonly Deno.PermissionName[], process: Keeping | undefined): void {
  if (process?.keepsPermissions) return;
  for (const name of names) Deno.permissions.revokeSync({ name });
}

/** Says who will reach the network: what reaches it for them holds it alone from then on. */
async function useOfGate(
  { box, grants }: Pick<Host, "box" | "grants">,
  called: StillNeeded["called"],
): Promise<"tools" | "programs" | "none"> {
  if (called.some(({ needs: { net } }) => net !== undefined && !reachesNothing(toolRules(net, grants)))) {
    return "tools";
  }
  if (boxNetwork(grants) !== "gate" || called.every(({ needs: { run } }) => run === undefined)) return "none";
  // The call itself says why there is no sandbox.
  return await box.isUsed().catch(() => false) ? "programs" : "none";
}
