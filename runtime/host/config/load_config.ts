import type { ManifestEntry } from "../../../schemas/manifest.ts";
import { namedPolicy } from "../../walls/grants/policies.ts";
import { checkConfig } from "./check_config.ts";
import { findPolicy, unknownPolicy } from "./choose_policy.ts";
import { type ConfigFile, type ConfigPlaces, findProjectFile, findUserFile } from "./find_config.ts";
import { withFullNames } from "./full_names.ts";
import type { Loaded, LoadedConfig } from "./loaded_config.ts";
import { projectAdds, projectServers } from "./project_adds.ts";
import { narrowConfig } from "./narrow_config.ts";

/**
 * Reads the user's configuration and the project's. The project's comes with the workspace and is not
 * trusted: it can only make the run stricter. Its other settings are ignored with a warning. Needs `read` of
 * the files.
 *
 * @param tools All tools, so that a misspelt name is noticed
 * @throws {ToolError} `configuration` for a file that cannot be used
 */
export function loadConfig(places: ConfigPlaces, tools: readonly ManifestEntry[]): LoadedConfig {
  const named = (file: ConfigFile | null) => file === null ? null : withFullNames(file, tools);
  const user = named(findUserFile(places));
  const warnings: string[] = [];
  // A file that the user names is the user's, wherever it lies.
  const project = named(findProjectFile(places, {
    user: user?.real ?? null,
    warn: (message) => void warnings.push(message),
  }));
  const files = [user, project].filter((file) => file !== null);
  for (const file of files) {
    warnings.push(...checkConfig(file, tools, { isProjects: file === project }));
  }
  const loaded = trusted(user);
  return {
    ...(project ? narrowConfig(loaded, project, warnings) : loaded),
    userFile: user?.real ?? null,
    projectFile: project?.real ?? null,
    projectAdds: places.workspace === null ? [] : [
      ...project ? projectAdds(project, places.workspace, warnings) : [],
      ...projectServers(places.workspace, warnings),
    ],
    warnings,
  };
}

function trusted(file: ConfigFile | null): Loaded {
  const config = file?.config ?? {};
  const policies = Object.fromEntries(
    Object.entries(config.policies ?? {}).map(([name, policy]) => [name, namedPolicy(name, policy)]),
  );
  const policy = findPolicy(config.policy ?? "coder", policies);
  if (policy) return { config, policies, policy, projectTools: {}, projectLimits: {}, projectAgents: {} };
  throw unknownPolicy(file!, config.policy!, policies);
}
