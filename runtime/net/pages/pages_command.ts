import { PAGES_COMMAND, type Self } from "../../self/find_self.ts";
import { isolation, KERNEL_FOLDERS, systemFolderBinds } from "../../walls/box/bubblewrap.ts";
import type { DiskView } from "../../walls/box/disk_view.ts";

/** Where the folder stands in the box. */
const FOLDER = "/pages";
const SYSTEM_FILES = ["/etc/ld.so.cache", "/etc/localtime", "/nix/store"];

/**
 * Makes the command line of a server of pages. Its box holds the folder, to read, and what bulkhead itself needs to start: a
 * link in the folder leads nowhere else. It has the network of this machine, on which it listens.
 *
 * @param folder Absolute, real path
 */
export function pagesCommand(
  folder: string,
  { bwrap, self, disk }: { bwrap: string; self: Self; disk: DiskView },
): string[] {
  const env = Object.entries({
    PATH: "/usr/bin:/bin",
    HOME: "/tmp",
    LANG: "C.UTF-8",
    ...self.env,
    ...self.boxEnv,
  });
  return [
    bwrap,
    ...isolation({ network: true, terminal: false }),
    ...systemFolderBinds(disk),
    ...SYSTEM_FILES.flatMap((path) => ["--ro-bind-try", path, path]),
    ...KERNEL_FOLDERS,
    ...["--tmpfs", "/tmp"],
    ...self.files.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--ro-bind", folder, FOLDER, "--remount-ro", "/", "--chdir", "/"],
    ...env.flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--", ...self.argv.slice(0, -1), PAGES_COMMAND, FOLDER],
  ];
}
