import { BRIDGE_COMMAND, type Self } from "../../self/find_self.ts";
import { systemFolderBinds } from "../../walls/box/bubblewrap.ts";
import { PROXY } from "../../walls/box/joined_network.ts";
import type { DiskView } from "../../walls/box/disk_view.ts";
import { BRIDGE_READY } from "./run_bridge.ts";

const FOLDER = "/run/gate";
const SYSTEM_FILES = ["/etc/ld.so.cache", "/etc/localtime", "/nix/store"];
const DEVICES = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];

/** Helpers of the system that start bridges. Absolute paths. */
export interface BridgeTools {
  bwrap: string;
  sh: string;
  /** Enters the network of a bridge. */
  nsenter: string;
}

/**
 * Makes the command line of a bridge. Its box has a network of its own with nothing but loopback, which the box of a
 * program joins later; so it must not close its user namespace as other boxes do, and has no `--dev`, which would make a
 * second one. Bubblewrap reports on stdout.
 *
 * @param folder Where the doors of the gate are
 */
export function bridgeCommand(
  folder: string,
  { bwrap, sh, self, disk }: Omit<BridgeTools, "nsenter"> & { self: Self; disk: DiskView },
): string[] {
  const env = Object.entries({
    PATH: "/usr/bin:/bin",
    HOME: "/tmp",
    LANG: "C.UTF-8",
    ...self.env,
    ...self.boxEnv,
  });
  return [
    ...networkBox({ bwrap, sh, disk }),
    ...self.files.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--ro-bind", folder, FOLDER, "--remount-ro", "/", "--chdir", "/"],
    ...env.flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--", ...self.argv.slice(0, -1), BRIDGE_COMMAND, FOLDER, String(PROXY.port)],
  ];
}

/** Makes the command line of a process that only holds a network with nothing but loopback, until its input ends. */
export function closedCommand({ bwrap, sh, disk }: { bwrap: string; sh: string; disk: DiskView }): string[] {
  const holds = `printf '${BRIDGE_READY.trimEnd()}\\n'; while read -r _; do :; done`;
  return [...networkBox({ bwrap, sh, disk }), ...[
    "--remount-ro",
    "/",
    "--chdir",
    "/",
    "--",
    sh,
    "-c",
    holds,
  ]];
}

function networkBox({ bwrap, sh, disk }: { bwrap: string; sh: string; disk: DiskView }): string[] {
  return [
    ...[sh, "-c", 'exec "$@" 3>&1', "bulkhead", bwrap, "--info-fd", "3"],
    ...["--unshare-user", "--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"],
    ...systemFolderBinds(disk),
    ...SYSTEM_FILES.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--proc", "/proc", "--tmpfs", "/tmp"],
    ...DEVICES.flatMap((path) => ["--dev-bind", path, path]),
  ];
}
