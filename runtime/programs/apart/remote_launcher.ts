import { basename, dirname } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import type { Grants } from "../../../schemas/grants.ts";
import { APART_FOLDER, LINK_FAILED, type ProgramSpec } from "../../../schemas/program.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { SYSTEM_PATH, trustedPrograms } from "../../walls/files/trusted_path.ts";
import { checkWords } from "../launch/check_words.ts";
import { programEnvironment } from "../launch/environment.ts";
import type { Launch, Launcher } from "../launch/launch.ts";
import { checkStart } from "../launch/may_start.ts";

/** What a launcher of programs in a remote sandbox works with. */
export interface RemoteOptions {
  grants: Grants;
  /** The words before each text: they give it to a shell elsewhere, as `ssh -T host` does. */
  command: readonly string[];
  /** Folders of the user's programs, as in `PATH`. */
  searchPath: string;
  home: string;
  /** The part of the user's environment that programs see. */
  env: Readonly<Record<string, string>>;
}

/**
 * Makes the launcher of programs that run apart, in a sandbox that the user's own command reaches. That command is the user's
 * and runs without a box, like a hook: it needs keys and a network that no program of a call gets. Needs `read`.
 */
export function makeRemoteLauncher(options: RemoteOptions): Launcher {
  const { grants, command: [name = "", ...words], searchPath, home, env } = options;
  const { find } = trustedPrograms(`${searchPath}:${SYSTEM_PATH}`, grants);
  return {
    // deno-lint-ignore require-await
    async prepare(spec, { stays = false, before = [] }) {
      checkWords(spec.argv);
      if (grants.deny.net === true) throw noNetwork();
      const path = name.startsWith("/")
        ? trustedPrograms(dirname(name), grants).find(basename(name))
        : find(name);
      if (path === null) throw noCommand(name);
      const asked = { asked: name, path, real: realOrNull(path) ?? path, onPath: true };
      checkStart(asked, grants, {
        noBox: null,
        realOrNull: (one) => one.includes("/") ? realOrNull(one) : find(one),
      });
      const surroundings = { path: searchPath, home: home || "/", tmp: "/tmp", terminal: false };
      const launch: Launch = {
        argv: [path, ...words, remoteText({ ...spec, argv: [...before, ...spec.argv] }, { stays })],
        env: programEnvironment({ ...surroundings, allowed: env, own: {} }),
        startIn: "/",
        cwd: APART_FOLDER,
        boxed: false,
        outlook: null,
        writes: [],
        warnings: [],
        inspect: () => Promise.resolve([]),
        after: null,
      };
      return launch;
    },
  };
}

/** Returns the text that a shell elsewhere runs. */
export function remoteText({ argv, env = {} }: ProgramSpec, { stays }: { stays: boolean }): string {
  const set = Object.entries(env).map(([name, value]) => quote(`${name}=${value}`));
  const command = ["env", ...set, ...argv.map(quote)].join(" ");
  const place = `mkdir -p ${APART_FOLDER} 2>/dev/null; cd ${APART_FOLDER} && [ -w . ] || ` +
    `{ echo "the remote sandbox has no folder ${APART_FOLDER} that may be written" >&2; exit 253; }`;
  const run = stays ? staying(command) : `${command}; code=$?`;
  return `${place}; ${run}; [ "$code" -eq ${LINK_FAILED} ] && code=${LINK_FAILED - 1}; exit "$code"`;
}

/** A shell that stays has a group of processes of its own, which ends when the link does: with the input. */
function staying(command: string): string {
  return [
    "pipe=$(mktemp -u /tmp/bulkhead-XXXXXXXX)",
    'mkfifo -m 600 "$pipe" || exit 253',
    `exec 4<&0; setsid ${command} <"$pipe" 4<&- & shell=$!`,
    'exec 3>"$pipe"; rm -f "$pipe"',
    '{ cat <&4 >&3; kill -s KILL -- "-$shell"; } >/dev/null 2>&1 & link=$!',
    'exec 3>&- 4<&-; wait "$shell"; code=$?; kill -s KILL -- "-$shell" "$link" 2>/dev/null',
  ].join("\n");
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function noCommand(name: string): ToolError {
  return new ToolError(
    "unavailable",
    `The remote sandbox cannot be reached: sandbox.remote names "${name}", which is not there or which calls could write: ` +
      "install it, or name it by an absolute path",
  );
}

function noNetwork(): ToolError {
  return new ToolError(
    "permission_denied",
    "The remote sandbox is reached over the network, which is denied by --deny-net, the policy or the configuration",
    {
      details: { kind: "net", target: "the remote sandbox", reason: "denied", flag: "--deny-net", flags: [] },
    },
  );
}
