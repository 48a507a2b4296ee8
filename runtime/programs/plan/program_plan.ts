import type { FileGrants, Grants } from "../../../schemas/grants.ts";
import type { ProgramSpec } from "../../../schemas/program.ts";
import type { DiskView } from "../../walls/box/disk_view.ts";
import { trustedPath } from "../../walls/files/trusted_path.ts";
import { covers } from "../../walls/grants/path_access.ts";
import type { ForeignRepository } from "../git/linked_repository.ts";
import { findCommand, type FoundProgram } from "./find_command.ts";
import type { Seen, Sight } from "./sight.ts";
import { privatePlaces, type ProgramWalls } from "../box/box_of.ts";
import type { LeftTelling } from "../box/first_process.ts";
import { boxPath, type ProgramView, viewOf } from "../box/program_view.ts";

/** All decisions about one program before its command line is made. */
export interface ProgramPlan {
  spec: ProgramSpec;
  /**
   * It has a terminal; it runs beside others; words that start it behind its walls; its end tells what it left; it is known to
   * read only.
   */
  how: {
    terminal: boolean;
    stays: boolean;
    before: readonly string[];
    tellsLeft: LeftTelling;
    reads: boolean;
  };
  cwd: string;
  files: FileGrants;
  view: ProgramView;
  program: FoundProgram;
  /** `PATH` of the program. */
  path: string;
  walls: ProgramWalls;
  seen: Seen;
  /** Repositories to which a `.git` leads, and that it does not see. @default none */
  foreign?: readonly ForeignRepository[];
}

/** Decides about one program. Throws as {@linkcode findCommand} does. */
export function programPlan(
  spec: ProgramSpec,
  given: {
    options: { grants: Grants; home: string; searchPath: string; sight?: Sight };
    files: FileGrants;
    /** `null` for the private home of a box. */
    cwd: string | null;
    how: ProgramPlan["how"];
    walls: ProgramWalls;
    disk: DiskView;
    seen: Seen;
  },
): ProgramPlan {
  const { options, files, how, walls, disk, seen } = given;
  const { profile, noBox } = walls;
  const { grants, searchPath } = options;
  const folders = grants.sandboxShow;
  const at = given.cwd ?? grants.workspace;
  // A profile puts nothing in another place.
  const atHome = profile === null && (options.sight?.atHome ?? false);
  const system = profile === null ? {} : { system: profile.system.folders };
  const view = viewOf(files, { cwd: at, folders, looked: seen.toolchains, atHome, disk, ...system });
  const cwd = given.cwd ?? privatePlaces(view, walls).home;
  const ownPath = trustedPath(searchPath, grants);
  const path = noBox !== null ? ownPath : boxPath(view, {
    ...{ hostPath: searchPath, folders, kept: seen.toolchains.path },
    systemFirst: options.sight?.only !== undefined,
  });
  const shows = noBox !== null ? () => true : view.shows;
  const program = findCommand(spec.argv[0]!, {
    cwd,
    searchPath: path,
    hostPath: noBox !== null ? ownPath : searchPath,
    shows,
    home: options.home,
  });
  return { spec, how, cwd, files, view, program, path, walls, seen };
}

/** Returns the words that start the program behind its walls, and the program itself. */
export function programWords({ program, spec, how }: ProgramPlan): string[] {
  return [...how.before, program.path, ...spec.argv.slice(1)];
}

/** Returns the folders that are written. If everything is granted, the disk of the workspace stands for all disks. */
export function foldersOf({ everything, writable }: ProgramView, { workspace }: FileGrants): string[] {
  return everything ? [workspace].filter((path) => covers(writable, path)) : [...writable];
}
