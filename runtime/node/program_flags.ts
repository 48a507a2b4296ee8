import { isAbsolute } from "node:path";

import type { RunnerOptions } from "../host/runner_settings.ts";

/** Options of a runner that flags can carry too. */
export type CarriedOption =
  | "workspace"
  | "allow"
  | "deny"
  | "allowSecrets"
  | "allowPrivateNet"
  | "allowEnv"
  | "sandbox"
  | "shareNet"
  | "sandboxShow"
  | "toolchains"
  | "role"
  | "toolFiles"
  | "maxCallMs"
  | "maxParallel";

/** All of them. */
export const CARRIED_OPTIONS: readonly CarriedOption[] = [
  "workspace",
  "allow",
  "deny",
  "allowSecrets",
  "allowPrivateNet",
  "allowEnv",
  "sandbox",
  "shareNet",
  "sandboxShow",
  "toolchains",
  "role",
  "toolFiles",
  "maxCallMs",
  "maxParallel",
];

/** What the flags of the program can say: the options of a runner on Deno, but for callbacks and objects. */
export interface ProgramFlags extends Pick<RunnerOptions, CarriedOption> {
  /** Name of a built-in policy, or of one of the configuration. @default the configuration's, else "coder" */
  policy?: string;
  /** Path of the audit's file. @default the configuration's */
  audit?: string;
  /** The user's configuration file. @default the usual one */
  config?: { file?: string };
}

/**
 * Returns the words of the command line for options: those of commands that call tools, and those of commands that only
 * describe them.
 *
 * @throws {TypeError} For a relative workspace, and a value that no flag can carry
 */
export function programFlags(options: ProgramFlags): { called: string[]; described: string[] } {
  const { workspace, policy, allow = {}, deny = {}, toolFiles = [], maxCallMs } = options;
  if (!isAbsolute(workspace)) {
    throw new TypeError(`The workspace must be an absolute path, got "${workspace}"`);
  }
  const described = [
    `--workspace=${workspace}`,
    ...text("config", options.config?.file),
    ...toolFiles.map((path) => `--tools=${path}`),
  ];
  const called = [
    ...described,
    ...text("policy", policy),
    ...grants("allow", allow),
    ...grants("deny", deny),
    ...list("allow-secrets", options.allowSecrets),
    ...list("allow-private-net", options.allowPrivateNet),
    ...list("allow-env", options.allowEnv),
    ...text("sandbox", options.sandbox),
    ...options.shareNet ? ["--share-net"] : [],
    ...list("sandbox-show", options.sandboxShow),
    ...text("toolchains", options.toolchains),
    ...text("role", options.role),
    ...text("timeout", maxCallMs === undefined ? undefined : String(maxCallMs / 1000)),
    ...text("max-parallel", options.maxParallel?.toString()),
    ...text("audit", options.audit),
  ];
  return { called, described };
}

function text(flag: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`--${flag}=${value}`];
}

function grants(verb: string, lists: Partial<Record<string, true | readonly string[]>>): string[] {
  return Object.entries(lists).flatMap(([kind, values]) => list(`${verb}-${kind}`, values));
}

/** An empty list grants and denies nothing. */
function list(flag: string, values: true | readonly string[] | undefined): string[] {
  if (values === undefined || (values !== true && values.length === 0)) return [];
  if (values === true) return [`--${flag}`];
  const odd = values.find((value) => value === "" || value.includes(","));
  if (odd !== undefined) {
    throw new TypeError(`Option --${flag} cannot carry ${JSON.stringify(odd)}: it is empty or has a comma`);
  }
  return [`--${flag}=${values.join(",")}`];
}
