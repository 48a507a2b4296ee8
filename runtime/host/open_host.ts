import { isAbsolute, join } from "node:path";

import type { AccessKind } from "../../schemas/access.ts";
import type { AuditRecord } from "../../schemas/audit.ts";
import type { PolicyConfig, ProgramLimits } from "../../schemas/config.ts";
import { ToolError } from "../../schemas/error.ts";
import type { PolicyName } from "../../schemas/grants.ts";
import type { Manifest } from "../../schemas/manifest.ts";
import type { Confirm, Permission, PermissionPredicate } from "../../schemas/permission.ts";
import { memorySession, type ToolState } from "../state/tool_state.ts";
import { type ArtifactFolder, makeArtifactFolder } from "../state/artifact_folder.ts";
import { mostExact } from "./config/tool_rules.ts";
import type { AskPerson, CallControl } from "../calls/control.ts";
import { type GrantFlag, makeGrants } from "../walls/grants/make_grants.ts";
import type { Hooks } from "../calls/hooks.ts";
import { makeMachine } from "./make_machine.ts";
import { namedPolicy } from "../walls/grants/policies.ts";
import { findTool } from "../calls/catalog/find_tool.ts";
import { makePlaces, type Places } from "../rooms/places.ts";
import { type BoxChoice, chooseBox, type SandboxMode } from "../walls/box/choose_box.ts";
import { PROGRAM_VARIABLES } from "../programs/launch/environment.ts";
import { makeRedactor, secretValues } from "../text/redact.ts";
import type { Machine } from "../calls/machine.ts";
import { findSelf } from "../self/find_self.ts";
import { hiddenState, stateFolder } from "../state/state_folder.ts";
import { trustedPath } from "../walls/files/trusted_path.ts";

/** What a program that embeds this one says about its tools. */
export interface RunnerOptions {
  /** Absolute path of the folder that the tools work in. */
  workspace: string;
  /** A built-in policy, or one narrowed by rules about commands. @default "coder" */
  policy?: PolicyName | PolicyConfig;
  /** Takes the place of what the policy grants of a kind; paths are absolute. */
  allow?: Partial<Record<AccessKind, true | readonly string[]>>;
  /** Wins over `allow`. */
  deny?: Partial<Record<AccessKind, true | readonly string[]>>;
  allowSecrets?: readonly string[];
  allowPrivateNet?: true | readonly string[];
  /** Names of variables that started programs see. @default none beside the usual ones */
  allowEnv?: readonly string[];
  /** @default "auto" */
  sandbox?: SandboxMode;
  shareNet?: boolean;
  sandboxShow?: readonly string[];
  /** Who calls, for tools that only some roles may call. */
  role?: string;
  /** By full name, or with `*` for any part of it. @default each tool's own */
  permissions?: Readonly<Record<string, Permission | PermissionPredicate>>;
  /** Asks a person. @default nobody can be asked, so that what needs consent is refused */
  confirm?: Confirm;
  /** Takes a tool's question to a person. @default nobody can be asked */
  ask?: AskPerson;
  hooks?: readonly Hooks[];
  /** Takes a record of each call, with secrets masked. What it throws is nobody's failure. */
  audit?: (record: AuditRecord) => void;
  /** What tools remember between calls. @default in memory, as long as the runner */
  session?: ToolState;
  /** Bounds of started programs. */
  programs?: Partial<ProgramLimits>;
  /** Longest time of any call, in milliseconds. @default the tool's own */
  maxCallMs?: number;
  /** Most calls at once; others wait. @default 3 */
  maxParallel?: number;
  /** Where `PATH`, `HOME` and the programs' variables come from. @default the environment of this process */
  env?: Readonly<Record<string, string>>;
}

/** The machine of a program that embeds this one. */
export interface EmbeddedMachine extends AsyncDisposable {
  machine: Machine;
  box: BoxChoice;
  places: Places;
  maxParallel: number;
}

/**
 * Makes the machine of the command line for a program of one's own.
 *
 * @param artifacts Takes the files that calls leave. @default a folder that is kept for a while
 * @throws {TypeError} For a relative workspace
 * @throws {ToolError} `configuration` if the workspace does not exist, `invalid_input` if there is no tool of a name
 */
export function embedMachine(
  manifest: Manifest,
  options: RunnerOptions,
  artifacts?: ArtifactFolder,
): EmbeddedMachine {
  const { workspace, maxParallel = 3, env = Deno.env.toObject() } = options;
  if (!isAbsolute(workspace)) {
    throw new TypeError(`The workspace must be an absolute path, got "${workspace}"`);
  }
  // A name that is spelt wrong would leave its tool open.
  for (const name of Object.keys(options.permissions ?? {})) {
    if (!name.includes("*")) checkName(manifest, name);
  }
  const home = env.HOME ?? "";
  const searchPath = env.PATH ?? "/usr/bin:/bin";
  const self = findSelf(new URL("../../main.ts", import.meta.url).href, (name) => env[name]);
  const grants = grantsOf(options);
  const state = stateFolder(env.XDG_STATE_HOME, home);
  const ownPath = trustedPath(searchPath, grants);
  const box = chooseBox({ mode: options.sandbox ?? "auto", searchPath: ownPath });
  const places = makePlaces(self, { box, searchPath: ownPath });
  const machine = makeMachine({
    grants,
    home,
    box,
    places,
    session: options.session ?? memorySession(),
    artifacts: artifacts ?? makeArtifactFolder(() => artifactPath(state)),
    hide: hiddenState(state, grants),
    searchPath,
    env: pick(env, [...PROGRAM_VARIABLES, ...options.allowEnv ?? []]),
    settings: env,
    limits: options.programs,
    dispatch: dispatchOf(options, env),
    maxIdle: maxParallel,
    maxCallMs: options.maxCallMs,
  });
  return { machine, box, places, maxParallel, [Symbol.asyncDispose]: () => machine[Symbol.asyncDispose]() };
}

function checkName(manifest: Manifest, name: string): void {
  const { full_name } = findTool(manifest, name);
  if (full_name !== name) throw new ToolError("invalid_input", `Name "${name}" in full: "${full_name}"`);
}

function grantsOf(options: RunnerOptions) {
  const { workspace, policy = "coder", allow = {}, deny = {} } = options;
  const { base, commands } = typeof policy === "string"
    ? namedPolicy(policy, { base: policy })
    : namedPolicy("custom", policy);
  return makeGrants({
    policy: base,
    commands,
    allow: allow as Partial<Record<AccessKind, GrantFlag>>,
    deny: deny as Partial<Record<AccessKind, GrantFlag>>,
    allowSecrets: options.allowSecrets ?? [],
    ...(options.allowPrivateNet && { allowPrivateNet: options.allowPrivateNet }),
    shareNet: options.shareNet ?? false,
    sandboxShow: options.sandboxShow ?? [],
  }, { workspace, cwd: workspace, realPath: Deno.realPathSync });
}

function dispatchOf(options: RunnerOptions, env: Readonly<Record<string, string>>): CallControl {
  const { permissions = {}, audit } = options;
  const entries = Object.fromEntries(
    Object.entries(permissions).map(([name, permission]) => [name, { permission }]),
  );
  return {
    runId: crypto.randomUUID(),
    role: options.role ?? null,
    configure: (entry) => entry,
    permissions(entry) {
      const own = mostExact(entries, entry.full_name, "permission");
      return own.length > 0 ? own : [entry.permission];
    },
    confirm: options.confirm ?? null,
    ask: options.ask ?? null,
    hooks: options.hooks ?? [],
    audit: audit ? (record) => attempt(() => audit(record)) : null,
    redact: makeRedactor(secretValues(env)),
  };
}

/** The call has ended: that its note was lost changes nothing about it. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // The one who takes the notes knows.
  }
}

function pick(env: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => env[name] === undefined ? [] : [[name, env[name]]]));
}

function artifactPath(state: string | null): string {
  if (state === null) {
    throw new ToolError("configuration", "No place for files that calls leave: set HOME to an absolute path");
  }
  return join(state, "runs", crypto.randomUUID());
}
