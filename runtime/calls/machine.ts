import type { Model } from "../../schemas/agent/model.ts";
import type { PlanBook } from "../../schemas/step/plan.ts";
import type { Grants } from "../../schemas/grants.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { ArtifactFolder } from "../state/artifact_folder.ts";
import type { CallLine } from "./call_line.ts";
import type { CallControl } from "./control.ts";

/** What all calls of a run share, for tools from every source. */
export interface Machine {
  grants: Grants;
  /** The user's home folder, `""` if it is unknown. */
  home: string;
  /** Files that calls leave; once there are any, every tool that reads files may read them. */
  artifacts: ArtifactFolder;
  /** Decides who may call what, and keeps the audit. */
  control: CallControl;
  /** Where all calls wait for their turn. */
  line: CallLine;
  /** The model of the run, which may answer servers of tools, and tools. @default there is none */
  model?: Model | undefined;
  /** Returns the plans that a set keeps, by the name of one of its tools and the key. @default none can be shown */
  plans?: ((fullName: string, key: string) => Promise<PlanBook | null>) | undefined;
  /** Hears of calls and requests. @default nobody does */
  telemetry?: Telemetry | undefined;
  /** Longest time of any call, in milliseconds. @default the tool's own */
  maxCallMs?: number | undefined;
}
