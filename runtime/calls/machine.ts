import type { Grants } from "../../schemas/grants.ts";
import type { ProgramHost } from "../programs/process/program_host.ts";
import type { RoomPool } from "../rooms/room_pool.ts";
import type { ArtifactFolder } from "../state/artifact_folder.ts";
import type { ToolState } from "../state/tool_state.ts";
import type { CallControl } from "./control.ts";

/** What every call of a run shares. */
export interface Machine {
  grants: Grants;
  home: string;
  rooms: RoomPool;
  session: ToolState;
  /** Files that calls leave; once there are any, every tool that reads files may read them. */
  artifacts: ArtifactFolder;
  programs: ProgramHost;
  /** Variables of the user's environment; a tool is told those that it declares. */
  settings: Readonly<Record<string, string>>;
  /** Longest time of any call in milliseconds, below the tool's own limit. */
  maxCallMs?: number;
  /** Who may call what, and who takes note. @default each tool's own permission, and nobody */
  dispatch?: CallControl;
}
