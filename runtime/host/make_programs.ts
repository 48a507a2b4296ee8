import { PROGRAM_LIMITS, type ProgramLimits } from "../../schemas/config.ts";
import type { Machine } from "../calls/machine.ts";
import type { Journal } from "../programs/journal/journal.ts";
import type { Judge } from "../programs/launch/judge_command.ts";
import type { Sight } from "../programs/launch/sight.ts";
import type { BoxChoice } from "../walls/box/choose_box.ts";
import { makeLauncher } from "../programs/launch/launcher.ts";
import { watchedLauncher } from "../programs/launch/watched_launcher.ts";
import { makeProgramHost, type UserPrograms } from "../programs/process/make_program_host.ts";
import { trustedPath } from "../walls/files/trusted_path.ts";
import type { ChangeKeeper } from "./keep_changes.ts";
import type { ProcessSettings } from "./host_settings.ts";

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
  /** What outlives the process, and what ends it. @default nothing */
  process?: MachineProcess;
}

/**
 * Makes the host of the programs of a run.
 *
 * @param options `tidied` is what programs wait for; `watch` sees what they change
 */
export function makePrograms(
  parts: ProgramParts,
  { tidied, watch }: { tidied: Promise<void> | null; watch: ChangeKeeper["watch"] | undefined },
): UserPrograms {
  const { machine: { grants, home, artifacts }, box, searchPath, sight, variables } = parts;
  const { programs: env, git: gitVariables } = variables;
  const limits = { ...PROGRAM_LIMITS, ...parts.limits };
  const asideFolder = () => artifacts.folder("aside");
  const options = { grants, home, box, searchPath, env, gitVariables, limits, asideFolder };
  const made = makeLauncher({ ...options, ...(sight && { sight }) });
  const launcher = watch ? watchedLauncher(made, watch) : made;
  const ownPath = trustedPath(searchPath, grants);
  return makeProgramHost({
    launcher: {
      async prepare(...program) {
        await tidied;
        return await launcher.prepare(...program);
      },
      warm: made.warm,
    },
    journal: parts.process?.journal,
    hearHangup: parts.process?.hearHangup,
    judge: parts.judge,
    limits,
    searchPath: ownPath,
    keepFile: artifacts.open,
  });
}
