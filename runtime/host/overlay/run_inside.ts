import { join } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { OVERLAY_COMMAND, ROOM_COMMAND, type Self } from "../../self/find_self.ts";
import { findMountWay, type MountWay, mountWords, ownNumbers } from "../../state/overlay/mounted_overlay.ts";
import { type Overlay, overlaysFolder } from "../../state/overlay/overlay_store.ts";
import { type Alias, aliasesOf } from "../../walls/box/mount_aliases.ts";
import { probeBox } from "../../walls/box/probe_box.ts";
import { trustedPrograms } from "../../walls/files/trusted_path.ts";

/** How the program starts itself in an overlay. */
export interface InsideRun {
  overlay: Overlay;
  /** Where bulkhead keeps what outlives a run. */
  state: string;
  /** The words of the command line. */
  words: readonly string[];
  self: Self;
  /** The user's folder. */
  cwd: string;
  /** Aborts with the name of a signal that is to be passed on. */
  interrupt: AbortSignal;
  /** A terminal gives its signals to all processes in front by itself. */
  hasTerminal: boolean;
}

/** For a shell: signals that are meant for the program inside must not end what is around it. */
const PASS_SIGNALS = 'trap "" INT TERM; exec "$@"';

/** What an overlay needs of this machine. */
export interface OverlayBox {
  /** Absolute path of bubblewrap. */
  bwrap: string;
  /** Other places where the workspace is mounted. */
  aliases: readonly Alias[];
  /** Tries in an empty folder whether the kernel lays an overlay over the workspace. */
  findWay(folder: string): Promise<MountWay | { cause: string }>;
}

/**
 * Finds what an overlay needs of this machine. Needs `read` and `run`.
 *
 * @throws {ToolError} `configuration` if bubblewrap does not work here
 */
export async function findOverlayBox(
  env: Readonly<Record<string, string>>,
  workspace: string,
): Promise<OverlayBox> {
  const own = trustedPrograms(`/usr/bin:/bin:${env.PATH ?? ""}`, { workspace, allow: { write: [] } });
  const state = await probeBox(own.find("bwrap"));
  if (!state.works) {
    throw new ToolError(
      "configuration",
      `--overlay needs a sandbox, and there is none: ${state.reason}; ${state.advice}; ` +
        "or work in a copy of the folder",
    );
  }
  const table = await readProc("/proc/self/mountinfo");
  if (table !== null) {
    return {
      bwrap: state.bwrap,
      aliases: aliasesOf(workspace, table),
      findWay: (folder) => findMountWay({ workspace, folder, table }, own),
    };
  }
  throw new ToolError(
    "configuration",
    "--overlay needs /proc, to find all places where the workspace is mounted",
  );
}

/**
 * Runs the program itself where the copy, or the overlay of the kernel, stands in the place of the workspace, for this
 * process and all that it starts. Needs `run`.
 *
 * @returns Its exit code
 */
export async function runInside(run: InsideRun, box: OverlayBox): Promise<number> {
  const { self, words, interrupt, hasTerminal, overlay: { mounted, workspace, folder } } = run;
  const laid = mounted ? mountWords(mounted, { workspace, folder, at: workspace }) : [];
  const child = new Deno.Command("/bin/sh", {
    args: [
      ...["-c", PASS_SIGNALS, "sh", ...laid, box.bwrap],
      ...namespaceWords(run, box),
      ...["--", ...self.argv.filter((word) => word !== ROOM_COMMAND), OVERLAY_COMMAND, ...words],
    ],
    cwd: "/",
    env: self.env.DENO_DIR === undefined ? {} : { DENO_DIR: self.env.DENO_DIR },
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  const passOn = async () => {
    const inner = await innerOf(child.pid);
    if (inner !== null && !(hasTerminal && interrupt.reason === "SIGINT")) Deno.kill(inner, interrupt.reason);
  };
  if (interrupt.aborted) void passOn();
  interrupt.addEventListener("abort", passOn);
  const { code } = await child.status;
  interrupt.removeEventListener("abort", passOn);
  return code;
}

/**
 * All is as outside but for the workspace, wherever it is mounted. The namespace of users keeps even root from taking the
 * mounts away and from looking into processes outside; root needs one capability to make a box in it.
 */
function namespaceWords({ overlay, state, cwd }: InsideRun, { aliases }: OverlayBox): string[] {
  const { workspace, tree, mounted } = overlay;
  // Where the kernel has laid it, the workspace is the overlay already.
  const places = [...mounted ? [] : [{ path: workspace, part: "" }], ...aliases];
  const from = mounted ? workspace : tree;
  return [
    ...[
      "--unshare-user",
      ...mounted ? ownNumbers(mounted) : [],
      "--cap-drop",
      "ALL",
      ...Deno.uid() === 0 ? ["--cap-add", "CAP_SETFCAP"] : [],
    ],
    ...["--dev-bind", "/", "/"],
    ...places.flatMap(({ path, part }) => ["--bind", join(from, part), path]),
    // What is known of overlays is out of reach of what works in one.
    ...["--tmpfs", overlaysFolder(state)],
    ...["--chdir", cwd, "--die-with-parent"],
  ];
}

/** The program itself: the only child of bubblewrap, which has taken the place of the shell. */
async function innerOf(pid: number): Promise<number | null> {
  const children = await readProc(`/proc/${pid}/task/${pid}/children`);
  const [child] = children?.trim().split(" ") ?? [];
  return child ? Number(child) : null;
}

/** Deno itself opens such a file only for a program that may do everything. */
async function readProc(path: string): Promise<string | null> {
  const { success, stdout } = await new Deno.Command("/bin/cat", {
    args: [path],
    clearEnv: true,
    stdin: "null",
    stderr: "null",
  }).output();
  return success ? new TextDecoder().decode(stdout) : null;
}
