import type { FindToolchains } from "../toolchains/toolchains.ts";

/** What programs in a sandbox see or do not see beside the grants. Each part is read with the first program. */
export interface Sight {
  /** bulkhead's own files and folders, which are hidden. @default nothing */
  hide?: () => readonly string[];
  /** Finds the toolchains that are shown. @default no toolchains */
  toolchains?: FindToolchains;
}
