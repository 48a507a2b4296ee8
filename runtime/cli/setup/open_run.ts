import { resolve } from "@std/path";

import type { ToolLimits } from "../../../schemas/config.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { Manifest, ManifestEntry } from "../../../schemas/manifest.ts";
import { giveUp } from "../../host/give_up.ts";
import type { HostSettings } from "../../host/host_settings.ts";
import { type Host, openHost } from "../../host/open_host.ts";
import type { NamedOutput } from "../../walls/files/place_output.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { flagOf, type OptionName, optionOf, type Options } from "../args/options/option_table.ts";
import { findPerson } from "../io/ask_person.ts";
import { type Io, printError, userFolder } from "../io/io.ts";

/** Largest limit of one tool: a day in seconds, or as many calls. */
const MAX_LIMIT = 86_400;

/** What a command knows of its run. */
export interface RunPlan {
  /** Calls will really run: there is an audit to keep. @default false */
  runsCalls?: boolean;
  /** The run ends with its first call. @default false */
  isSingle?: boolean;
  /** Stdin is read for something else, so no person can answer there. @default false */
  stdinTaken?: boolean;
  /** Files of the user that the command writes. @default no files */
  outputs?: readonly NamedOutput[];
  /** Files that the command reads, as the user named them; `-` is none. @default no files */
  inputs?: readonly string[];
}

function programsOf({ allowEnv, display, browserUrl }: Options, io: Io): HostSettings["programs"] {
  return { allowEnv, display, browserUrl, process: io.process };
}

/** Returns the command line's options as a host understands them. */
export function hostSettings(options: Options, io: Io, plan: RunPlan): HostSettings {
  const cwd = userFolder(io);
  const person = plan.stdinTaken || options.noQuestions ? null : findPerson(io, options);
  // The list of all variables leaves out one that is not UTF-8.
  options.allowEnv?.forEach(io.env);
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
    programs: programsOf(options, io),
    places: {
      workspace: options.workspace ?? ".",
      cwd,
      mainUrl: io.mainUrl,
      sandbox: options.sandbox,
      session: options.session,
      undo: options.noUndo ? false : undefined,
      ...{ overlay: options.overlay !== undefined, isSingle: plan.isSingle },
    },
    limits: {
      maxParallel: options.maxParallel,
      maxCallMs: options.timeout === undefined ? undefined : options.timeout * 1000,
      tools: toolLimits(options),
    },
    control: {
      role: options.role,
      confirm: person?.confirm,
      ask: person?.ask,
      ...{ audit: options.audit, telemetry: plan.runsCalls ? io.process.telemetry : undefined },
      outputs: plan.outputs,
      inputs: plan.inputs?.filter((file) => file !== "-").map((file) => resolve(cwd, file)),
    },
    tools: {
      sources: {
        files: (options.tools ?? []).map((path) => ({ path: resolve(cwd, path), isRequired: true })),
        mcp: (options.mcp ?? []).map((path) => ({ file: resolve(cwd, path) })),
      },
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

type Limits = Record<string, ToolLimits>;

function toolLimits({ toolTimeout = [], toolConcurrency = [] }: Options): Limits {
  const limits: Limits = {};
  for (const text of toolTimeout) addLimit(limits, { flag: "toolTimeout", text }, "timeout_seconds");
  for (const text of toolConcurrency) addLimit(limits, { flag: "toolConcurrency", text }, "concurrency");
  return limits;
}

/** A name without its toolset stands for the tools of this name in all sets. */
function addLimit(
  limits: Limits,
  { flag, text }: { flag: OptionName; text: string },
  field: keyof ToolLimits,
): void {
  const [, name = "", value = ""] = /^(.*)=(\d+(?:\.\d+)?)$/s.exec(text) ?? [];
  const limit = Number(value);
  const fits = limit > 0 && limit <= MAX_LIMIT && (field === "timeout_seconds" || Number.isInteger(limit));
  if (name === "" || !fits) {
    const form = optionOf(flag).value ?? "";
    throw new ToolError(
      "invalid_input",
      `Cannot read ${flagOf(flag)} ${JSON.stringify(text)}: write ${
        flagOf(flag)
      } ${form}, at most ${MAX_LIMIT}`,
    );
  }
  const pattern = name.includes("/") || name.includes("*") ? name : `*/${name}`;
  limits[pattern] = { ...limits[pattern], [field]: limit };
}

/**
 * Sets a run up from the command line's options.
 *
 * @throws {ToolError} As `openHost` does
 */
export function openRun(options: Options, io: Io, plan: RunPlan & { manifest: Manifest }): Host {
  return openHost(hostSettings(options, io, plan), { manifest: plan.manifest });
}

/**
 * Gives up the permissions that neither the tools to be called nor the command itself need.
 *
 * @param plan `explains`: the calls are only explained
 */
export async function keepOnly(
  called: readonly ManifestEntry[],
  { host, options, io, explains }: { host: Host; options: Options; io: Io; explains?: boolean },
): Promise<void> {
  const keepsFiles = options.session !== undefined || options.output !== undefined ||
    options.report !== undefined;
  await giveUp({ host, process: io.process, called, explains, keepsFiles });
}
