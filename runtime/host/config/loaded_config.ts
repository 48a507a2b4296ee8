import type { Config, ProgramLimits, ToolConfig } from "../../../schemas/config.ts";
import type { AgentDefinition } from "../../../schemas/step/agent_definition.ts";
import type { ProjectFile } from "../../sources/source.ts";
import type { NamedPolicy } from "../../walls/grants/policies.ts";

/** All configuration of a run, understood. */
export interface LoadedConfig {
  /** The user's file, with what the project's may lower. */
  config: Config;
  /** By name: those of the user, and of the project as far as it may. */
  policies: Readonly<Record<string, NamedPolicy>>;
  /** The policy of runs that do not name one. */
  policy: NamedPolicy;
  /** The project's rules about tools. They hold beside the user's rules and never replace them. */
  projectTools: Readonly<Record<string, ToolConfig>>;
  /** The project's bounds of programs. No policy loosens them. */
  projectLimits: Partial<ProgramLimits>;
  /** The project's agents, without what is not the project's to say. They never replace those of the user. */
  projectAgents: Readonly<Record<string, AgentDefinition>>;
  /** Real paths of the files that were read. */
  userFile: string | null;
  projectFile: string | null;
  /** What the project's file adds to the tools of a run; it counts once the user trusts it. */
  projectAdds: readonly ProjectFile[];
  /** What was ignored, and why. */
  warnings: readonly string[];
}

/** What of it a file says. */
export type Loaded = Omit<LoadedConfig, "userFile" | "projectFile" | "projectAdds" | "warnings">;
