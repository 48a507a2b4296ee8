import type { Manifest, ManifestEntry } from "../../../schemas/manifest.ts";
import { giveUp } from "../../host/give_up.ts";
import type { HostSettings } from "../../host/host_settings.ts";
import { type Host, openHost } from "../../host/open_host.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import type { Options } from "../args/option_table.ts";
import { findPerson } from "../io/ask_person.ts";
import { type Io, printError, userFolder } from "../io/io.ts";

/** What a command knows of its run. */
export interface RunPlan {
  /** Calls will really run: there is an audit to keep. @default false */
  runsCalls?: boolean;
  /** Stdin is read for something else, so no person can answer there. @default false */
  stdinTaken?: boolean;
}

/** Returns the command line's options as a host understands them. */
export function hostSettings(options: Options, io: Io, plan: RunPlan): HostSettings {
  const cwd = userFolder(io);
  const person = plan.stdinTaken ? null : findPerson(io);
  return {
    grants: {
      policy: options.policy,
      allowAll: options.allowAll,
      allow: {
        read: options.allowRead,
        write: options.allowWrite,
        net: options.allowNet,
        run: options.allowRun,
      },
      deny: { read: options.denyRead, write: options.denyWrite, net: options.denyNet, run: options.denyRun },
      allowSecrets: options.allowSecrets,
      allowPrivateNet: options.allowPrivateNet,
      shareNet: options.shareNet,
      sandboxShow: options.sandboxShow,
      toolchains: options.toolchains,
    },
    programs: { allowEnv: options.allowEnv },
    places: {
      workspace: options.workspace ?? ".",
      cwd,
      mainUrl: io.mainUrl,
      sandbox: options.sandbox,
      session: options.session,
    },
    limits: {
      maxParallel: options.maxParallel,
      maxCallMs: options.timeout === undefined ? undefined : options.timeout * 1000,
    },
    control: {
      role: options.role,
      confirm: person?.confirm,
      ask: person?.ask,
      audit: options.audit,
    },
    env: io.variables(),
    config: { file: options.config },
    runsCalls: plan.runsCalls ?? false,
    warn(message) {
      // Not awaited: the run does not depend on these lines.
      if (!options.quiet) printError(io, `bulkhead: ${onOneLine(message)}\n`);
    },
  };
}

/**
 * Sets a run up from the command line's options.
 *
 * @throws {ToolError} As `openHost` does
 */
export function openRun(options: Options, io: Io, plan: RunPlan & { manifest: Manifest }): Host {
  return openHost(hostSettings(options, io, plan), { manifest: plan.manifest });
}

/** Gives up the permissions that neither the tools to be called nor the command itself need. */
export function keepOnly(called: readonly ManifestEntry[], host: Host, options: Options): void {
  const keepsFiles = options.session !== undefined || options.output !== undefined;
  giveUp({ grants: host.grants, called, keepsFiles });
}
