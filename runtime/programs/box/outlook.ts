import { dirname } from "@std/path";

import type { FileGrants, Grants } from "../../../schemas/grants.ts";
import { lstat, realOrNull } from "../../walls/files/file_facts.ts";
import type { ClosedPaths } from "../../walls/box/bubblewrap.ts";
import { readFlagWord } from "../../walls/grants/flag_word.ts";
import { covers, refusePath } from "../../walls/grants/path_access.ts";
import { isSecret } from "../../walls/grants/secret_paths.ts";
import { decideName } from "../../walls/net/decide_net.ts";
import { programRules } from "../../walls/net/net_rules.ts";
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
  /**
   * What its box closes to it, but for what is open below that all the same; a `.git` leads to what is `foreign`; where the
   * kernel has laid an overlay (`isLaid`), no folder from below is renamed; root has none of its powers there, and the
   * folders of `others` are another user's.
   */
  closed: ClosedPaths & {
    except?: readonly string[];
    foreign?: readonly ForeignRepository[];
    isLaid?: boolean;
    others?: readonly string[];
  };
  /** The flags that would open what is closed. */
  opens: OpeningFlags;
  /** Says whether a real path is there. */
  shows(path: string): boolean;
  /** Says whether `--sandbox-show` can show a path: it is no secret, and not denied. */
  mayShow(path: string): boolean;
}

/** The flags that would open something to programs. */
export interface OpeningFlags {
  /** Opens a frozen path for writing; none for one that is denied. */
  write(path: string): readonly string[];
  /** Opens a hidden path; none for one that is no secret, or denied. */
  secret(path: string): readonly string[];
  /** Lets programs reach a host, which may have a port; `null` for one that is denied. */
  net(host: string): string | null;
}

/** A copy is a folder of the same disk as its place; what the kernel lays is a disk of its own. */
function isLaid(workspace: string): boolean {
  return lstat(workspace)?.dev !== lstat(dirname(workspace))?.dev;
}

/** The folders that root may write and whose owner another one is, who lets nobody else write. */
function othersOf({ writable }: ProgramView): string[] {
  if (Deno.uid() !== 0) return [];
  return writable.filter((path) => {
    const info = lstat(path);
    return info !== null && info.uid !== 0 && ((info.mode ?? 0) & 0o002) === 0;
  });
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
  const closed = {
    hidden,
    frozen,
    except: [...opened, ...thawed],
    foreign,
    isLaid: files.isCopy === true && isLaid(workspace),
    others: othersOf(view),
  };
  return {
    cwd,
    path,
    hostPath: searchPath,
    home,
    network: boxNetwork(grants),
    closed,
    opens: {
      write: (frozenPath) => refusePath("write", frozenPath, files)?.flags ?? [],
      secret(hiddenPath) {
        const refused = refusePath("read", hiddenPath, files);
        return refused?.reason === "secret" ? refused.flags : [];
      },
      net: (host) => netFlagOf(host, grants),
    },
    shows: view.shows,
    mayShow,
  };
}

const USUAL_PORT = 443;

function netFlagOf(host: string, grants: Grants): string | null {
  const [, name = host, port] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  const decision = decideName(programRules(grants), { host: name, port: Number(port ?? USUAL_PORT) });
  // What is granted is not asked about.
  if (decision.allowed) return "--allow-net";
  return decision.flag === null ? null : readFlagWord(decision.flag).flag;
}
