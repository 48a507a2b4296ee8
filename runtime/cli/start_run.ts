import { isAbsolute, resolve } from "node:path";

import { ToolError } from "../../schemas/error.ts";
import type { Grants } from "../../schemas/grants.ts";
import { makeGrants } from "../grants.ts";
import { type Ground, makeGround } from "../open_link.ts";
import { RoomPool } from "../rooms.ts";
import type { Machine } from "../run_call.ts";
import { findSelf } from "../self.ts";
import { diskSession, memorySession, sessionFolder } from "../session_store.ts";
import { type Io, userFolder } from "./io.ts";
import type { Options } from "./options.ts";

/** Calls at once unless `--max-parallel` says otherwise. */
export const DEFAULT_PARALLEL = 3;

/** A run that is set up: grants, rooms, session. Close it with `using` or at the end of the program. */
export interface Run extends Disposable {
  grants: Grants;
  ground: Ground;
  machine: Machine;
  maxParallel: number;
}

/**
 * Sets a run up from the command line's options, and gives up what none of its tools can need.
 *
 * @throws {ToolError} `configuration` if the workspace does not exist
 */
export function startRun(options: Options, io: Io): Run {
  const cwd = userFolder(io);
  const home = io.env("HOME") ?? "";
  const grants = makeGrants({
    ...(options.policy && { policy: options.policy }),
    allowAll: options.allowAll ?? false,
    allow: {
      read: options.allowRead,
      write: options.allowWrite,
      net: options.allowNet,
      run: options.allowRun,
    },
    deny: {
      read: options.denyRead,
      write: options.denyWrite,
      net: options.denyNet,
      run: options.denyRun,
    },
    allowSecrets: options.allowSecrets ?? [],
    allowPrivateNet: options.allowPrivateNet,
  }, { workspace: resolve(cwd, options.workspace ?? "."), cwd, realPath: Deno.realPathSync });
  if (!Deno.statSync(grants.workspace).isDirectory) {
    throw new ToolError(
      "configuration",
      `Cannot use "${grants.workspace}" as the workspace: it is not a folder`,
    );
  }
  const maxParallel = options.maxParallel ?? DEFAULT_PARALLEL;
  const ground = makeGround(findSelf(io.mainUrl, io.env), {
    mode: options.box ?? "auto",
    searchPath: io.env("PATH") ?? "/usr/bin:/bin",
  });
  const session = options.session === undefined ? memorySession() : diskSession(
    sessionFolder(stateHome(io.env("XDG_STATE_HOME"), home), options.session),
  );
  const rooms = new RoomPool({ openLink: ground.openLink, session, maxIdle: maxParallel });
  giveUp(grants, options);
  const maxCallMs = options.timeout === undefined ? {} : { maxCallMs: options.timeout * 1000 };
  const realHome = home === "" ? "" : realOrSame(home);
  return {
    grants,
    ground,
    machine: { grants, home: realHome, rooms, ...maxCallMs },
    maxParallel,
    [Symbol.dispose]: () => rooms.close(),
  };
}

/** Main keeps no permission that nothing of this run can need; there is no way back. */
function giveUp(grants: Grants, options: Options): void {
  // No tool of this version reaches the network.
  for (const name of ["net", "sys", "ffi", "env"] as const) Deno.permissions.revokeSync({ name });
  const writes = grants.allow.write === true || grants.allow.write.length > 0;
  if (!writes && options.session === undefined && options.output === undefined) {
    Deno.permissions.revokeSync({ name: "write" });
  }
}

/** A relative folder counts as none, as the XDG specification says. */
function stateHome(xdg: string | undefined, home: string): string {
  if (xdg !== undefined && isAbsolute(xdg)) return xdg;
  if (isAbsolute(home)) return `${home}/.local/state`;
  throw new ToolError(
    "configuration",
    "No place for sessions: set HOME or XDG_STATE_HOME to an absolute path",
  );
}

function realOrSame(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}
