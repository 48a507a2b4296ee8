import type { Grants } from "../../schemas/grants.ts";
import type { ArtifactFolder } from "../state/artifact_folder.ts";
import type { CallControl } from "./control.ts";

/** What every call of a run shares, wherever its tool comes from. */
export interface Machine {
  grants: Grants;
  /** The user's home folder, `""` if there is none. */
  home: string;
  /** Files that calls leave; once there are any, every tool that reads files may read them. */
  artifacts: ArtifactFolder;
  /** Who may call what, and who takes note. */
  control: CallControl;
}
