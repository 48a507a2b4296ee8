import { ToolError } from "../../../schemas/error.ts";
import type { Grants } from "../../../schemas/grants.ts";
import { APART_FOLDER, type ProgramSpec } from "../../../schemas/program.ts";
import { type DiskView, realDisk } from "../../walls/box/disk_view.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { SYSTEM_PATH, trustedPrograms } from "../../walls/files/trusted_path.ts";
import { masksOf } from "../box/box_masks.ts";
import { boxOf } from "../box/box_of.ts";
import { outlookOf } from "../box/outlook.ts";
import { programBox, scratchOf } from "../box/program_box.ts";
import { boxPath, programFiles, type ProgramView, viewOf } from "../box/program_view.ts";
import { checkWords } from "../launch/check_words.ts";
import { deniedPrograms, shellBeside } from "../launch/denied_programs.ts";
import { programEnvironment } from "../launch/environment.ts";
import { findCommand } from "../plan/find_command.ts";
import type { Launch, Launcher } from "../launch/launch.ts";
import type { LauncherOptions } from "../launch/launcher.ts";
import { checkStart } from "../launch/may_start.ts";
import { type Bounds, resourceBounds, withLargestFile } from "../launch/resource_bounds.ts";
import { boxNetwork, networkWarnings } from "../network/box_network.ts";
import type { ProgramNetwork } from "../network/program_network.ts";
import { networkVariables, withoutProxies } from "../network/network_variables.ts";
import { makeRemoteLauncher } from "./remote_launcher.ts";

/** What a launcher of programs that run apart works with. */
export interface ApartOptions extends Omit<LauncherOptions, "asideFolder" | "sight" | "gitVariables"> {
  /** Returns the folder that is theirs alone: absolute, real, private. It is made with the first of them. */
  folder(): Promise<string>;
  /** The words of a command that reaches their place on another machine. @default it is on this one */
  remote?: readonly string[] | undefined;
  /** The network that those of them share that stay; `null` if each has one of its own. @default null */
  network?: ProgramNetwork | null;
}

/** What is decided about a program before its command line is made. */
interface ApartPlan {
  spec: ProgramSpec;
  terminal: boolean;
  stays: boolean;
  before: readonly string[];
  bwrap: string;
  folder: string;
  bounds: Bounds;
}

/**
 * Makes the launcher of programs that run apart from the user's files: the folder is all that they may write, under every
 * policy, and nothing of the user is shown but what `--sandbox-show` names. What they leave is no matter of the user's own
 * programs, so nobody looks for secrets and protected files in it. They start in a sandbox or not at all. Needs `read`, and
 * `run` for trials of bounds.
 */
export function makeApartLauncher(options: ApartOptions): Launcher {
  const { grants, limits, searchPath, disk = realDisk, remote = [] } = options;
  if (remote.length > 0) return makeRemoteLauncher({ ...options, command: remote });
  const { find } = trustedPrograms(`${SYSTEM_PATH}:${searchPath}`, grants);
  let bounds: Promise<Bounds> | undefined;
  const boundsOf = (bwrap: string) => {
    const helpers = { prlimit: find("prlimit"), setpriv: find("setpriv") };
    return bounds ??= resourceBounds(limits, { ...helpers, bwrap, disk });
  };
  return {
    async prepare(spec, { terminal, stays = false, before = [] }) {
      checkWords(spec.argv);
      if (spec.cwd !== undefined) throw new Error("a program that runs apart starts in its own folder");
      const { bwrap, noBox, advice } = await boxOf(options.box);
      if (bwrap === null) {
        throw noSandbox(noBox ?? "this machine's walls show no folder by another name", advice ?? ELSEWHERE);
      }
      const [folder, held] = await Promise.all([options.folder(), boundsOf(bwrap)]);
      return launchOf({ spec, terminal, stays, before, bwrap, folder, bounds: held }, options, disk);
    },
  };
}

function launchOf(plan: ApartPlan, options: ApartOptions, disk: DiskView): Launch {
  const { spec, terminal, stays, before, bwrap, folder, bounds } = plan;
  const { grants, searchPath, limits, home } = options;
  const shown = viewOf(nothingOf(grants), { cwd: APART_FOLDER, folders: grants.sandboxShow, disk });
  const view: ProgramView = { ...shown, roots: [], apart: { folder, at: APART_FOLDER } };
  const path = boxPath(view, { hostPath: searchPath, folders: grants.sandboxShow });
  const places = { cwd: "/", searchPath: path, hostPath: searchPath, shows: view.shows, home };
  const program = findCommand(spec.argv[0]!, places);
  checkStart(program, grants, { noBox: null, realOrNull });
  const helpers = [bounds.words[0], bounds.setpriv].map((file) => file && realOrNull(file));
  const hide = deniedPrograms(grants, path).filter((file) => !helpers.includes(file));
  const files = nothingOf(grants);
  const masks = masksOf([], view, { files, cwd: APART_FOLDER, hide, stays, network: grants.shareNet });
  const network = boxNetwork(grants);
  return {
    ...programBox({
      ...{ bwrap, terminal, network, view, masks, disk, cwd: APART_FOLDER, hasGitSettings: false },
      words: [...before, program.path, ...spec.argv.slice(1)],
      tmpMb: limits.tmp_mb,
      env: programEnvironment({
        ...{ path, ...scratchOf(view), terminal, own: spec.env ?? {} },
        sandbox: networkVariables(grants),
        allowed: withoutProxies(options.env, grants),
      }),
      first: {
        bounds: withLargestFile(bounds, limits, [folder]),
        shell: shellBeside(hide),
        setpriv: bounds.setpriv,
      },
    }),
    startIn: "/",
    cwd: APART_FOLDER,
    boxed: true,
    box: { text: "", local: true, ...networkOf(plan, options) },
    outlook: outlookOf({ cwd: APART_FOLDER, path, view, files }, masks, options),
    writes: [folder],
    warnings: networkWarnings(grants),
    inspect: () => Promise.resolve([]),
    after: null,
  };
}

/** A program that ends with its call reaches nobody's servers, and needs no network for that. */
function networkOf(
  { spec, stays }: ApartPlan,
  { grants, network }: ApartOptions,
): { who?: string; way?: ProgramNetwork } {
  const kind = boxNetwork(grants);
  if (kind === "machine" || (kind === "none" && !stays)) return {};
  if (!network) return kind === "none" ? {} : { who: spec.argv[0]! };
  return { who: spec.argv[0]!, way: network };
}

/** The grants of files, without any that the user granted. */
function nothingOf(grants: Grants) {
  const { allow } = grants;
  return programFiles({
    ...grants,
    workspace: APART_FOLDER,
    allow: { ...allow, read: [], write: [] },
    secrets: [],
    writeNamed: [],
    makes: [],
  }, "");
}

const ELSEWHERE = "name one on another machine with sandbox.remote in the configuration";

function noSandbox(why: string, more: string): ToolError {
  return new ToolError(
    "unavailable",
    `It runs in a private sandbox or not at all, and there is none (${why}): ${more}`,
    { details: { reason: "no sandbox" } },
  );
}
