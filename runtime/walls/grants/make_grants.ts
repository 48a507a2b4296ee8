import { basename, dirname, join, resolve } from "@std/path";

import { ACCESS_KINDS, type AccessKind } from "../../../schemas/access.ts";
import type { CommandPolicy } from "../../../schemas/command.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { Grants, PolicyName, Scope } from "../../../schemas/grants.ts";
import { narrowGrants } from "./narrow_grants.ts";
import { commandPolicy, policyScopes } from "./policies.ts";

/** A flag such as `--allow-read`: absent, without a value (everything), or with its list. */
export type GrantFlag = undefined | true | readonly string[];

/** The user's grants, as words. */
export interface GrantFlags {
  policy?: PolicyName | undefined;
  /** @default the policy's own */
  commands?: CommandPolicy | undefined;
  allowAll?: boolean | undefined;
  allow?: Partial<Record<AccessKind, GrantFlag>> | undefined;
  deny?: Partial<Record<AccessKind, GrantFlag>> | undefined;
  /** Files of the run itself that no tool may write, absolute and real. */
  frozen?: readonly string[] | undefined;
  allowSecrets?: readonly string[] | undefined;
  allowPrivateNet?: GrantFlag;
  shareNet?: boolean | undefined;
  sandboxShow?: readonly string[] | undefined;
}

/** How to understand the words. */
export interface GrantPlace {
  /** The workspace as the user spelled it, absolute. */
  workspace: string;
  /** The user's folder: relative paths in flags start here. */
  cwd: string;
  /** bulkhead's own folders and files, absolute; links in them are followed. @default none */
  own?: readonly string[];
  /** Resolves links; throws if the path does not exist. */
  realPath(path: string): string;
  /** Absolute paths: what lies outside of them is not granted, whatever the words say. @default no such bound */
  within?: readonly string[] | undefined;
}

/**
 * Makes the grants of a run from policy and flags: a flag adds to the policy's entry for its kind, and deny wins. So
 * a flag never takes away; a stricter policy does.
 *
 * @throws {ToolError} `configuration` if the workspace does not exist; `permission_denied` if nothing of it lies `within`
 */
export function makeGrants(flags: GrantFlags, place: GrantPlace): Grants {
  const policy = flags.policy ?? "coder";
  const aliases: [string, string][] = [];
  const real = (path: string) => {
    const spelled = resolve(place.cwd, path);
    const found = realOfMissing(spelled, place.realPath);
    if (found !== spelled) aliases.push([spelled, found]);
    return found;
  };
  const workspace = realWorkspace(place, real);
  const paths = (flag: GrantFlag): Scope => flag === true ? true : (flag ?? []).map(real);
  const scopes = policyScopes(policy, workspace);
  const allow = Object.fromEntries(ACCESS_KINDS.map((kind) => {
    const flag = flags.allowAll ? true : flags.allow?.[kind];
    if (flag === undefined) return [kind, whole(kind, scopes[kind])];
    return [kind, whole(kind, joined(scopes[kind], isPathKind(kind) ? paths(flag) : flag))];
  })) as Record<AccessKind, Scope>;
  const deny = Object.fromEntries(
    ACCESS_KINDS.map((kind) => {
      const flag = flags.deny?.[kind];
      return [kind, whole(kind, isPathKind(kind) ? paths(flag) : flag ?? [])];
    }),
  ) as Record<AccessKind, Scope>;
  const writeFlag = flags.allow?.write;
  const writeNamed = Array.isArray(writeFlag) ? writeFlag.map(real) : [];
  const frozen = [...flags.frozen ?? []];
  const grants: Grants = {
    policy,
    commands: flags.commands ?? commandPolicy(policy),
    workspace,
    allow,
    deny: { ...deny, write: joined(deny.write, frozen) },
    frozen,
    own: [...new Set((place.own ?? []).flatMap((path) => placesOf(path, place.realPath)))],
    secrets: (flags.allowSecrets ?? []).map(real),
    privateNet: flags.allowPrivateNet ?? [],
    netNamed: flags.allowAll ? true : flags.allow?.net ?? [],
    writeNamed,
    makes: [...new Set(writeNamed.flatMap((path) => missingFolder(path, place.realPath) ?? []))],
    shareNet: flags.shareNet ?? false,
    sandboxShow: (flags.sandboxShow ?? []).map(real),
    // Longest first, so that the most exact spelling is replaced.
    aliases: aliases.sort((a, b) => b[0].length - a[0].length),
  };
  return place.within === undefined ? grants : bounded(grants, place.within.map(real));
}

function bounded(grants: Grants, within: readonly string[]): Grants {
  const narrowed = narrowGrants(grants, within);
  if (narrowed !== null) return narrowed;
  const shown = within.length === 0 ? "no folder" : within.map((path) => JSON.stringify(path)).join(", ");
  throw new ToolError(
    "permission_denied",
    `Nothing is left to work in: of what is granted, nothing lies in ${shown}`,
    { details: { within } },
  );
}

function joined(one: Scope, other: Scope): Scope {
  return one === true || other === true ? true : [...new Set([...one, ...other])];
}

/** The root is everything, also where it is the workspace. */
function whole(kind: AccessKind, scope: Scope): Scope {
  return scope !== true && isPathKind(kind) && scope.includes("/") ? true : scope;
}

function isPathKind(kind: AccessKind): boolean {
  return kind === "read" || kind === "write";
}

function realWorkspace(place: GrantPlace, real: (path: string) => string): string {
  try {
    place.realPath(place.workspace);
  } catch (cause) {
    throw new ToolError(
      "configuration",
      `Cannot use "${place.workspace}" as the workspace: no such folder, name one with --workspace`,
      { cause },
    );
  }
  return real(place.workspace);
}

/** Returns the outermost folder above a path that does not exist, `null` if the path's own folder is there. */
function missingFolder(path: string, realPath: (path: string) => string): string | null {
  const parent = dirname(path);
  try {
    realPath(parent);
    return null;
  } catch {
    return parent === path ? null : missingFolder(parent, realPath) ?? parent;
  }
}

/** Where a path leads, and where it stands itself: a link there must not be replaced either. */
function placesOf(path: string, realPath: (path: string) => string): string[] {
  return [realOfMissing(path, realPath), join(realOfMissing(dirname(path), realPath), basename(path))];
}

/** A grant may name what does not exist yet: its deepest existing ancestor is resolved. */
export function realOfMissing(path: string, realPath: (path: string) => string): string {
  try {
    return realPath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOfMissing(parent, realPath), basename(path));
  }
}
