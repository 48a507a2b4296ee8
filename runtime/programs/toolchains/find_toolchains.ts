import { dirname, isAbsolute, join } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import type { FileGrants } from "../../../schemas/grants.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { SYSTEM_FOLDERS } from "../../walls/box/bubblewrap.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { covers } from "../../walls/grants/path_access.ts";
import type { Finding } from "../protected/scan_folder.ts";
import { makeTreeScan } from "../protected/tree_scan.ts";
import { expand, matchPart } from "./match_part.ts";
import { RememberedFolders } from "../protected/remembered_folders.ts";
import { type Toolchain, TOOLCHAIN_VARIABLES, TOOLCHAINS, VENV_PYTHONS } from "./toolchain_table.ts";
import type { Toolchains } from "./toolchains.ts";
import { keptFolders, whyUnsafe } from "./why_unsafe.ts";

/** Where toolchains are looked for. */
export interface ToolchainPlaces {
  /** What programs may touch without them. */
  files: FileGrants;
  /** The home as the user spells it. */
  home: string;
  /** Folders of the user's programs, as in `PATH`. */
  searchPath: string;
  /** The user's variables. */
  env: Readonly<Record<string, string>>;
  /** Programs have a network, so that toolchains may install something. */
  network: boolean;
  /** File that remembers what was found in the folders. @default nothing is remembered */
  memory?: string | null;
}

/** A toolchain's folder, as the user has it, and where it really is. */
interface Root {
  toolchain: Toolchain;
  spelled: string;
  real: string;
}

/**
 * How many levels of each part are looked through for secrets before the first program. Deeper are the files of
 * packages, by the hundred thousand: looking at all of them would take seconds.
 */
const DEPTH = 4;
/** More secrets than this in one folder are hidden with the folder. */
const MAX_SECRETS = 3;

/**
 * Finds the toolchains of the home that have a folder in `PATH`, or the Python of the workspace's virtual
 * environment, and looks for secrets in them. Needs `read`, `sys` for the user's number, and `write` to remember.
 */
export async function findToolchains(places: ToolchainPlaces): Promise<Toolchains> {
  const { files, searchPath } = places;
  const roots = rootsOf(places);
  const seen = new Seen(files);
  const folders = [...new Set(searchPath.split(":"))].filter(isAbsolute);
  for (const folder of [...folders, ...venvFolders(files.workspace)]) {
    const real = realOrNull(folder);
    const isSystem = real === null || SYSTEM_FOLDERS.some((own) => isInside(own, real));
    if (!isSystem) seen.look({ folder, real }, roots);
  }
  const { hidden, findings, closed } = await look(seen, places.memory ?? null);
  return {
    shown: seen.shown.filter((path) => !closed.includes(path)),
    path: seen.path,
    links: seen.roots.filter(({ spelled, real }) => spelled !== real)
      .map(({ spelled, real }) => ({ at: spelled, to: real })),
    findings,
    hidden,
    env: variablesOf(seen, places),
    found: seen.found.filter(({ folder }) => folders.includes(folder)),
    refused: [
      ...seen.refused,
      ...closed.map((folder) => ({ folder, why: "it cannot be looked through for secrets" })),
    ],
  };
}

/** What the folders of `PATH` have brought so far. */
class Seen {
  readonly roots: Root[] = [];
  readonly shown: string[] = [];
  readonly path: string[] = [];
  readonly found: { name: string; folder: string }[] = [];
  readonly refused: { folder: string; why: string }[] = [];
  readonly #files: FileGrants & { kept: readonly string[] };

  constructor(files: FileGrants) {
    this.#files = { ...files, kept: keptFolders(files) };
  }

  /** Takes what a folder of `PATH` needs of the first toolchain that it belongs to. */
  look({ folder, real }: { folder: string; real: string }, roots: readonly Root[]): void {
    for (const root of roots) {
      const needed = matchPart(root.toolchain, root.real, real) ??
        matchPart(root.toolchain, root.spelled, folder);
      if (needed === null) continue;
      const why = whyUnsafe(real, root, this.#files);
      if (why !== null) {
        this.refused.push({ folder, why });
        return;
      }
      this.#show(root, needed);
      this.path.push(real);
      this.found.push({ name: root.toolchain.name, folder });
      this.#start(root.toolchain, roots);
      return;
    }
  }

  #start({ starts = [] }: Toolchain, roots: readonly Root[]): void {
    for (const root of roots.filter(({ toolchain: { name } }) => starts.includes(name))) {
      const { started = [] } = root.toolchain;
      this.#show(root, started.flatMap((path) => expand(root.real, path)));
    }
  }

  #show(root: Root, needed: readonly string[]): void {
    const read = this.#files.read;
    for (const path of needed) {
      const real = realOrNull(path);
      if (real === null || this.shown.includes(real)) continue;
      const why = whyUnsafe(real, root, this.#files);
      if (why !== null) this.refused.push({ folder: path, why });
      else if (!covers(read, real)) this.shown.push(real);
    }
    if (!this.roots.includes(root)) this.roots.push(root);
  }
}

function rootsOf({ home, env }: ToolchainPlaces): Root[] {
  return TOOLCHAINS.flatMap((toolchain) => {
    const named = toolchain.variable === undefined ? "" : (env[toolchain.variable] ?? "").split(":")[0]!;
    const usual = home === "" ? [] : toolchain.roots.map((path) => path.replace("~", home));
    const spelled = [...new Set([named, ...usual])].filter(isAbsolute);
    return spelled.flatMap((path) => {
      const real = realOrNull(path);
      return real === null || real === "/" ? [] : [{ toolchain, spelled: path.replace(/\/+$/, ""), real }];
    });
  });
}

/** The folders of the real interpreters of virtual environments. */
function venvFolders(workspace: string): string[] {
  return VENV_PYTHONS.flatMap((path) => {
    const real = realOrNull(join(workspace, path));
    return real === null || isInside(workspace, real) ? [] : [dirname(real)];
  });
}

function variablesOf(
  { roots, shown }: Seen,
  { env, network, files }: ToolchainPlaces,
): Record<string, string> {
  const own = roots.flatMap(({ toolchain: { variable, passed }, real }) =>
    variable === undefined || passed === undefined || (passed === "closed" && network)
      ? []
      : [[variable, real] as const]
  );
  const named = TOOLCHAIN_VARIABLES.flatMap((name) => {
    const real = isAbsolute(env[name] ?? "") ? realOrNull(env[name]!) : null;
    return real !== null && (covers(shown, real) || covers(files.read, real))
      ? [[name, env[name]!] as const]
      : [];
  });
  // Of two folders of one toolchain, the first one counts.
  return Object.fromEntries([...own.reverse(), ...named]);
}

/** Looks for secrets in what is to be shown. Many in one folder are hidden with it: each one slows every start. */
async function look({ shown, roots }: Seen, memory: string | null) {
  const skip = new Set(
    roots.flatMap(({ toolchain: { hides = [] }, real }) => hides.flatMap((path) => expand(real, path))),
  );
  const known = memory === null ? undefined : new RememberedFolders(memory);
  const scan = makeTreeScan(known && { known });
  const findings: Finding[] = [];
  const closed: string[] = [];
  for (const path of shown) {
    try {
      findings.push(...await scan([{ path, depth: DEPTH }], { skip }));
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      closed.push(path);
    }
  }
  known?.keep();
  const secrets = findings.filter(({ kind }) => ["secret", "socket", "fifo", "closed"].includes(kind));
  const counts = Map.groupBy(secrets, ({ path }) => dirname(path));
  const crowded = [...counts].filter(([folder, inIt]) => inIt.length > MAX_SECRETS && !shown.includes(folder))
    .map(([folder]) => folder);
  const hidden = [...skip, ...crowded].filter((path) => covers(shown, path) && realOrNull(path) === path);
  return { hidden, closed, findings: secrets.filter(({ path }) => !covers(hidden, path)) };
}
