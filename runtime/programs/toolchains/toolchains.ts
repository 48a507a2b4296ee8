import type { Finding } from "../protected/scan_folder.ts";

/** What programs in a sandbox see of the toolchains in the user's home. */
export interface Toolchains {
  /** Real files and folders, shown to read. */
  shown: readonly string[];
  /** Real folders of `PATH` in toolchains; of some, only the programs are shown. */
  path: readonly string[];
  /** Links that programs find in the sandbox too: where a folder is for the user, and where it really is. */
  links: readonly { at: string; to: string }[];
  /** Secrets in what is shown. */
  findings: readonly Finding[];
  /** Paths in what is shown that stay hidden. */
  hidden: readonly string[];
  /** Variables that the toolchains need. */
  env: Readonly<Record<string, string>>;
  /** Their names, each with the folder of `PATH`, as the user has it. */
  found: readonly { name: string; folder: string }[];
  /** Folders of `PATH` in toolchains that are not shown. */
  refused: readonly { folder: string; why: string }[];
}

/** Finds the toolchains once, with the first program. */
export type FindToolchains = () => Promise<Toolchains>;

/** No toolchain is shown. */
export const NO_TOOLCHAINS: Toolchains = {
  shown: [],
  path: [],
  links: [],
  findings: [],
  hidden: [],
  env: {},
  found: [],
  refused: [],
};
