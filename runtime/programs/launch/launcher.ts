import type { ProgramLimits } from "../../../schemas/config.ts";
import type { Grants } from "../../../schemas/grants.ts";
import { covers, refusePath } from "../../walls/grants/path_access.ts";
import { type DiskView, realDisk } from "../../walls/box/disk_view.ts";
import { createGuard } from "../../walls/files/guard.ts";
import type { BoxChoice } from "../../walls/box/choose_box.ts";
import { SYSTEM_PATH, trustedPrograms } from "../../walls/files/trusted_path.ts";
import { type Masks, masksOf } from "../box/box_masks.ts";
import { boxOf, privatePlaces, wallsOf } from "../box/box_of.ts";
import { checkWords } from "./check_words.ts";
import { programEnvironment } from "./environment.ts";
import { deniedPrograms, shellBeside } from "./denied_programs.ts";
import { fileBehind, programFolder } from "../plan/find_command.ts";
import type { BoxStart, Launch, Launcher } from "./launch.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { lookAfter } from "../protected/look_after.ts";
import { lookAt, type Looked, type LookedAt, withExecuted } from "../protected/look_at.ts";
import { makeInspector } from "../protected/inspector.ts";
import { RememberedFolders } from "../protected/remembered_folders.ts";
import { baselineOf } from "../protected/set_aside.ts";
import { checkStart } from "./may_start.ts";
import type { ProfileWall } from "../box/profile_wall.ts";
import { makePlainSettings, type Replaced } from "../box/plain_settings.ts";
import { outerRepositories, showRepositories } from "../box/show_repositories.ts";
import { onlyPrograms } from "../box/only_programs.ts";
import { programBox } from "../box/program_box.ts";
import { outlookOf } from "../box/outlook.ts";
import { foldersOf, type ProgramPlan, programPlan, programWords } from "../plan/program_plan.ts";
import { programFiles } from "../box/program_view.ts";
import { notShown } from "../box/view_warnings.ts";
import { lookAround, seesNoPath, type Sight } from "../plan/sight.ts";
import { type BoxNetwork, boxNetwork, namesHosts, networkWarnings } from "../network/box_network.ts";
import { networkVariables, withoutProxies } from "../network/network_variables.ts";
import { type Bounds, resourceBounds, withLargestFile } from "./resource_bounds.ts";
import type { Finding } from "../protected/scan_folder.ts";
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

/** Makes the launcher of a run. Needs `read`, `write` of what programs may write, and `run` for trials of bounds. */
export function makeLauncher(options: LauncherOptions): Launcher {
  const { grants, home, limits, searchPath, disk = realDisk } = options;
  const files = programFiles(grants, home);
  const guard = createGuard(files, "launch");
  const own = trustedPrograms(searchPath, grants);
  const known = new RememberedFolders(options.sight?.memory ?? null, {
    doubtsMerged: grants.isCopy ?? false,
  });
  const scan = makeTreeScan({ odd: makeOddReader(own.path), known });
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
    const { bwrap, noBox } = await boxOf(options.box);
    await Promise.all([boundsOf(bwrap), lookAround(options.sight, { isBoxed: noBox === null })]);
  };
  return {
    // The program hears of a failure.
    warm: () => void warm().catch(() => {}),
    async prepare(spec, { terminal, stays = false, before = [], tellsLeft = null, reads }) {
      checkWords(spec.argv);
      const walls = await wallsOf(options.box);
      const { bwrap, noBox } = walls;
      const isBoxed = noBox === null;
      const { atHome = false } = options.sight ?? {};
      const isHome = atHome && spec.cwd === undefined &&
        refusePath("read", grants.workspace, files) !== null;
      const home = isBoxed ? null : grants.workspace;
      const cwd = isHome ? home : await programFolder(spec, guard, grants.workspace);
      const planned = async () => {
        const seen = await lookAround(options.sight, { isBoxed });
        const isReading = walls.profile?.name === "landlock" && (await reads?.() ?? false);
        const how = { terminal, stays, before, tellsLeft, reads: isReading };
        const plan = programPlan(spec, { options, files, cwd, how, walls, disk, seen });
        checkStart(plan.program, grants, {
          noBox,
          realOrNull: (name) => fileBehind(name, isBoxed ? searchPath : own.path),
        });
        return plan;
      };
      // The trial of the bounds waits for programs: meanwhile, the toolchains are looked through.
      const both = [boundsOf(bwrap), planned()] as const;
      // Also after a refusal, nothing goes on.
      await Promise.allSettled(both);
      const [bounds, granted] = await Promise.all(both);
      const { plan, at, looked } = await lookFor(granted, { options, scan, isBoxed });
      known.keep();
      const replaced = isBoxed ? await plainSettings(looked.findings, plan.files) : [];
      const ready = { options, bounds, scan, at, looked, replaced };
      return noBox === null ? enclosed(plan, { ...ready, disk }) : unboxed(plan, { ...ready, noBox });
    },
  };
}

/** Looks at all that a program would see: also at the repositories that belong to the trees among it. */
async function lookFor(
  granted: ProgramPlan,
  { options, scan, isBoxed }: { options: LauncherOptions; scan: TreeScan; isBoxed: boolean },
): Promise<{ plan: ProgramPlan; at: LookedAt; looked: Looked }> {
  const look = async (plan: ProgramPlan) => {
    const { view: { roots }, files } = plan;
    // Without a box, nothing hides what has a secret's name.
    const enters = ({ path }: Finding) => !isBoxed || covers(files.secrets, path);
    const skip = new Set(files.denyRead === true ? [] : files.denyRead);
    const at = { roots, files, gitVariables: options.gitVariables ?? {} };
    return { plan, at, looked: await lookAt(at, scan, { enters, ...(isBoxed && { skip }) }) };
  };
  const first = await look(granted);
  if (!isBoxed) return first;
  const { linked, foreign } = outerRepositories(first.looked.findings, granted);
  if (linked.length === 0) return { ...first, plan: { ...granted, foreign } };
  const sighted = showRepositories(linked, granted);
  // Landlock keeps nothing of a folder that may be written from being changed: what others share stays as it is.
  const { writable } = granted.walls.profile?.name === "landlock" ? granted.view : sighted.view;
  return await look({ ...granted, ...sighted, view: { ...sighted.view, writable }, foreign });
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

function enclosed(plan: ProgramPlan, ready: Ready & { disk: DiskView }): Launch {
  const { spec, how: { terminal, stays }, cwd, view, path, seen, walls: { profile } } = plan;
  const { options, bounds, looked: { findings, executed }, disk, replaced } = ready;
  const files = withExecuted(plan.files, executed);
  const { grants, env } = options;
  const helpers = [bounds.words[0], bounds.setpriv].map((file) => file && realOrNull(file));
  const places = [path, ...profile?.system.bins ?? []].join(":");
  const hide = [...deniedPrograms(grants, places), ...seen.hidden].filter((file) => !helpers.includes(file));
  const found = [...findings, ...seen.toolchains.findings];
  const masks = masksOf(found, view, { files, cwd, hide, stays, replaced, network: grants.shareNet });
  const environment: Made["environment"] = (network) =>
    programEnvironment({
      ...{ path, terminal, own: spec.env ?? {} },
      ...privatePlaces(view, plan.walls),
      sandbox: {
        ...networkVariables(grants, network),
        ...seen.toolchains.env,
        ...profile?.variables,
      },
      allowed: withoutProxies(env, grants),
    });
  const shell = shellBeside(hide);
  const { only: names } = options.sight ?? {};
  const needed = [plan.program.path, bounds.words[0], bounds.setpriv, shell]
    .filter((file) => typeof file === "string");
  const only = names && onlyPrograms({ names, files: needed, shown: grants.sandboxShow, path: places }, disk);
  const made = { masks: only ? { ...masks, only } : masks, environment, shell };
  return {
    ...(profile === null ? inBox(plan, ready, made) : underProfile(plan, ready, made)),
    cwd,
    boxed: true,
    outlook: outlookOf({ ...plan, files }, masks, options),
    writes: foldersOf(view, files),
    warnings: [
      ...notShown(view, findings),
      ...profile?.warnings(masks) ?? [],
      ...profileWarnings(profile, grants),
      ...networkWarnings(grants),
    ],
    // Landlock keeps nothing as it is in a folder that may be written.
    ...inspection(plan, ready, profile?.name === "landlock" ? { ...masks, frozen: [], pinned: [] } : masks),
  };
}

/** What is the same for all walls. */
interface Made {
  masks: Masks;
  environment(network?: { network: BoxNetwork; port?: number | undefined }): Record<string, string>;
  shell: string | null;
}

/** How a launch starts, which differs with the walls. */
type Start = Pick<Launch, "argv" | "env" | "startIn"> & Required<Pick<Launch, "box">>;

function inBox(
  plan: ProgramPlan,
  { options, bounds, looked: { executed }, disk }: Ready & { disk: DiskView },
  { masks, environment, shell }: Made,
): Start {
  const { cwd, how: { terminal, tellsLeft }, view, seen, walls } = plan;
  const { grants, limits } = options;
  const folders = foldersOf(view, withExecuted(plan.files, executed));
  return {
    ...programBox({
      ...{ bwrap: walls.bwrap!, cwd, terminal, view, masks, disk },
      words: programWords(plan),
      network: boxNetwork(grants),
      tmpMb: limits.tmp_mb,
      env: environment(),
      hasGitSettings: seen.gitSettings !== "",
      first: { bounds: withLargestFile(bounds, limits, folders), shell, setpriv: bounds.setpriv, tellsLeft },
    }),
    startIn: "/",
    box: startOf(plan, grants),
  };
}

/** Its folder and its variables are those of the process itself. The way to the gate is known when it starts. */
function underProfile(
  plan: ProgramPlan,
  { options: { grants, limits }, bounds, looked: { executed } }: Ready,
  { masks, environment }: Made,
): Start {
  const { cwd, how: { reads }, view, seen, spec, walls: { profile } } = plan;
  const { name, scratch, enclose, holdsPorts } = profile!;
  const granted = boxNetwork(grants);
  const kind = granted === "gate" && !holdsPorts ? "none" : granted;
  const files = withExecuted(plan.files, executed);
  // Seatbelt bounds nothing.
  const bounded = name === "landlock" ? withLargestFile(bounds, limits, foldersOf(view, files)) : [];
  const words = [...bounded, ...programWords(plan)];
  const startAt = (port?: number) => {
    const network = kind === "machine" ? kind : port === undefined ? "none" : { port };
    const env = environment({ network: kind === "gate" && port === undefined ? "none" : kind, port });
    return enclose({ words, env, view, files, masks, network, reads });
  };
  const who = kind === "gate" ? { who: spec.argv[0]! } : {};
  return {
    ...startAt(),
    startIn: cwd,
    box: {
      ...who,
      ...(name === "landlock" && { wall: name }),
      scratch,
      text: seen.gitSettings,
      lead: startAt,
    },
  };
}

/** Hosts are granted, and only this machine's walls keep programs from them. */
function profileWarnings(profile: ProfileWall | null, grants: Grants): string[] {
  if (profile === null || profile.holdsPorts || boxNetwork(grants) !== "gate") return [];
  return ["Programs reach no host here: Landlock of this kernel cannot bound them to the granted ones"];
}

/**
 * What may write nothing needs no server of its own, and must not reach one that comes later. What sees no path of the user
 * finds only its own.
 */
function startOf({ spec, seen }: ProgramPlan, grants: Grants): BoxStart {
  const local = grants.policy === "coder" || grants.shareNet || seesNoPath(grants);
  return { text: seen.gitSettings, local, ...(boxNetwork(grants) === "gate" && { who: spec.argv[0]! }) };
}

function unboxed(plan: ProgramPlan, ready: Ready & { noBox: string }): Launch {
  const { spec, how: { terminal }, cwd, files, view, path, program } = plan;
  const { options, bounds, noBox } = ready;
  const surroundings = { path, home: options.home || "/", tmp: "/tmp", terminal };
  return {
    argv: [...withLargestFile(bounds, options.limits, foldersOf(view, files)), ...programWords(plan)],
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

function inspection(plan: ProgramPlan, ready: Ready, masks?: Masks): Pick<Launch, "inspect" | "after"> {
  const { view: { writable } } = plan;
  const { options: { asideFolder }, scan, at, looked, looked: { executed } } = ready;
  const baseline = baselineOf(looked, masks, writable);
  const after = { ...at, files: withExecuted(plan.files, executed), writable, baseline, executed };
  return {
    inspect: makeInspector({ ...after, asideFolder, look: lookAfter(after, scan) }),
    after: writable.length === 0 ? null : after,
  };
}
