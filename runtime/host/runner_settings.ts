import { isAbsolute, resolve } from "@std/path";

import type { RunEvent } from "../../schemas/agent/events.ts";
import type { AccessKind } from "../../schemas/access.ts";
import type { AuditRecord } from "../../schemas/audit.ts";
import {
  MAX_CALL_SECONDS,
  type OwnPolicy,
  type ProgramLimits,
  type ScriptTool,
  type ToolchainMode,
  type ToolLimits,
} from "../../schemas/config.ts";
import { ToolError } from "../../schemas/error.ts";
import type { HereTool } from "../../schemas/own/here_tool.ts";
import type { PolicyName } from "../../schemas/grants.ts";
import type { StandardSchema } from "../../schemas/json/standard_schema.ts";
import type { JsonSchema, Manifest } from "../../schemas/manifest.ts";
import type { Confirm, Permission, PermissionPredicate } from "../../schemas/permission.ts";
import { didYouMean, nearest } from "../../schemas/nearest.ts";
import { findTool } from "../calls/catalog/find_tool.ts";
import type { AskPerson } from "../calls/control.ts";
import type { Hooks } from "../calls/hooks.ts";
import { readVariables } from "../self/surroundings.ts";
import { describeHere, hereName, hereSource } from "../sources/here/here_source.ts";
import { readScript } from "../sources/script/describe_script.ts";
import type { SourceSettings } from "../sources/source.ts";
import { isOfSource } from "../text/tool_names.ts";
import type { ToolState } from "../state/tool_state.ts";
import type { SandboxMode } from "../walls/box/choose_box.ts";
import type { HostSettings } from "./host_settings.ts";
import { accessProblems, privateNetProblems } from "./config/check/permission_problems.ts";
import { boundProblems, rulesProblems } from "./config/check/policy_problems.ts";
import { optionRefusal } from "./options/check_options.ts";

/** What a runner asks the program that embeds it, and tells it. */
export interface RunnerCallbacks {
  /** Asks a person. @default there is no person to ask, so what needs consent is refused */
  confirm?: Confirm;
  /** Takes a tool's question to a person. @default there is no person to ask */
  ask?: AskPerson;
  /** Functions around each call, after the configuration's own. @default no others */
  hooks?: readonly Hooks[];
  /** Takes a record of each call, with secrets masked; what it throws is ignored. Or the path of a file. */
  audit?: string | ((record: AuditRecord) => void);
  /**
   * Hears what happens in calls, as events: `tool.start`, `tool.progress`, `program.start`, `program.end`, `permission`,
   * `tool.end`; of an agent all events of its runs. What it throws is ignored. @default nobody
   */
  onEvent?(event: RunEvent): void;
  /** Gets warnings about the configuration or the audit. @default warnings are dropped */
  warn?(message: string): void;
}

/** A server of an embedding program, in the form of `.mcp.json`. */
export interface McpServerEntry {
  /** A program: a name that is looked for on PATH, or a path; in a list, its arguments follow. */
  command?: string | readonly string[];
  /** Its arguments. @default none */
  args?: readonly string[];
  /** Variables that it gets. @default none */
  env?: Readonly<Record<string, string>>;
  /** Its folder. @default the workspace */
  cwd?: string;
  /** What it may touch of what the run may touch; `true` is all of that. @default nothing but its package cache, to read */
  bulkhead?: {
    /** Paths that it may read. */
    read?: true | readonly string[];
    /** Paths that it may write. */
    write?: true | readonly string[];
    /** Hosts that it may reach. */
    net?: true | readonly string[];
    /** Names of variables of the environment that it sees. */
    env?: readonly string[];
  };
  /** Other fields of common clients: `url`, `headers`, `timeout`, `includeTools`, `excludeTools`. */
  [field: string]: unknown;
}

/** Which tools there are, and who may call them. */
export interface RunnerTools {
  /**
   * Files that define tools of your own, or folders with such files; relative paths start at the workspace. They run in
   * processes of their own, with exactly what they say they need. @default the configuration's
   */
  toolFiles?: readonly string[];
  /**
   * MCP servers by name, in the form of `.mcp.json`, or as a list with an `id` each. They run in the sandbox, with what their entries permit. Those of the
   * configuration come beside them. @default the configuration's
   */
  mcpServers?: Readonly<Record<string, McpServerEntry>> | readonly McpServerEntry[];
  /** Files that name MCP servers, in the form of any common client; relative paths start at the workspace. @default none */
  mcpFiles?: readonly string[];
  /** Most characters of a text that an MCP server gives. @default the configuration's, else the bound of all results */
  mcpContextLimit?: number;
  /**
   * Scripts that are tools, in any language: JSON on stdin, JSON on stdout. Each call starts a program that can do only what
   * its script says, as far as it is granted. They are added to the configuration's. @default none
   */
  scriptTools?: readonly ScriptTool[];
  /** Tools that are functions of this program. They run in this process: no wall stands around them. @default none */
  here?: readonly HereTool[];
  /** By full name, or with `*` for any part of it. The configuration's hold as well. @default each tool's own */
  permissions?: Readonly<Record<string, Permission | PermissionPredicate>>;
  /** Limits of single tools, by full name, or with `*` for any part of it. @default the configuration's, else the tool's */
  toolLimits?: Readonly<Record<string, ToolLimits>>;
  /**
   * Types of results, for tools that leave them to the user, by full name, or with `*` for any part of it: words such
   * as `List[str]`, a JSON Schema, or a schema of zod or another Standard Schema. @default the configuration's, else
   * the tool's own
   */
  responseTypes?: Readonly<Record<string, string | JsonSchema | StandardSchema>>;
}

/** What a program that embeds this one says about its tools. */
export interface RunnerOptions extends RunnerCallbacks, RunnerTools {
  /** Absolute path of the folder that the tools work in; relative paths start there. */
  workspace: string;
  /** A policy by its name, or one of your own: rules about commands, a filter, bounds. @default the configuration's, else "coder" */
  policy?: PolicyName | string | OwnPolicy;
  /**
   * Adds to what the policy grants of a kind; to grant less, choose a stricter policy. Of the network, programs reach what
   * is named here alone.
   */
  allow?: Partial<Record<AccessKind, true | readonly string[]>>;
  /** Wins over `allow`. */
  deny?: Partial<Record<AccessKind, true | readonly string[]>>;
  /** Secrets that may be read although they are secrets. @default no secrets */
  allowSecrets?: readonly string[];
  /** Private hosts that tools and programs may reach although they are private. @default no private hosts */
  allowPrivateNet?: true | readonly string[];
  /** Names of variables that started programs see. @default only the usual ones */
  allowEnv?: readonly string[];
  /** Whether tools and programs run in the sandbox. @default "auto" */
  sandbox?: SandboxMode;
  /** Gives programs in the sandbox all of this machine's network, past the lists of hosts. @default false */
  shareNet?: boolean;
  /** Folders that programs in the sandbox may also read. @default no others */
  sandboxShow?: readonly string[];
  /** Whether programs in the sandbox may read the known toolchains of the home. @default the configuration's, else "on" */
  toolchains?: ToolchainMode;
  /** The caller's role, for tools that only some roles may call. */
  role?: string;
  /** What tools remember between calls. @default in memory, as long as the runner */
  session?: ToolState;
  /** Bounds of started programs, in the place of the configuration's. */
  programs?: Partial<ProgramLimits>;
  /** Longest time of any call, in milliseconds. @default the tool's own */
  maxCallMs?: number;
  /** Most calls at once; others wait. @default 3 */
  maxParallel?: number;
  /** The user's variables: `PATH`, `HOME`, where configuration lies. @default the environment of this process */
  env?: Readonly<Record<string, string>>;
  /** The user's configuration file, and whether any is read. @default as the command line: the usual files */
  config?: false | { file?: string };
}

/**
 * Returns the options of an embedding program as a host understands them, once `checkOptions` has seen them.
 *
 * @param mainUrl URL of `main.ts`: rooms are processes of it
 * @throws {TypeError} For a relative workspace
 * @throws {ToolError} `invalid_input` if there is no such tool, and for rules, hosts and bounds that mean nothing
 */
export function runnerSettings(options: RunnerOptions, manifest: Manifest, mainUrl: string): HostSettings {
  checkMeaning(options);
  const { workspace, env = readEnvironment(), permissions = {} } = options;
  if (!isAbsolute(workspace)) {
    throw new TypeError(`The workspace must be an absolute path, got "${workspace}"`);
  }
  // A misspelt name would leave its tool open.
  for (const name of Object.keys(permissions)) {
    if (!name.includes("*") && !isOfSource(name)) checkName(manifest, name);
    if (options.here !== undefined) checkHereName(name, options.here);
  }
  const { policy, allow, deny, allowSecrets, allowPrivateNet, shareNet, sandboxShow, toolchains } = options;
  const { role, confirm, ask, hooks, audit, maxParallel, maxCallMs, toolLimits } = options;
  return {
    grants: { policy, allow, deny, allowSecrets, allowPrivateNet, shareNet, sandboxShow, toolchains },
    programs: { allowEnv: options.allowEnv, limits: options.programs },
    places: { workspace, cwd: workspace, mainUrl, sandbox: options.sandbox, state: options.session },
    limits: { maxParallel, maxCallMs, tools: toolLimits },
    control: { role, permissions, confirm, ask, hooks, audit },
    tools: { sources: sourcesOf(options), responseTypes: options.responseTypes },
    env,
    config: options.config ?? {},
    warn: options.warn ?? (() => {}),
  };
}

/**
 * Refuses a function whose bare name means a built-in tool: its callers would get that one.
 *
 * @throws {ToolError} `configuration`
 */
export function refuseHidden(
  here: readonly HereTool[],
  { tools, default_toolset }: Pick<Manifest, "tools" | "default_toolset">,
): void {
  for (const { name, full_name } of describeHere(here)) {
    const owner = tools.find((tool) =>
      tool.toolset === default_toolset && tool.name.toLowerCase() === name.toLowerCase()
    );
    if (owner === undefined) continue;
    throw new ToolError(
      "configuration",
      `A function is named ${name}, and that means the built-in tool ${owner.full_name}: rename the function`,
      { details: { tool: name, candidates: [owner.full_name, full_name] } },
    );
  }
}

/** Checks what the schema cannot say. */
function checkMeaning(options: RunnerOptions): void {
  const { policy, allow = {}, deny = {}, allowPrivateNet, toolLimits = {}, programs = {} } = options;
  const { scriptTools = [], here = [] } = options;
  describeHere(here);
  const scripts = scriptTools.map((said, at) => readScript(said, `scriptTools[${at}]`));
  const empty = ["allowSecrets", "allowEnv", "sandboxShow", "toolFiles", "mcpFiles"] as const;
  const problems = [
    ...typeof policy === "object" ? rulesProblems("policy", policy) : [],
    ...accessProblems("", { allow, deny }),
    ...privateNetProblems("allowPrivateNet", allowPrivateNet),
    ...empty.filter((name) => options[name]?.includes("")).map((name) =>
      `${name} has an empty text, name something`
    ),
    ...boundProblems("programs", programs),
    ...Object.entries(toolLimits).filter(([, { timeout_seconds = 1 }]) => timeout_seconds > MAX_CALL_SECONDS)
      .map(([name]) => `toolLimits.${name}.timeout_seconds must be at most ${MAX_CALL_SECONDS}`),
    ...scripts.flatMap((script) => "problems" in script ? script.problems : []),
  ];
  if (problems.length > 0) throw optionRefusal("the runner", problems);
}

function sourcesOf(
  { toolFiles = [], scriptTools = [], here = [], mcpServers, mcpFiles = [], mcpContextLimit, workspace }:
    RunnerOptions,
): SourceSettings {
  return {
    mcp: [
      ...mcpServers === undefined ? [] : [{ servers: mcpServers, from: "mcpServers" }],
      ...mcpFiles.map((path) => ({ file: resolve(workspace, path) })),
    ],
    mcpContextLimit,
    files: toolFiles.map((path) => ({ path: resolve(workspace, path), isRequired: true })),
    scripts: scriptTools.map((said, at) => ({
      ...{ said, at: `scriptTools[${at}]`, folder: workspace, isRequired: true },
    })),
    made: here.length === 0 ? [] : [hereSource(here)],
  };
}

function readEnvironment(): Record<string, string> {
  return readVariables({ list: () => Deno.env.toObject(), read: (name) => Deno.env.get(name) });
}

/** Functions are all known; those of a toolbox may come later. */
function checkHereName(name: string, here: readonly HereTool[]): void {
  const names = here.map(hereName);
  if (!name.startsWith("here/") || name.includes("*") || names.includes(name)) return;
  const there = didYouMean(nearest(name, names, { max: 1 })) || `: there are ${names.join(", ") || "none"}`;
  throw new ToolError("invalid_input", `No function is called ${JSON.stringify(name)}${there}`);
}

function checkName({ tools, default_toolset }: Manifest, name: string): void {
  const entries = tools.map((tool) => ({ tool }));
  const { full_name } = findTool({ entries, defaultToolset: default_toolset }, name).tool;
  if (full_name !== name) throw new ToolError("invalid_input", `Name "${name}" in full: "${full_name}"`);
}
