import type { AccessKind } from "../../schemas/access.ts";
import type { SessionPolicy } from "../../schemas/agent/session_settings.ts";
import type { AuditRecord } from "../../schemas/audit.ts";
import type { OwnPolicy, ProgramLimits, ToolchainMode, ToolLimits } from "../../schemas/config.ts";
import type { Confirm, Permission, PermissionPredicate } from "../../schemas/permission.ts";
import type { AskPerson } from "../calls/control.ts";
import type { ResponseTypes } from "./config/response_types.ts";
import type { Hooks } from "../calls/hooks.ts";
import type { SourceSettings, TrustJudge } from "../sources/source.ts";
import type { Self } from "../self/find_self.ts";
import type { ToolState } from "../state/tool_state.ts";
import type { SandboxMode } from "../walls/box/choose_box.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { NamedOutput } from "../walls/files/place_output.ts";
import type { GrantFlag } from "../walls/grants/make_grants.ts";

/** Calls at once unless the settings say otherwise. */
export const DEFAULT_PARALLEL = 3;

/** What the user grants. */
export interface GrantSettings {
  /** Name of a built-in policy or of one of the configuration, or a policy of its own. @default the configuration's */
  policy?: string | OwnPolicy | undefined;
  /** The policy of the session that the run goes on with, unless `policy` names another one. */
  kept?: SessionPolicy | undefined;
  /** Grants every kind. @default false */
  allowAll?: boolean | undefined;
  /** Adds to what the policy grants of a kind; to grant less, choose a stricter policy. */
  allow?: Partial<Record<AccessKind, GrantFlag>> | undefined;
  /** Wins over `allow`. */
  deny?: Partial<Record<AccessKind, GrantFlag>> | undefined;
  allowSecrets?: readonly string[] | undefined;
  allowPrivateNet?: GrantFlag;
  shareNet?: boolean | undefined;
  sandboxShow?: readonly string[] | undefined;
  /** Boxed programs see the known toolchains of the home. @default the configuration's, else "on" */
  toolchains?: ToolchainMode | undefined;
}

/** The process that a run belongs to, if the run may decide about its end. */
export interface ProcessSettings {
  /** From now on, SIGHUP ends the run. */
  hearHangup(): void;
  /** What must be done before the process ends. */
  beforeExit: Set<() => Promise<void>>;
  /**
   * The process goes on after the command, as that of a test does: it keeps its permissions, and nothing of the command
   * is left running in it. The program itself never sets this. @default false
   */
  keepsPermissions?: boolean;
  /**
   * How the program is started again: as a room, and whatever else it starts of itself. No variable and no file of the
   * user says so, since it runs what holds tools. @default what `findSelf` finds
   */
  self?: Self;
  /** Hears of its work, for traces. @default nobody does */
  telemetry?: Telemetry;
}

/** Programs that tools start. */
export interface ProgramSettings {
  /** Variables that programs see, beside the usual ones. @default no others */
  allowEnv?: readonly string[] | undefined;
  /** Bounds that win over the configuration's. */
  limits?: Partial<ProgramLimits> | undefined;
  /** Words of a command that reaches the private sandbox elsewhere. @default it is on this machine */
  remote?: readonly string[] | undefined;
  /** Tools use the user's own display, not one in a sandbox. @default false */
  display?: boolean | undefined;
  /** Debugging address of a browser of the user's that tools use. @default they have one of their own */
  browserUrl?: string | undefined;
  /** @default the process is somebody else's */
  process?: ProcessSettings | undefined;
}

/** Where things stand. */
export interface PlaceSettings {
  /** The folder that tools work in, as the user spelled it; a relative one starts at `cwd`. */
  workspace: string;
  /** The user's folder, absolute: relative paths start here. */
  cwd: string;
  /** `import.meta.url` of the program's main module: rooms are processes of it. */
  mainUrl: string;
  /** @default "auto" */
  sandbox?: SandboxMode | undefined;
  /** Id of the session that keeps tools' state and files on disk. @default state in memory, files for a while */
  session?: string | undefined;
  /** The workspace is a copy that only this process and what it starts see. @default false */
  overlay?: boolean | undefined;
  /** What the run changes can be undone, if it keeps a session. @default true for runs of an agent */
  undo?: boolean | undefined;
  /** The process ends with its first call. @default false */
  isSingle?: boolean | undefined;
  /** Takes the place of the session's state of tools. */
  state?: ToolState | undefined;
  /**
   * Absolute paths: nothing outside of them is granted. If the workspace lies outside, the first granted folder of them
   * takes its place; configuration files are still those of the workspace. @default no such bound
   */
  within?: readonly string[] | undefined;
}

/** Bounds of calls. */
export interface LimitSettings {
  /** Most calls at once. @default 3 */
  maxParallel?: number | undefined;
  /** Longest time of any call, in milliseconds. @default the tool's own */
  maxCallMs?: number | undefined;
  /** Limits of single tools, by full name, or with `*` for any part of it. @default the configuration's, else the tool's */
  tools?: Readonly<Record<string, ToolLimits>> | undefined;
}

/** Decides who may call what, asks the person, and keeps the audit. */
export interface ControlSettings {
  /** The caller's role. */
  role?: string | undefined;
  /** By full name, or with `*` for any part of it; they hold beside those of the configuration. */
  permissions?: Readonly<Record<string, Permission | PermissionPredicate>> | undefined;
  /** Asks a person for consent. @default there is no person to ask */
  confirm?: Confirm | null | undefined;
  /** Takes tools' questions to a person. @default there is no person to ask */
  ask?: AskPerson | null | undefined;
  /** They run after the hooks of the configuration. */
  hooks?: readonly Hooks[] | undefined;
  /** Path of the audit's file, or what takes its records. @default the configuration's file */
  audit?: string | ((record: AuditRecord) => void) | undefined;
  /** Texts that are masked everywhere, beside the secrets of the environment. */
  secrets?: readonly string[] | undefined;
  /** Outputs of the user beside the audit, such as a recording: the host opens them, and no tool may write them. */
  outputs?: readonly NamedOutput[] | undefined;
  /** Absolute paths of files that the run reads: none of its outputs may go there. */
  inputs?: readonly string[] | undefined;
  /** Hears of calls and requests, for metrics and traces. @default nobody does */
  telemetry?: Telemetry | undefined;
}

/** Which tools there are, beside what their own definitions say. */
export interface ToolSettings {
  /** The built-in tools are there. @default true */
  builtIn?: boolean | undefined;
  /** Where tools come from besides the built-in ones. @default the configuration's sources */
  sources?: SourceSettings | undefined;
  /** Says which parts of the project count. @default those that the user trusts as they are */
  trust?: TrustJudge | undefined;
  /** Types of results, for tools that leave them to the user. @default the configuration's, else the tool's own */
  responseTypes?: ResponseTypes | undefined;
}

/** All settings of a run: the command line and the embedding API both give exactly these. */
export interface HostSettings {
  grants: GrantSettings;
  programs: ProgramSettings;
  places: PlaceSettings;
  limits: LimitSettings;
  control: ControlSettings;
  tools?: ToolSettings | undefined;
  /** Variables of the user's environment. */
  env: Readonly<Record<string, string>>;
  /** Configuration files: the user's, by name or in its usual place, and the project's; `false`: neither. */
  config: { file?: string | undefined } | false;
  /** Calls will really run: there is an audit to keep. @default true */
  runsCalls?: boolean;
  /** Called for each odd setting of the configuration or the audit, with one sentence. */
  warn(message: string): void;
}
