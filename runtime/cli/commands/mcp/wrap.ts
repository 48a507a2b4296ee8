import { basename, resolve } from "@std/path";

import { exitCodeOf, ToolError } from "../../../../schemas/error.ts";
import { giveUp } from "../../../host/give_up.ts";
import { openHost } from "../../../host/open_host.ts";
import { acceptChanges, pinnedChanges } from "../../../mcp/wrap/accept.ts";
import { MissedFiles } from "../../../mcp/wrap/missed_files.ts";
import { openPins, type PinStore } from "../../../mcp/wrap/pin_store.ts";
import { ServerPins } from "../../../mcp/wrap/server_pins.ts";
import { wrapServer } from "../../../mcp/wrap/wrap_server.ts";
import { ownProgram } from "../../../programs/narrow/own_program.ts";
import type { ProgramNeeds } from "../../../programs/narrow/program_needs.ts";
import { stateFolder } from "../../../state/state_folder.ts";
import { onOneLine } from "../../../text/strip_controls.ts";
import type { Options } from "../../args/options/option_table.ts";
import { type Io, print, printError, userFolder } from "../../io/io.ts";
import { hostSettings } from "../../setup/open_run.ts";

/** Most bytes of a server's stderr that are passed on. */
const MOST_STDERR = 10 * 1024 * 1024;
/** The server ended, and nobody had asked for it. */
const SERVER_ENDED = 5;
/** Exit codes from here on tell of signals. */
const SIGNALS = 128;

/** `mcp wrap [NAME] -- COMMAND …`: a server of other people within walls, for a client that starts this program instead. */
export async function wrapCommand(words: readonly string[], options: Options, io: Io): Promise<number> {
  const { name, command } = await readWords(words, "wrap");
  const settings = hostSettings(options, io, { runsCalls: true, stdinTaken: true });
  const pins = new ServerPins(pinsOf(name, io, settings.warn));
  await using host = openHost(settings, { manifest: await io.manifest() });
  const needs = needsOf(options, userFolder(io));
  const own = ownProgram(command, { env: settings.env, home: host.home, cwd: userFolder(io) });
  const missed = new MissedFiles({ own, needs, cwd: userFolder(io) });
  await giveUp({
    host,
    process: io.process,
    called: [{ needs: { run: "granted", net: hostsOf(needs) }, leaves_files: true }, ...SERVED],
    keepsFiles: true,
  });
  let left = MOST_STDERR;
  let told: Promise<void> = Promise.resolve();
  const warn = (message: string) => {
    if (!options.quiet) told = told.then(() => printError(io, `bulkhead: ${onOneLine(message)}\n`));
  };
  const { isAsked, exitCode, answered } = await wrapServer({
    ...{ host, server: { name, own, needs, missed }, pins, signal: io.interrupt, warn },
    client: { input: io.stdin(), write: (bytes) => io.stdout(bytes) },
    async onStderr(bytes) {
      left -= bytes.length;
      if (left > 0 && !options.quiet) await io.stderr(bytes).catch(() => {});
    },
  });
  // The process may end at once.
  await told;
  // One that was ended by a signal may have been about to start.
  if (isAsked && answered.requests === 0 && exitCode > 0 && exitCode < SIGNALS) {
    await printError(io, `bulkhead: ${name} did not start: it ended with code ${exitCode}\n`);
    return exitCodeOf("unavailable");
  }
  if (isAsked) return 0;
  await printError(io, `bulkhead: ${name} ended by itself, with code ${exitCode}\n`);
  return SERVER_ENDED;
}

/** `mcp accept NAME [CODE]`: shows what of a wrapped server has changed, and accepts just that. */
export async function acceptCommand([name = "", code]: readonly string[], io: Io): Promise<number> {
  const store = pinsOf(name, io, () => {});
  if (code !== undefined) {
    await acceptChanges(store, name, code);
    return 0;
  }
  const changes = await pinnedChanges(store, name);
  if (changes === null) {
    await print(io, `${name} is as it was accepted\n`);
    return 0;
  }
  await print(
    io,
    [...changes.lines, "", `bulkhead mcp accept ${name} ${changes.code}  accepts this`, ""].join("\n"),
  );
  return 0;
}

/** Another gate takes over if the first one ends: a server has more than one call. */
const SERVED = [{ needs: { run: "granted" as const }, leaves_files: false }];

function hostsOf({ net = [] }: ProgramNeeds) {
  return net === true ? "granted" as const : net;
}

function pinsOf(name: string, io: Io, warn: (message: string) => void): PinStore {
  return openPins(name, { state: stateFolder(io.env("XDG_STATE_HOME"), io.env("HOME") ?? ""), warn });
}

/** What the flags name is all that the server gets; the policy alone gives it nothing. */
function needsOf(options: Options, cwd: string): ProgramNeeds {
  const { allowAll, allowRead, allowWrite, allowNet, allowPrivateNet, allowEnv = [] } = options;
  const paths = (value: Options["allowRead"]) =>
    allowAll || value === true ? true : (value ?? []).map((path) => resolve(cwd, path));
  const isPrivate = allowPrivateNet === undefined || allowPrivateNet === true ? [] : allowPrivateNet;
  return {
    read: paths(allowRead),
    write: paths(allowWrite),
    net: allowAll || allowNet === true ? true : [...allowNet ?? [], ...isPrivate],
    env: allowEnv,
  };
}

/** A server without a name is known by its command: with other words it is another one. */
export async function readWords(
  words: readonly string[],
  action: "wrap" | "audit",
): Promise<{ name: string; command: readonly string[] }> {
  const at = words.indexOf("--");
  const command = words.slice(at + 1);
  if (at < 0 || at > 1 || command.length === 0) {
    throw new ToolError(
      "invalid_input",
      `Write: bulkhead mcp ${action} [NAME] [options] -- COMMAND [ARGUMENTS]`,
    );
  }
  if (at === 1) return { name: words[0]!, command };
  const spoken = command.find((word, index) => index > 0 && !word.startsWith("-")) ?? command[0]!;
  const short = basename(spoken).replace(/(.)@.*$/, "$1").replace(/\.\w+$/, "").replace(
    /[^A-Za-z0-9_-]+/g,
    "-",
  ).slice(0, 40);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(command)));
  const mark = Array.from(
    new Uint8Array(digest).subarray(0, 3),
    (byte) => byte.toString(16).padStart(2, "0"),
  );
  return { name: `${short.replace(/^[^A-Za-z0-9]+/, "") || "server"}-${mark.join("")}`, command };
}
