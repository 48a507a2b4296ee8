import { isAbsolute } from "@std/path";

import { type Config, MAX_CALL_SECONDS } from "../../../schemas/config.ts";
import { agentProblems } from "./check/agent_problems.ts";
import { boundProblems, policyProblems } from "./check/policy_problems.ts";
import { fieldProblems } from "./check/field_problems.ts";
import { CONFIG_SCHEMA } from "./config_schema.ts";
import { ToolError } from "../../../schemas/error.ts";
import { typeProblem } from "../../../schemas/json/typed_tool.ts";
import type { ManifestEntry, ResponseType } from "../../../schemas/manifest.ts";
import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { ConfigFile } from "./find_config.ts";
import { withFullNames } from "./full_names.ts";
import { modelProblems } from "./check/model_problems.ts";
import { permissionProblems } from "./check/permission_problems.ts";
import { isOfSource } from "../../text/tool_names.ts";
import { matchesPattern } from "../../walls/grants/permission.ts";

/**
 * Checks a configuration file.
 *
 * @param tools All tools, so that a misspelt name is noticed
 * @param options `isProjects`: it is a project's file, whose paths start there
 * @returns What is odd about it, a sentence each
 * @throws {ToolError} `configuration` that names every field which is wrong, and what is expected there
 */
export function checkConfig(
  file: Pick<ConfigFile, "path" | "config">,
  tools: readonly ManifestEntry[],
  { isProjects }: { isProjects: boolean },
): string[] {
  const { path, config } = withFullNames(file, tools);
  const wrong = isObject(config) ? fieldProblems(CONFIG_SCHEMA, config) : ["it must be a JSON object"];
  const problems = wrong.length > 0 ? wrong : [
    ...policyProblems(config),
    ...toolProblems(config, tools),
    ...hookProblems(config),
    ...isProjects ? [] : toolFileProblems(config),
    ...isProjects ? [] : scriptProblems(config),
    ...boundProblems("programs", config.programs ?? {}),
    ...permissionProblems(config),
    ...modelProblems(config),
    ...agentProblems(config),
  ];
  if (problems.length > 0) {
    throw new ToolError("configuration", `Cannot use configuration "${path}": ${problems.join("; ")}`, {
      details: { file: path, problems },
    });
  }
  const names = tools.map((tool) => tool.full_name);
  return Object.keys(config.tools ?? {})
    .filter((pattern) => !isOfSource(pattern) && !names.some((name) => matchesPattern(pattern, name)))
    .map((pattern) => `configuration ${path}: tools.${pattern} matches no tool`);
}

/** A misspelt name would leave its tool open. */
function toolProblems({ tools: entries = {} }: Config, tools: readonly ManifestEntry[]): string[] {
  const names = tools.map((tool) => tool.full_name);
  return Object.entries(entries).flatMap(([name, { timeout_seconds = 1, response_type }]) => {
    const isKnown = name.includes("*") || names.includes(name) || isOfSource(name);
    const hint = didYouMean(nearest(name, names, { max: 2 }));
    return [
      ...(isKnown ? [] : [`tools.${name} is not the full name of a tool${hint}`]),
      ...(timeout_seconds <= MAX_CALL_SECONDS
        ? []
        : [`tools.${name}.timeout_seconds must be at most ${MAX_CALL_SECONDS}`]),
      ...(response_type === undefined ? [] : responseProblems(name, response_type, tools)),
    ];
  });
}

function responseProblems(name: string, type: ResponseType, tools: readonly ManifestEntry[]): string[] {
  const at = `tools.${name}.response_type`;
  const typed = tools.filter(({ typed_argument }) => typed_argument !== null).map((tool) => tool.full_name);
  if (!typed.some((tool) => matchesPattern(name, tool))) {
    return [`${at}: the result of no such tool has a type of yours; ${typed.join(", ")} has`];
  }
  const problem = typeProblem(type);
  return problem === null ? [] : [`${at}: ${problem}`];
}

function hookProblems({ hooks = {} }: Config): string[] {
  return Object.entries(hooks).flatMap(([when, commands]) =>
    commands.flatMap(([program = ""], index) =>
      isAbsolute(program) || /^[^/]+$/.test(program)
        ? []
        : [`hooks.${when}[${index}] must begin with an absolute path, or with a name to be found on PATH`]
    )
  );
}

/** A relative path would mean another file in each workspace. */
function toolFileProblems({ tool_files = [] }: Config): string[] {
  return tool_files.flatMap((path, at) =>
    isAbsolute(path) || path.startsWith("~/")
      ? []
      : [`tool_files[${at}] must be an absolute path, or begin with ~/`]
  );
}

function scriptProblems({ script_tools = [] }: Config): string[] {
  return script_tools.flatMap(({ path }, at) =>
    isAbsolute(path) || path.startsWith("~/")
      ? []
      : [`script_tools[${at}].path must be an absolute path, or begin with ~/`]
  );
}
