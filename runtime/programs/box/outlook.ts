import type { FileGrants, Grants } from "../../../schemas/grants.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import type { ClosedPaths } from "../../walls/box/bubblewrap.ts";
import { covers, refusePath } from "../../walls/grants/path_access.ts";
import { isSecret } from "../../walls/grants/secret_paths.ts";
import { type BoxNetwork, boxNetwork } from "../network/box_network.ts";
import type { Masks } from "./box_masks.ts";
import type { ForeignRepository } from "../git/linked_repository.ts";
import type { ProgramView } from "./program_view.ts";

/** Where a program in a sandbox looks for other programs, and what it finds. */
export interface Outlook {
  /** Its folder. */
  cwd: string;
  /** Its `PATH`. */
  path: string;
  /** The user's `PATH`. */
  hostPath: string;
  /** The user's home, `""` if it is unknown. */
  home: string;
  network: BoxNetwork;
  /** It reaches what is named for it alone, and never the network of the machine. @default false */
  isNarrow?: boolean;
  /** What its box closes to it, but for what is open below that all the same; a `.git` leads to what is `foreign`. */
  closed: ClosedPaths & { except?: readonly string[]; foreign?: readonly ForeignRepository[] };
  /** The flags that open a frozen path for writing; none for one that is denied. */
  thaws(path: string): readonly string[];
  /** Says whether a real path is there. */
  shows(path: string): boolean;
  /** Says whether `--sandbox-show` can show a path: it is no secret, and not denied. */
  mayShow(path: string): boolean;
}

/** Returns the outlook of a program. */
export function outlookOf(
  { cwd, path, view, files, foreign = [] }: {
    cwd: string;
    path: string;
    view: ProgramView;
    files: FileGrants;
    foreign?: readonly ForeignRepository[];
  },
  { hidden, frozen, opened = [], thawed = [] }: ClosedPaths & Partial<Pick<Masks, "opened" | "thawed">>,
  { grants, searchPath }: { grants: Grants; searchPath: string },
): Outlook {
  const { workspace, home, denyRead } = files;
  const mayShow = (spelled: string) => {
    const real = realOrNull(spelled);
    return real !== null && !isSecret(real, workspace) && !covers(denyRead, real);
  };
  const closed = { hidden, frozen, except: [...opened, ...thawed], foreign };
  return {
    cwd,
    path,
    hostPath: searchPath,
    home,
    network: boxNetwork(grants),
    closed,
    thaws: (frozenPath) => refusePath("write", frozenPath, files)?.flags ?? [],
    shows: view.shows,
    mayShow,
  };
}
