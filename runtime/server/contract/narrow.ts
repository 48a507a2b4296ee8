import { isAbsolute, resolve } from "@std/path";
import type { z } from "zod";

import type { OwnPolicy } from "../../../schemas/config.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { PolicyName } from "../../../schemas/grants.ts";
import { choosePolicy } from "../../host/config/choose_policy.ts";
import { readHostConfig } from "../../host/configure_host.ts";
import type { GrantSettings, HostSettings } from "../../host/host_settings.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import type { GrantFlag } from "../../walls/grants/make_grants.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { stricterPolicy } from "../../walls/grants/policies.ts";
import type { Narrowing } from "../api/run_schemas.ts";
import type { Served } from "./served.ts";

/** What a request says of where it works, and of what it does without. */
export interface NarrowRequest {
  workspace?: string | undefined;
  grants?: z.infer<typeof Narrowing> | undefined;
}

/**
 * Returns the settings of one request: those of the server, in the folder that is asked for, without what the request does
 * without. Nothing is added. Needs `read`.
 *
 * @throws {ToolError} `permission_denied` for a folder that is not served, `invalid_input` for one that is not there
 */
export function narrowHost(
  { host, manifest, roots }: Served,
  { workspace, grants }: NarrowRequest,
): HostSettings {
  const place = workspace === undefined ? roots[0]! : servedFolder(workspace, roots);
  const there = { ...host, places: { ...host.places, workspace: place } };
  if (grants === undefined) return there;
  const { policy, deny_read, deny_write, deny_net, deny_run } = grants;
  const { deny = {} } = host.grants;
  const kinds = {
    read: more(deny.read, pathsFrom(place, deny_read)),
    write: more(deny.write, policy === undefined ? pathsFrom(place, deny_write) : true),
    net: more(deny.net, policy === "read-only-no-net" ? true : deny_net),
    run: more(deny.run, deny_run),
  };
  const loaded = policy === undefined ? null : readHostConfig({ ...there, warn() {} }, manifest.tools);
  const narrowed = loaded === null ? {} : { policy: narrowPolicy(host.grants, policy!, loaded) };
  return { ...there, grants: { ...host.grants, ...narrowed, deny: { ...deny, ...kinds } } };
}

/**
 * Returns the real path of a folder that a request names.
 *
 * @throws {ToolError} `permission_denied`, `invalid_input`
 */
export function servedFolder(path: string, roots: readonly string[]): string {
  const real = isAbsolute(path) ? realOrNull(path) : null;
  if (real !== null && roots.some((root) => isInside(root, real))) {
    if (Deno.statSync(real).isDirectory) return real;
    throw new ToolError("invalid_input", `Cannot work in ${JSON.stringify(path)}: it is not a folder`);
  }
  // Whether there is something elsewhere is nobody's business.
  throw new ToolError(
    "permission_denied",
    `Cannot work in ${JSON.stringify(path)}: runs and calls work in ${
      roots.join(", ")
    } and below; name an absolute ` +
      "path there, or start with --workspaces",
    { details: { workspaces: roots } },
  );
}

function narrowPolicy(
  { policy: given }: GrantSettings,
  asked: PolicyName,
  loaded: ReturnType<typeof readHostConfig>,
): OwnPolicy {
  if (typeof given === "object") return { ...given, base: stricterPolicy(given.base, asked) };
  const own = ownPolicy(choosePolicy(given, loaded));
  return { ...own, base: stricterPolicy(own.base, asked) };
}

/** Returns a policy in the form in which a program gives one. */
export function ownPolicy(
  { base, commands, without, shareNet, programs, filter }: ReturnType<typeof choosePolicy>,
): OwnPolicy {
  return {
    name: commands.name,
    base,
    allow: commands.allow,
    deny: commands.deny,
    programs,
    ...(without.includes("write") && { write: false }),
    ...(without.includes("net") ? { net: false } : shareNet && { net: true }),
    ...(filter && { filter }),
  };
}

function pathsFrom(place: string, paths: true | readonly string[] | undefined) {
  return paths === undefined || paths === true ? paths : paths.map((path) => resolve(place, path));
}

function more(given: GrantFlag, asked: true | readonly string[] | undefined): GrantFlag {
  if (given === true || asked === true) return true;
  return given === undefined && asked === undefined ? undefined : [...given ?? [], ...asked ?? []];
}
