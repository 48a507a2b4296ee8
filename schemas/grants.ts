import type { AccessKind } from "./access.ts";
import type { CommandPolicy } from "./command.ts";

/** Named sets of grants; each flag then adds to the entry of its kind. */
export type PolicyName = "coder" | "read-only" | "read-only-no-net";

/** All policies, from the widest to the narrowest. */
export const POLICY_NAMES: readonly PolicyName[] = ["coder", "read-only", "read-only-no-net"];

/**
 * `true` means everything of a kind; a list names absolute paths, hosts or programs. An empty list means
 * nothing.
 */
export type Scope = true | readonly string[];

/** What the user of a run grants, after policy and flags. Paths are absolute and real. */
export interface Grants {
  /** The built-in policy. */
  policy: PolicyName;
  /** What the policy says about commands; the user's own policy has its name here. */
  commands: CommandPolicy;
  /** The folder that tools work in. */
  workspace: string;
  /** What is granted of each kind. */
  allow: Readonly<Record<AccessKind, Scope>>;
  /** Wins over `allow`. */
  deny: Readonly<Record<AccessKind, Scope>>;
  /** Files of the run itself, such as its audit: they are among what may not be written. */
  frozen: readonly string[];
  /** bulkhead's own folders and files: no grant opens them. Some may be missing. */
  own: readonly string[];
  /** Paths whose secrets may be read (`--allow-secrets`). */
  secrets: readonly string[];
  /** Hosts in private networks that may be reached (`--allow-private-net`). */
  privateNet: Scope;
  /** Paths that `--allow-write` names; protected files among them may be written. */
  writeNamed: readonly string[];
  /** Missing folders of files in `writeNamed`: they may be made for these files. */
  makes: readonly string[];
  /** The workspace is a copy that the user's own tools do not see: protected files may be written there. @default false */
  isCopy?: boolean | undefined;
  /** What flags and the configuration name of the network, without what the policy grants: programs reach this alone. */
  netNamed: Scope;
  /** Boxed programs have the host's network, loopback included (`--share-net`). */
  shareNet: boolean;
  /** Folders that boxed programs may also read (`--sandbox-show`). */
  sandboxShow: readonly string[];
  /** A folder as the user wrote it, and its real path: `["/link", "/real"]`. */
  aliases: readonly (readonly [string, string])[];
}

/** The part of the grants that the path guard of one room works with. */
export interface FileGrants {
  workspace: string;
  home: string;
  read: Scope;
  write: Scope;
  denyRead: Scope;
  denyWrite: Scope;
  /** The part of `denyWrite` that the run itself keeps. @default nothing */
  frozen?: readonly string[];
  /**
   * Real paths that the user's tools execute, whatever their names: what git and links resolve to. They and what lies
   * in them are protected. Some may be missing. @default none
   */
  executed?: readonly string[];
  /** Why, by path. @default no reasons */
  whyExecuted?: Readonly<Record<string, string>>;
  /** bulkhead's own folders and files: no grant opens them, but what lies in `artifacts` may be read. @default none */
  own?: readonly string[];
  /** A folder in `read` that the user did not grant: what earlier calls left. @default none */
  artifacts?: string;
  secrets: readonly string[];
  /** As in {@linkcode Grants.isCopy}. @default false */
  isCopy?: boolean | undefined;
  /** Real paths that a call was allowed for: it may touch only what lies there. @default all that is granted */
  judged?: readonly string[];
  writeNamed: readonly string[];
  /** Folders that may be made, but not filled with other files than those of `write`. @default no folders */
  makes?: readonly string[];
  aliases: readonly (readonly [string, string])[];
}
