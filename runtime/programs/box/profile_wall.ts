import type { FileGrants } from "../../../schemas/grants.ts";
import type { Masks } from "./box_masks.ts";
import type { ProgramView } from "./program_view.ts";

/** How a program is put behind a wall that shows the machine's own folders, some of them closed. */
export interface ProfileLaunch {
  /** What is started, the program's own words last. */
  words: readonly string[];
  /** Its whole environment. */
  env: Readonly<Record<string, string>>;
  view: ProgramView;
  files: FileGrants;
  masks: Masks;
  /** The whole network, none of it, or a port of this machine. */
  network: "machine" | "none" | { port: number };
  /** It is known to read only: then it may write nothing. */
  reads: boolean;
}

/** A wall without namespaces: Landlock, or a profile of macOS. */
export interface ProfileWall {
  name: "landlock" | "seatbelt";
  /** The program's own folder. */
  scratch: string;
  /** Folders of the system that all programs see, and where else programs of it lie. */
  system: { folders: readonly string[]; bins: readonly string[] };
  /** Variables that each program needs behind it. */
  variables: Readonly<Record<string, string>>;
  /** It can leave a single port of this machine open. */
  holdsPorts: boolean;
  /**
   * Returns what really starts.
   *
   * @throws {ToolError} For what the wall cannot close
   */
  enclose(launch: ProfileLaunch): { argv: string[]; env: Record<string, string> };
  /** Says what it does otherwise than a box would. */
  warnings(masks: Masks): string[];
}

/** Returns the path of a new private folder. It is short: the path of a socket in it may have 104 bytes. */
export function newScratch(tmp: string): string {
  return `${tmp}/bulkhead-${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
}
