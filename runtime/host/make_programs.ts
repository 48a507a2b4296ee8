import { PROGRAM_LIMITS, type ProgramLimits } from "../../schemas/config.ts";
import { ToolError } from "../../schemas/error.ts";
import type { Machine } from "../calls/machine.ts";
import { type ApartOptions, makeApartLauncher } from "../programs/apart/apart_launcher.ts";
import { makeSharedNetwork } from "../programs/apart/shared_network.ts";
import type { Journal } from "../programs/journal/journal.ts";
import type { Judge } from "../programs/launch/judge_command.ts";
import { pickVariables } from "../programs/launch/environment.ts";
import type { Sight } from "../programs/plan/sight.ts";
import type { BoxChoice } from "../walls/box/choose_box.ts";
import type { Launcher } from "../programs/launch/launch.ts";
import { makeLauncher } from "../programs/launch/launcher.ts";
import { watchedLauncher } from "../programs/launch/watched_launcher.ts";
import { makeNarrowPrograms, type NarrowPrograms } from "../programs/narrow/narrow_programs.ts";
import { narrowToNeeds, type ProgramNeeds } from "../programs/narrow/program_needs.ts";
import { boxNetwork } from "../programs/network/box_network.ts";
import type { ProgramNetwork } from "../programs/network/program_network.ts";
import { makeProgramHost, type UserPrograms } from "../programs/process/make_program_host.ts";
import { programRules } from "../walls/net/net_rules.ts";
import { NO_TOOLCHAINS } from "../programs/toolchains/toolchains.ts";
import { isOfSystem } from "../programs/box/only_programs.ts";
import { realOrNull } from "../walls/files/file_facts.ts";
import { trustedPath } from "../walls/files/trusted_path.ts";
import type { ChangeKeeper } from "./keep_changes.ts";
import type { ProcessSettings } from "./host_settings.ts";
import type { ApartPlace } from "./kept_state.ts";

/** The user's environment, as far as it is used. */
export interface UserVariables {
  /** What programs see. */
  programs: Readonly<Record<string, string>>;
  /** A tool is told those that it declares. */
  tools: Readonly<Record<string, string>>;
  /** What says where settings of git are. */
  git: Readonly<Record<string, string>>;
}

/** What outlives a process, and what ends it. */
export interface MachineProcess extends Partial<ProcessSettings> {
  /** Notes running programs. */
  journal: Journal;
  /** Hears of what killed runs left. */
  warn(message: string): void;
  /** The place of programs that run apart from the user's files. */
  apart: Pick<ApartPlace, "open" | "remote">;
}

/** What the programs of a run are made of. */
export interface ProgramParts {
  machine: Machine;
  box: BoxChoice;
  /** Folders of the user's programs, as in `PATH`. */
  searchPath: string;
  variables: UserVariables;
  judge: Judge;
  /** What programs see beside the grants. @default nothing */
  sight?: Sight;
  /** @default PROGRAM_LIMITS */
  limits?: Partial<ProgramLimits> | undefined;
  /** The way of boxed programs to the network; `null` without one. @default none */
  network?: ProgramNetwork | null;
  /** What programs of other people may need: a way to the network, and variables of the user. @default nothing */
  narrow?: { network: ProgramNetwork; env: Readonly<Record<string, string>> };
  /** What outlives the process, and what ends it. @default nothing */
  process?: MachineProcess;
}

/** The programs of a run, and those of other people in it. */
export interface RunPrograms extends UserPrograms {
  /** Makes programs that may touch what they need of what the run is granted, and nothing else. */
  narrowed(needs: ProgramNeeds): NarrowPrograms;
}

/**
 * Makes the host of the programs of a run.
 *
 * @param options `tidied` is what programs wait for; `watch` sees what they change
 */
export function makePrograms(
  parts: ProgramParts,
  { tidied, watch }: { tidied: Promise<void> | null; watch: ChangeKeeper["watch"] | undefined },
): RunPrograms {
  const { machine: { grants, home, artifacts }, box, searchPath, sight, variables } = parts;
  const { programs: env, git: gitVariables } = variables;
  const limits = { ...PROGRAM_LIMITS, ...parts.limits };
  const asideFolder = () => artifacts.folder("aside");
  const options = { grants, home, box, searchPath, env, gitVariables, limits, asideFolder };
  const inTurn = (made: Launcher): Launcher => {
    const launcher = watch ? watchedLauncher(made, watch) : made;
    return {
      async prepare(...program) {
        await tidied;
        return await launcher.prepare(...program);
      },
      warm: made.warm,
    };
  };
  const ownPath = trustedPath(searchPath, grants);
  const { base, ...programs } = makeProgramHost({
    launcher: besideApart(
      inTurn(makeLauncher({ ...options, ...(sight && { sight }) })),
      apartLauncher(parts, options),
    ),
    journal: parts.process?.journal,
    hearHangup: parts.process?.hearHangup,
    judge: parts.judge,
    limits,
    searchPath: ownPath,
    keepFile: artifacts.open,
  }, parts.network);
  const narrowed = (needs: ProgramNeeds) => {
    const less = narrowToNeeds(grants, needs);
    const { gitSettings: _, memory: __, ...seen } = sight ?? {};
    const packages = (needs.packages ?? []).map(realOrNull).filter((path) => path !== null);
    const { commands } = needs;
    const toolchains = async () => {
      const found = commands?.every(isOfSystem) ? NO_TOOLCHAINS : await seen.toolchains?.() ?? NO_TOOLCHAINS;
      return { ...found, shown: [...found.shown, ...packages] };
    };
    const launcher = makeLauncher({
      ...{
        ...options,
        grants: less,
        sight: { ...seen, toolchains, atHome: true, ...(commands && { only: commands }) },
      },
      env: { ...env, ...pickVariables(parts.narrow?.env ?? {}, needs.env ?? []) },
    });
    const network = boxNetwork(less) === "gate" ? parts.narrow?.network : undefined;
    const rules = programRules(less);
    return makeNarrowPrograms(base, {
      launcher: inTurn(launcher),
      network: network === undefined ? null : { ...network, take: (who) => network.take(who, rules) },
    });
  };
  return { ...programs, narrowed };
}

/** Programs that run apart change nothing of the user's: nobody watches what they write, and nothing waits for them. */
function besideApart(usual: Launcher, apart: Launcher): Launcher {
  return {
    prepare: (spec, options) => (spec.apart ? apart : usual).prepare(spec, options),
    warm: usual.warm,
  };
}

function apartLauncher(
  { process, narrow }: ProgramParts,
  options: Omit<ApartOptions, "folder">,
): Launcher {
  const { open: folder, remote } = process?.apart ?? { open: nowhere };
  const isClosed = boxNetwork(options.grants) === "none";
  return makeApartLauncher({
    ...options,
    ...{ folder, remote },
    network: narrow ? makeSharedNetwork(narrow.network, { isClosed }) : null,
  });
}

function nowhere(): Promise<never> {
  return Promise.reject(new ToolError("unavailable", "This run has no place for the sandbox of its session"));
}
