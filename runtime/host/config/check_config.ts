import { isAbsolute } from "@std/path";

import type { Config, ProgramLimits } from "../../../schemas/config.ts";
import { CONFIG_SCHEMA } from "./config_schema.ts";
import { ToolError } from "../../../schemas/error.ts";
import { typeProblem } from "../../../schemas/json/typed_tool.ts";
import type { ManifestEntry, ResponseType } from "../../../schemas/manifest.ts";
import { describeMismatch } from "../../../schemas/json/mismatch.ts";
import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import { UNKNOWN_MODEL } from "../../../schemas/agent/model.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { ConfigFile } from "./find_config.ts";
import { withFullNames } from "./full_names.ts";
import { isPolicyName, ruleProblem } from "../../walls/grants/policies.ts";
import { hostWordProblem } from "../../walls/net/host_word.ts";
import { isOfSource } from "../../text/tool_names.ts";
import { matchesPattern } from "../../walls/grants/permission.ts";

/** Longest time of one call, in seconds, as on the command line. */
const MAX_SECONDS = 86_400;
/** Largest bound of programs: systems cannot enforce a larger one. */
const MAX_BOUND = 1_000_000_000;

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
  const wrong = isObject(config) ? shapeProblems(config) : ["it must be a JSON object"];
  const problems = wrong.length > 0 ? wrong : [
    ...policyProblems(config),
    ...toolProblems(config, tools),
    ...hookProblems(config),
    ...isProjects ? [] : toolFileProblems(config),
    ...isProjects ? [] : scriptProblems(config),
    ...boundProblems("programs", config.programs ?? {}),
    ...permissionProblems(config),
    ...modelProblems(config),
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

/** The problems of the arguments of tools, in the words of configuration. */
function shapeProblems(config: Config): string[] {
  return describeMismatch(CONFIG_SCHEMA, config).map((problem) =>
    problem
      .replace(/^Missing required parameter: /, "missing field ")
      .replace(/^Unknown parameter: (.*)$/s, (_, field: string) => `unknown field ${field}${hint(field)}`)
      .replace(/^Parameter '/, "field '")
      .replace(/\.$/, "")
  );
}

function hint(field: string): string {
  return didYouMean(nearest(field, Object.keys(CONFIG_SCHEMA.properties as object), { max: 1 }));
}

function policyProblems({ policies = {} }: Config): string[] {
  return Object.entries(policies).flatMap(([name, { base, allow = [], deny = [], write, programs = {} }]) => {
    const at = `policies.${name}`;
    const rules = [
      ...allow.map((rule) => ["allow", rule] as const),
      ...deny.map((rule) => ["deny", rule] as const),
    ];
    return [
      ...(isPolicyName(name) ? [`${at} has the name of a built-in policy, choose another`] : []),
      ...(/^[A-Za-z][\w.-]{0,63}$/.test(name)
        ? []
        : [`${at} must be named by letters, digits, ".", "_" or "-"`]),
      ...(write && base !== "coder"
        ? [`${at}.write: the base "${base}" grants no writing, choose "coder"`]
        : []),
      ...boundProblems(`${at}.programs`, programs),
      ...rules.flatMap(([list, rule]) => {
        const problem = ruleProblem(rule);
        return problem === null ? [] : [`${at}.${list}: the rule ${JSON.stringify(rule)} ${problem}`];
      }),
    ];
  });
}

/** A misspelt name would leave its tool open. */
function toolProblems({ tools: entries = {} }: Config, tools: readonly ManifestEntry[]): string[] {
  const names = tools.map((tool) => tool.full_name);
  return Object.entries(entries).flatMap(([name, { timeout_seconds = 1, response_type }]) => {
    const isKnown = name.includes("*") || names.includes(name) || isOfSource(name);
    const hint = didYouMean(nearest(name, names, { max: 2 }));
    return [
      ...(isKnown ? [] : [`tools.${name} is not the full name of a tool${hint}`]),
      ...(timeout_seconds <= MAX_SECONDS
        ? []
        : [`tools.${name}.timeout_seconds must be at most ${MAX_SECONDS}`]),
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

function boundProblems(at: string, bounds: Partial<ProgramLimits>): string[] {
  return Object.entries(bounds)
    .filter(([, bound]) => !Number.isInteger(bound) || bound > MAX_BOUND)
    .map(([name]) => `${at}.${name} must be a whole number, at most ${MAX_BOUND}`);
}

/** A flag cannot give an empty name either. */
function permissionProblems({ permissions = {}, sandbox = {} }: Config): string[] {
  const { allow = {}, deny = {}, secrets, private_net, env } = permissions;
  const lists: Readonly<Record<string, true | readonly string[] | undefined>> = {
    ...Object.fromEntries(Object.entries(allow).map(([kind, list]) => [`permissions.allow.${kind}`, list])),
    ...Object.fromEntries(Object.entries(deny).map(([kind, list]) => [`permissions.deny.${kind}`, list])),
    "permissions.secrets": secrets,
    "permissions.private_net": private_net,
    "permissions.env": env,
    "sandbox.show": sandbox.show,
  };
  const hosts = {
    "permissions.allow.net": allow.net,
    "permissions.deny.net": deny.net,
    "permissions.private_net": private_net,
  };
  return [
    ...Object.entries(lists).flatMap(([at, list]) =>
      Array.isArray(list) && list.includes("") ? [`${at} has an empty text, name something`] : []
    ),
    ...Object.entries(hosts).flatMap(([at, list]) =>
      Array.isArray(list) ? hostProblems(at, list, { isPrivate: list === private_net }) : []
    ),
  ];
}

function hostProblems(at: string, words: readonly string[], kind: { isPrivate: boolean }): string[] {
  return words.filter((word) => word !== "").flatMap((word) => {
    const problem = hostWordProblem(word, kind);
    return problem === null ? [] : [`${at}: ${problem}`];
  });
}

function modelProblems({ models = {} }: Config): string[] {
  return Object.entries(models).flatMap(([name, config]) => {
    const { base_url, api_key_env = "_", headers = {}, context_tokens, output_tokens } = config;
    const context = context_tokens ?? UNKNOWN_MODEL.context_tokens;
    return [
      ...headerProblems(name, headers),
      ...(/^[A-Za-z_]\w*$/.test(api_key_env)
        ? []
        : [`models.${name}.api_key_env must be the name of a variable, not the key itself`]),
      ...(base_url === undefined || isWebUrl(base_url)
        ? []
        : [`models.${name}.base_url must begin with http:// or https://`]),
      ...(output_tokens === undefined || output_tokens < context
        ? []
        : [`models.${name}.output_tokens must be smaller than its context_tokens, ${context}`]),
    ];
  });
}

function headerProblems(model: string, headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    try {
      new Headers([[name, value]]);
      return [];
    } catch {
      // The value may be a secret.
      return [`models.${model}.headers.${name} is not a valid header`];
    }
  });
}

function isWebUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}
