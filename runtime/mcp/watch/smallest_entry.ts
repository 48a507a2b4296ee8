import { dirname } from "@std/path";

import type { Connection } from "../../../schemas/net.ts";
import { hostAndPort } from "../../walls/net/read_host.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { isSecret } from "../../walls/grants/secret_paths.ts";
import type { TouchedFiles } from "./read_trace.ts";

/** What an entry of a configuration permits under `"bulkhead"`. */
export interface EntryGrants {
  read: readonly string[];
  write: readonly string[];
  net: readonly string[];
  env: readonly string[];
}

/** What a watched server did. */
export interface Watched {
  /** `null` if its files could not be watched. */
  files: TouchedFiles | null;
  connections: readonly Connection[];
  /** Absolute paths that the user gave it, in words of its command or in variables: it must find those that it looked at. */
  given: readonly string[];
  /** Variables of the user that its own files name. */
  named: readonly string[];
}

/** What a server sees anyway, and where the user's own things are. */
export interface SeenAnyway {
  /** Real paths: the server's package, caches, toolchains, folders of the system. */
  shown: readonly string[];
  /** The folder that the server worked in. */
  workspace: string;
  /** Real path of the home, `""` if it is unknown. */
  home: string;
}

/** A sandbox has its own of these, or shows what is needed of them. */
const OF_BOX = ["/proc", "/sys", "/dev", "/run", "/tmp", "/etc", "/newroot", "/oldroot", "/var/tmp"];
/** Folders that hold more than one thing: of what lies in them, each is named. */
const WIDE = ["/", "/home", "/opt", "/srv", "/mnt", "/media", "/data", "/var", "/usr/local"];
/** In a home: an empty one does as well. */
const OF_HOME = [".cache", ".npm", ".local/state"];
const MOST_IN_FOLDER = 3;

/** Returns the smallest permissions that would have done, and what more is to be known, as sentences. */
export function smallestEntry(
  { files, connections, given, named }: Watched,
  seen: SeenAnyway,
): { grants: EntryGrants; notes: readonly string[] } {
  const { written = [], looked = [], direct = [] } = files ?? {};
  const read = [...files?.read ?? [], ...given.filter((path) => looked.includes(path))];
  const ofBox = (path: string) =>
    OF_BOX.some((folder) => isInside(folder, path)) && !isInside(seen.workspace, path);
  const isOwn = (path: string) =>
    ofBox(path) ||
    seen.shown.some((folder) => isInside(folder, path)) || ofHome(path, seen.home);
  const own = (paths: readonly string[]) => paths.filter((path) => !isOwn(path));
  const secrets = own([...read, ...written]).filter((path) => isSecret(path, "/"));
  const open = (paths: readonly string[]) => own(paths).filter((path) => !secrets.includes(path));
  const write = folded(open(written), seen.home);
  const granted = folded(
    open(read).filter((path) => !write.some((folder) => isInside(folder, path))),
    seen.home,
  );
  const reached = connections.filter(({ decision }) => decision !== "refused");
  const refused = connections.filter(({ decision }) => decision === "refused");
  const words = (list: readonly Connection[]) =>
    [...new Set(list.map(({ host, port }) => wordOf(host, port)))].sort();
  return {
    grants: { read: granted, write, net: words(reached), env: [...named].sort() },
    notes: [
      ...[...new Set(secrets)].map((path) =>
        `it opened ${path}, which holds secrets: --allow-secrets names what it may`
      ),
      ...words(refused).map((word) =>
        `it tried to reach ${word}, and was refused: --allow-private-net names what it may`
      ),
      ...direct.filter((address) => !/^(?:127\.|\[::1\])/.test(address)).map((address) =>
        `it tried to reach ${address} past the proxy, which no permission lets through`
      ),
    ],
  };
}

function ofHome(path: string, home: string): boolean {
  return home !== "" && (path === home || OF_HOME.some((name) => isInside(`${home}/${name}`, path)));
}

/** Many files of one folder are that folder, unless it holds much more. */
function folded(paths: readonly string[], home: string): string[] {
  const isWide = (folder: string) => WIDE.includes(folder) || home !== "" && isInside(folder, home);
  const byFolder = Map.groupBy(paths, dirname);
  const named = [...byFolder].flatMap(([folder, inIt]) =>
    inIt.length > MOST_IN_FOLDER && !isWide(folder) ? [folder] : inIt
  );
  const all = [...new Set(named)].filter((path) => !WIDE.includes(path));
  return all.filter((path) => !all.some((other) => other !== path && isInside(other, path))).sort();
}

function wordOf(host: string, port: number): string {
  return hostAndPort(host.replace(/^\[|\]$/g, ""), port);
}
