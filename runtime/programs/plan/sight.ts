import type { Grants } from "../../../schemas/grants.ts";
import { type FindToolchains, NO_TOOLCHAINS, type Toolchains } from "../toolchains/toolchains.ts";

/** What programs in a sandbox see or do not see beside the grants. Each part is read with the first program. */
export interface Sight {
  /** bulkhead's own files and folders, which are hidden. @default nothing */
  hide?: () => readonly string[];
  /** Finds the toolchains that are shown. @default no toolchains */
  toolchains?: FindToolchains;
  /** Returns the settings of git for the private home. @default no settings */
  gitSettings?: () => Promise<string>;
  /**
   * The private home stands where the user's is, so that what is shown of it is where it always is. Who may not read the
   * workspace starts there, unless it names another folder. @default false
   */
  atHome?: boolean;
  /** The file that keeps what earlier runs saw in the folders that it looks through. @default each run looks at all */
  memory?: string;
  /** Names of all programs of the machine that it may start, also its own. @default those that are shown */
  only?: readonly string[];
}

/** What the parts of a {@linkcode Sight} say. */
export interface Seen {
  hidden: readonly string[];
  toolchains: Toolchains;
  gitSettings: string;
}

/** Asks each part. Without a box, none is needed. */
export async function lookAround(sight: Sight = {}, { isBoxed }: { isBoxed: boolean }): Promise<Seen> {
  if (!isBoxed) return { hidden: [], toolchains: NO_TOOLCHAINS, gitSettings: "" };
  const toolchains = await sight.toolchains?.() ?? NO_TOOLCHAINS;
  return {
    toolchains,
    hidden: [...sight.hide?.() ?? [], ...toolchains.hidden],
    gitSettings: await sight.gitSettings?.() ?? "",
  };
}

/** Says whether no file of the user is shown. */
export function seesNoPath({ allow, sandboxShow }: Grants): boolean {
  return [allow.read, allow.write, sandboxShow].every((paths) => paths !== true && paths.length === 0);
}
