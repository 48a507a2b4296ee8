import type { ProgramLimits } from "../../../schemas/config.ts";
import type { FileGrants, Grants } from "../../../schemas/grants.ts";
import type { ProgramSpec } from "../../../schemas/program.ts";
import { covers, refusePath } from "../../walls/grants/path_access.ts";
import { type DiskView, realDisk } from "../../walls/box/disk_view.ts";
import { findProgram } from "../../walls/files/find_program.ts";
import { createGuard } from "../../walls/files/guard.ts";
import type { BoxChoice } from "../../walls/box/choose_box.ts";
import { SYSTEM_PATH, trustedPath, trustedPrograms } from "../../walls/files/trusted_path.ts";
import { type Masks, masksOf } from "../box/box_masks.ts";
import { boxOf } from "../box/box_of.ts";
import { checkWords } from "./check_words.ts";
import { programEnvironment } from "./environment.ts";
import { deniedPrograms, shellBeside } from "./denied_programs.ts";
import { findCommand, type FoundProgram, programFolder } from "./find_command.ts";
import type { Launch, Launcher } from "./launch.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { lookAfter } from "../protected/look_after.ts";
import { lookAt, type Looked, type LookedAt, withExecuted } from "../protected/look_at.ts";
import { makeInspector } from "../protected/inspector.ts";
import { baselineOf } from "../protected/set_aside.ts";
import { checkStart } from "./may_start.ts";
import { makePlainSettings, type Replaced } from "../box/plain_settings.ts";
import { onlyPrograms } from "../box/only_programs.ts";
import { programBox, scratchOf } from "../box/program_box.ts";
import { outlookOf } from "../box/outlook.ts";
import { boxPath, programFiles, type ProgramView, viewOf } from "../box/program_view.ts";
import { lookAround, type Seen, seesNoPath, type Sight } from "./sight.ts";
import { boxNetwork, namesHosts, networkWarnings } from "../network/box_network.ts";
import { networkVariables, withoutProxies } from "../network/network_variables.ts";
import { type Bounds, resourceBounds, withLargestFile } from "./resource_bounds.ts";
import type { Finding } from "../protected/scan_folder.ts";
import { showPath } from "../bytes/odd_names.ts";
import { makeOddReader } from "../bytes/odd_reader.ts";
import { makeTreeScan, type TreeScan } from "../protected/tree_scan.ts";

/** What a launcher works with. */
export interface LauncherOptions {
  grants: Grants;
  /** The user's home folder, `""` if it is unknown. */
  home: string;
  box: BoxChoice;
  /** Folders of the user's programs, as in `PATH`. */
  searchPath: string;
  /** The part of the user's environment that programs see. */
  env: Readonly<Record<string, string>>;
  /** The user's variables that say where settings of git are. @default none */
  gitVariables?: Readonly<Record<string, string>>;
  limits: ProgramLimits;
  /** Makes a private folder for files that programs may not leave in the tree. */
  asideFolder(): Promise<string>;
  /** @default the grants alone */
  sight?: Sight;
  /** @default the real file system */
  disk?: DiskView;
}

/** All decisions about one program before its command line is made. */
interface Plan {
  spec: ProgramSpec;
  terminal: boolean;
  stays: boolean;
  before: readonly string[];
  cwd: string;
  files: FileGrants;
  view: ProgramView;
  program: FoundProgram;
  /** `PATH` of the program. */
  path: string;
  /** `null` without a box. */
  bwrap: string | null;
  seen: Seen;
}

/** Makes the launcher of a run. Needs `read`, `write` of what programs may write, and `run` for trials of bounds. */
export function makeLauncher(options: LauncherOptions): Launcher {
  const { grants, home, limits, searchPath, disk = realDisk } = options;
  const files = programFiles(grants, home);
  const guard = createGuard(files, "launch");
  const own = trustedPrograms(searchPath, grants);
  const scan = makeTreeScan({ odd: makeOddReader(own.path) });
  const { find } = trustedPrograms(`${SYSTEM_PATH}:${searchPath}`, grants);
  const plainSettings = makePlainSettings(options.asideFolder);
  const helpers = { prlimit: find("prlimit"), setpriv: find("setpriv") };
  const tries = new Map<string | null, Promise<Bounds>>();
  const boundsOf = (bwrap: string | null) => {
    const tried = tries.get(bwrap) ?? resourceBounds(limits, { ...helpers, bwrap, disk });
    tries.set(bwrap, tried);
    return tried;
  };
  const warm = async () => {
    const { bwrap } = await boxOf(options.box);
    await Promise.all([boundsOf(bwrap), lookAround(options.sight, { isBoxed: bwrap !== null })]);
  };
  return {
    // The program hears of a failure.
    warm: () => void warm().catch(() => {}),
    async prepare(spec, { terminal, stays = false, before = [] }) {
      checkWords(spec.argv);
      const { bwrap, noBox } = await boxOf(options.box);
      const { atHome = false } = options.sight ?? {};
      const isHome = atHome && spec.cwd === undefined &&
        refusePath("read", grants.workspace, files) !== null;
      const home = bwrap === null ? grants.workspace : null;
      const cwd = isHome ? home : await programFolder(spec, guard, grants.workspace);
      const planned = async () => {
        const seen = await lookAround(options.sight, { isBoxed: bwrap !== null });
        const plan = planOf(spec, { options, files, cwd, terminal, stays, before, bwrap, disk, seen });
        checkStart(plan.program, grants, {
          noBox,
          realOrNull: (name) => behindName(name, bwrap === null ? own.path : searchPath),
        });
        return plan;
      };
      // The trial of the bounds waits for programs: meanwhile, the toolchains are looked through.
      const both = [boundsOf(bwrap), planned()] as const;
      // Also after a refusal, nothing goes on.
      await Promise.allSettled(both);
      const [bounds, plan] = await Promise.all(both);
      // Without a box, nothing hides what has a secret's name.
      const enters = ({ path }: Finding) => bwrap === null || covers(files.secrets, path);
      const skip = new Set(files.denyRead === true ? [] : files.denyRead);
      const at = { roots: plan.view.roots, files, gitVariables: options.gitVariables ?? {} };
      const looked = await lookAt(at, scan, { enters, ...(bwrap !== null && { skip }) });
      const replaced = bwrap ? await plainSettings(looked.findings, files) : [];
      const ready = { options, bounds, scan, at, looked, replaced };
      if (bwrap === null) return unboxed(plan, { ...ready, noBox: noBox ?? "" });
      return boxed(plan, { ...ready, bwrap, disk });
    },
  };
}

function planOf(
  spec: ProgramSpec,
  given: {
    options: LauncherOptions;
    files: FileGrants;
    /** `null` for the private home of a box. */
    cwd: string | null;
    terminal: boolean;
    stays: boolean;
    before: readonly string[];
    bwrap: string | null;
    disk: DiskView;
    seen: Seen;
  },
): Plan {
  const { options, files, terminal, stays, before, bwrap, disk, seen } = given;
  const { grants, searchPath } = options;
  const folders = grants.sandboxShow;
  const at = given.cwd ?? grants.workspace;
  const { atHome = false } = options.sight ?? {};
  const view = viewOf(files, { cwd: at, folders, looked: seen.toolchains, atHome, disk });
  const cwd = given.cwd ?? scratchOf(view).home;
  const ownPath = trustedPath(searchPath, grants);
  const path = bwrap === null ? ownPath : boxPath(view, {
    ...{ hostPath: searchPath, folders, kept: seen.toolchains.path },
    systemFirst: options.sight?.only !== undefined,
  });
  const shows = bwrap === null ? () => true : view.shows;
  const program = findCommand(spec.argv[0]!, {
    cwd,
    searchPath: path,
    hostPath: bwrap === null ? ownPath : searchPath,
    shows,
    home: options.home,
  });
  return { spec, terminal, stays, before, cwd, files, view, program, path, bwrap, seen };
}

/** What boxed and unboxed programs share. */
interface Ready {
  options: LauncherOptions;
  bounds: Bounds;
  scan: TreeScan;
  at: LookedAt;
  /** What was there before the program. */
  looked: Looked;
  /** Files that a box shows without their secrets. */
  replaced: readonly Replaced[];
}

function boxed(plan: Plan, ready: Ready & { bwrap: string; disk: DiskView }): Launch {
  const { spec, terminal, stays, cwd, view, path, seen } = plan;
  const { options, bounds, looked: { findings, executed }, bwrap, disk, replaced } = ready;
  const files = withExecuted(plan.files, executed);
  const { grants, limits, env } = options;
  const helpers = [bounds.words[0], bounds.setpriv].map((file) => file && realOrNull(file));
  const hide = [...deniedPrograms(grants, path), ...seen.hidden].filter((file) => !helpers.includes(file));
  const found = [...findings, ...seen.toolchains.findings];
  const masks = masksOf(found, view, { files, cwd, hide, stays, replaced, network: grants.shareNet });
  const environment = programEnvironment({
    path,
    ...scratchOf(view),
    terminal,
    sandbox: { ...networkVariables(grants), ...seen.toolchains.env },
    allowed: withoutProxies(env, grants),
    own: spec.env ?? {},
  });
  const shell = shellBeside(hide);
  const { only: names } = options.sight ?? {};
  const needed = [plan.program.path, bounds.words[0], bounds.setpriv, shell]
    .filter((file) => typeof file === "string");
  const only = names && onlyPrograms({ names, files: needed, shown: grants.sandboxShow, path }, disk);
  return {
    argv: programBox({
      ...{ bwrap, cwd, terminal, view, masks: only ? { ...masks, only } : masks, disk },
      words: [...plan.before, ...wordsOf(plan)],
      network: boxNetwork(grants),
      tmpMb: limits.tmp_mb,
      env: environment,
      hasGitSettings: seen.gitSettings !== "",
      first: {
        bounds: withLargestFile(bounds, limits, foldersOf(view, files)),
        shell,
        setpriv: bounds.setpriv,
      },
    }),
    env: {},
    startIn: "/",
    cwd,
    boxed: true,
    box: startOf(plan, grants),
    outlook: outlookOf({ ...plan, files }, masks, options),
    writes: foldersOf(view, files),
    warnings: [...notShown(view, findings), ...networkWarnings(grants)],
    ...inspection(plan, ready, masks),
  };
}

/**
 * What may write nothing needs no server of its own, and must not reach one that comes later. What sees no path of the user
 * finds only its own.
 */
function startOf({ spec, seen }: Plan, grants: Grants): Required<Launch>["box"] {
  const local = grants.policy === "coder" || grants.shareNet || seesNoPath(grants);
  return { text: seen.gitSettings, local, ...(boxNetwork(grants) === "gate" && { who: spec.argv[0]! }) };
}

function notShown({ absent }: ProgramView, findings: readonly Finding[]): string[] {
  const unseen = findings.filter(({ kind }) => kind === "closed").map(({ path }) => showPath(path));
  return [
    ...absent.map((path) =>
      `Programs cannot write "${path}": a sandbox shows only what is there, make it first`
    ),
    ...unseen.map((path) => `Programs do not see "${path}": it could not be looked through for secrets`),
  ];
}

function unboxed(plan: Plan, ready: Ready & { noBox: string }): Launch {
  const { spec, terminal, before, cwd, files, view, path, program } = plan;
  const { options, bounds, noBox } = ready;
  const surroundings = { path, home: options.home || "/", tmp: "/tmp", terminal };
  return {
    argv: [...withLargestFile(bounds, options.limits, foldersOf(view, files)), ...before, ...wordsOf(plan)],
    env: programEnvironment({ ...surroundings, allowed: options.env, own: spec.env ?? {} }),
    startIn: cwd,
    cwd,
    boxed: false,
    outlook: null,
    writes: foldersOf(view, files),
    warnings: [
      `"${program.asked}" ran without a sandbox (${noBox}): it could read and write all that you can, ` +
      `and reach the network${namesHosts(options.grants) ? ", whatever --allow-net and --deny-net say" : ""}`,
    ],
    ...inspection(plan, ready),
  };
}

function wordsOf({ program, spec }: Plan): string[] {
  return [program.path, ...spec.argv.slice(1)];
}

/** If everything is granted, the disk of the workspace stands for all disks. */
function foldersOf({ everything, writable }: ProgramView, { workspace }: FileGrants): string[] {
  return everything ? [workspace].filter((path) => covers(writable, path)) : [...writable];
}

function inspection(plan: Plan, ready: Ready, masks?: Masks): Pick<Launch, "inspect" | "after"> {
  const { view: { writable } } = plan;
  const { options: { asideFolder }, scan, at, looked, looked: { executed } } = ready;
  const baseline = baselineOf(looked, masks, writable);
  const after = { ...at, files: withExecuted(plan.files, executed), writable, baseline, executed };
  return {
    inspect: makeInspector({ ...after, asideFolder, look: lookAfter(after, scan) }),
    after: writable.length === 0 ? null : after,
  };
}

function behindName(name: string, searchPath: string): string | null {
  const path = name.includes("/") ? name : findProgram(name, searchPath);
  return path === null ? null : realOrNull(path);
}
