import type { ThinkingKind } from "../../../../schemas/step/thinking.ts";
import { TOOL_FORMATS, type ToolFormat } from "../../../../schemas/json/export.ts";
import { POLICY_NAMES } from "../../../../schemas/grants.ts";
import { AGENT_OPTIONS, type SourceForm } from "./agent_options.ts";
import { BATCH_OPTIONS } from "./batch_options.ts";
import { CHANGE_OPTIONS } from "./change_options.ts";
import { CHECK_OPTIONS } from "./check_options.ts";
import type { Option } from "./option_kinds.ts";
import { QUEUE_OPTIONS } from "./queue_options.ts";
import { SERVE_OPTIONS, type STREAM_STYLES } from "./serve_options.ts";

/** Every option of every command, by its name in the code; `allowRead` is `--allow-read` on the command line. */
export const OPTIONS = {
  ...AGENT_OPTIONS,
  ...CHANGE_OPTIONS,
  ...SERVE_OPTIONS,
  ...QUEUE_OPTIONS,
  ...CHECK_OPTIONS,
  policy: {
    kind: "text",
    value: "NAME",
    offers: POLICY_NAMES,
    group: "grants",
    default: "coder",
    summary: `Starting point of the permissions: ${POLICY_NAMES.join(", ")}, or one of the configuration`,
  },
  allowRead: grant("PATHS", "Folders and files that tools may read besides the workspace", "file"),
  allowWrite: grant("PATHS", "Folders and files that tools may write besides what the policy allows", "file"),
  allowNet: grant("HOSTS", "Hosts that tools may reach besides those of the policy, and programs at all"),
  allowRun: grant("NAMES", "Programs that may start without a sandbox; in one, any may"),
  denyRead: grant("PATHS", "Never read these; wins over every allow", "file"),
  denyWrite: grant("PATHS", "Never write these", "file"),
  denyNet: grant("HOSTS", "Never reach these; wins over every allow"),
  denyRun: grant("NAMES", "Never start these"),
  allowAll: {
    kind: "flag",
    short: "A",
    group: "grants",
    excludes: ["allowRead", "allowWrite", "allowNet", "allowRun"],
    summary: "Everything of every kind; secrets and private networks stay closed",
  },
  allowPrivateNet: grant("HOSTS", "Private and loopback hosts that tools and programs may reach"),
  allowSecrets: {
    kind: "names",
    value: "PATHS",
    complete: "file",
    group: "grants",
    summary: "Files with secrets (.env, keys, .ssh) that tools may touch where that is allowed",
  },
  allowEnv: {
    kind: "names",
    value: "NAMES",
    group: "grants",
    summary: "Environment variables that programs see, beside the usual ones",
  },
  sandbox: {
    kind: "choice",
    choices: ["auto", "require", "namespaces", "landlock", "off"],
    value: "WHEN",
    group: "grants",
    default: "auto",
    summary: "The wall around tools and programs",
  },
  shareNet: {
    kind: "flag",
    group: "grants",
    summary: "Give programs in the sandbox all of this machine's network, its own addresses included",
  },
  display: { kind: "flag", group: "grants", summary: "Let tools use your own screen, keyboard and mouse" },
  browserUrl: {
    kind: "text",
    value: "URL",
    group: "grants",
    summary: "Let tools use your own Chrome, at its debugging address, such as http://127.0.0.1:9222",
  },
  sandboxShow: {
    kind: "names",
    value: "DIRS",
    complete: "folder",
    group: "grants",
    summary: "Folders with toolchains that programs in the sandbox may read",
  },
  toolchains: {
    kind: "choice",
    choices: ["on", "off"],
    value: "WHEN",
    group: "grants",
    default: "on",
    summary: "Show programs in the sandbox the toolchains of the home: nvm, pyenv, cargo ...",
  },
  role: {
    kind: "text",
    value: "NAME",
    group: "grants",
    summary: "Who calls, for tools that only some roles may call",
  },
  config: {
    kind: "text",
    value: "FILE",
    complete: "file",
    group: "general",
    summary: "Configuration instead of the user's own file",
  },
  envFile: {
    kind: "text",
    value: "FILE",
    complete: "file",
    group: "general",
    summary: "Read variables from this file too, such as .env; what is set counts first",
  },
  audit: {
    kind: "text",
    value: "FILE",
    complete: "file",
    group: "output",
    summary: "Add a line of JSON for each call to FILE; bulkhead audit reads it",
  },
  toolset: {
    kind: "several",
    value: "NAME",
    complete: "toolset",
    group: "tools",
    summary: "Offer this toolset instead of the default one; repeatable",
  },
  tool: {
    kind: "several",
    value: "NAME[=ALIAS]",
    complete: "tool",
    group: "tools",
    excludes: ["toolset", "extraTool"],
    summary: "Offer exactly the tools named so, as ALIAS if given; repeatable",
  },
  extraTool: {
    kind: "several",
    value: "NAME",
    complete: "tool",
    group: "tools",
    summary: "Offer this tool as well; repeatable",
  },
  offered: {
    kind: "flag",
    group: "tools",
    summary: "Those alone that a run with these options gives to the model",
  },
  tools: {
    kind: "several",
    value: "PATH",
    complete: "file",
    group: "tools",
    summary: "Add the tools that this file of yours defines, or the files of this folder; repeatable",
  },
  mcp: {
    kind: "several",
    value: "FILE",
    complete: "file",
    group: "tools",
    summary: "Add the tools of the MCP servers that this file names, such as .mcp.json; repeatable",
  },
  here: { kind: "flag", group: "running", summary: "Those of this workspace alone" },
  olderThan: {
    kind: "text",
    value: "AGE",
    group: "running",
    summary: "Those that did not change for so long: 30d, 12h, 2w",
  },
  workspace: {
    kind: "text",
    short: "C",
    value: "DIR",
    complete: "folder",
    group: "general",
    summary: "Folder that the tools work in; default: the current one",
  },
  session: {
    kind: "text",
    value: "ID",
    group: "running",
    summary: "Keep the tools' state under this id for later calls",
  },
  timeout: {
    kind: "number",
    unit: "seconds",
    min: 0.001,
    max: 86_400,
    value: "SECONDS",
    group: "running",
    summary: "Longest time of each call",
  },
  toolTimeout: {
    kind: "several",
    value: "TOOL=SECONDS",
    group: "running",
    summary: "Longest time of each call of TOOL, in the place of its own; repeatable",
  },
  toolConcurrency: {
    kind: "several",
    value: "TOOL=N",
    group: "running",
    summary: "Most calls of TOOL at a time, in the place of its own; repeatable",
  },
  maxParallel: {
    kind: "integer",
    unit: "calls",
    min: 1,
    max: 64,
    value: "N",
    group: "running",
    default: 3,
    summary: "Most calls at a time",
  },
  ...BATCH_OPTIONS,
  http: {
    kind: "grant",
    value: "PORT",
    group: "running",
    summary: "Listen on this port of the machine itself; default: 4178, 0 for any that is free",
  },
  write: { kind: "flag", group: "output", summary: "Add the entry to the client's configuration" },
  project: { kind: "flag", group: "output", summary: "That of the workspace, not your own" },
  json: { kind: "flag", group: "output", excludes: ["events"], summary: "Print results as JSON" },
  events: { kind: "flag", group: "output", summary: "Print each event as a line of JSON" },
  output: {
    kind: "text",
    short: "o",
    value: "FILE",
    complete: "file",
    group: "output",
    summary: "Write the result to FILE instead of stdout",
  },
  format: {
    kind: "choice",
    choices: [...TOOL_FORMATS, "typescript"],
    value: "NAME",
    group: "output",
    default: "json-schema",
    summary: "Form in which tools are described",
  },
  quiet: { kind: "flag", short: "q", group: "output", summary: "Print no warnings and no progress" },
  noColor: { kind: "flag", group: "output", summary: "Print no colors" },
  help: { kind: "flag", short: "h", group: "general", summary: "Print help; -h the short one" },
  version: { kind: "flag", short: "V", group: "general", summary: "Print the version" },
} as const satisfies Record<string, Option>;

function grant<const Value extends string>(value: Value, summary: string, complete?: "file") {
  return { kind: "grant", value, group: "grants", summary, ...(complete ? { complete } : {}) } as const;
}

/** An option's name in the code. */
export type OptionName = keyof typeof OPTIONS;

/** `-h` prints less. */
export type HelpForm = "short" | "long";

/** The value of a grant: everything of its kind, or a list. */
export type GrantValue = true | readonly string[];
interface Values {
  flag: true;
  grant: GrantValue;
  names: readonly string[];
  several: readonly string[];
  text: string;
  number: number;
  integer: number;
  optional: true | string;
}

interface Choices {
  as: SourceForm;
  help: HelpForm;
  format: ToolFormat | "typescript";
  sandbox: "auto" | "require" | "namespaces" | "landlock" | "off";
  toolchains: "on" | "off";
  thinking: ThinkingKind;
  streamStyle: typeof STREAM_STYLES[number];
}

/** The options that were given; defaults are not filled in. */
export type Options = {
  [Name in OptionName]?: Name extends keyof Choices ? Choices[Name]
    : (typeof OPTIONS)[Name]["kind"] extends infer Kind extends keyof Values ? Values[Kind]
    : never;
};

/** Returns an option as it is written on the command line: `--allow-read`. */
export function flagOf(name: OptionName): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns the option of a name, seen as any option. */
export function optionOf(name: OptionName): Option {
  return OPTIONS[name];
}

/** Returns the values that a shell offers for an option, `null` if the option has no list of them. */
export function valuesOf(option: Option): readonly string[] | null {
  return option.kind === "choice" ? option.choices : option.offers ?? null;
}

/** All names, in the order of help. */
export const OPTION_NAMES = Object.keys(OPTIONS) as readonly OptionName[];
