import type { Grants, Scope } from "../../../schemas/grants.ts";
import { toolRules } from "../../walls/net/net_rules.ts";
import { flagWord } from "../../walls/grants/flag_word.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { realOfMissing } from "../../walls/grants/make_grants.ts";
import { commonPaths } from "../../walls/grants/narrow_grants.ts";

/** What a program of other people may touch. It gets what of this the run is granted; `true` is all of that. */
export interface ProgramNeeds {
  /** Absolute paths that it may read. @default [] */
  read?: Scope;
  /** Absolute paths that it may write, and read. @default [] */
  write?: Scope;
  /** Hosts that it may reach through the gate, as the flags name them. @default [] */
  net?: Scope;
  /** Variables of the user that it sees, beside those that every program sees. @default [] */
  env?: readonly string[];
  /** Names of all programs of the machine that it may start, also its own. @default those that a sandbox shows */
  commands?: readonly string[];
  /**
   * Absolute paths that a sandbox shows to read, whatever the run is granted: the program itself and its packages. Secrets
   * in them stay hidden. @default []
   */
  show?: readonly string[];
  /** Absolute paths of packages that anybody can have: shown like these, but not looked through for secrets. @default [] */
  packages?: readonly string[];
}

/** Narrows the grants of a run to what a program needs of them. What is denied stays denied. Needs `read`. */
export function narrowToNeeds(grants: Grants, needs: ProgramNeeds): Grants {
  const { allow, sandboxShow } = grants;
  const write = realScope(needs.write ?? []);
  const read = realScope(needs.read ?? []);
  const touched = read === true || write === true ? true : [...read, ...write];
  const { net = [] } = needs;
  const rules = toolRules(net === true ? "granted" : net, grants);
  return {
    ...grants,
    allow: { ...allow, read: common(allow.read, touched), write: common(allow.write, write) },
    secrets: listed(grants.secrets, touched),
    writeNamed: listed(grants.writeNamed, write),
    makes: listed(grants.makes, write),
    netNamed: rules.allow,
    privateNet: rules.private,
    // It would lead past the gate.
    shareNet: false,
    sandboxShow: [...new Set([...sandboxShow, ...(needs.show ?? []).map(real)])],
  };
}

/**
 * Returns the flags that would grant what a program names of the disk and does not get; under a policy that writes nothing,
 * none for writing. What is denied is not among it. Needs `read`.
 */
export function ungrantedFlags({ allow, deny, policy }: Grants, needs: ProgramNeeds): string[] {
  const kinds = policy === "coder" ? ["read", "write"] as const : ["read"] as const;
  return kinds.flatMap((kind) => {
    const [needed, granted, denied] = [realScope(needs[kind] ?? []), allow[kind], deny[kind]];
    // It asks for whatever there is.
    if (needed === true || needed.includes("/") || granted === true || denied === true) return [];
    const lies = (folders: readonly string[], path: string) =>
      folders.some((folder) => isInside(folder, path));
    const left = needed.filter((path) => !lies(granted, path) && !lies(denied, path));
    return left.length === 0 ? [] : [flagWord(`--allow-${kind}`, left)];
  });
}

function common(granted: Scope, needed: Scope): Scope {
  return needed === true ? granted : commonPaths(granted, needed);
}

function listed(granted: readonly string[], needed: Scope): readonly string[] {
  const both = common(granted, needed);
  return both === true ? granted : both;
}

function realScope(scope: Scope): Scope {
  return scope === true ? true : scope.map(real);
}

function real(path: string): string {
  return realOfMissing(path, Deno.realPathSync);
}
