import { basename, resolve } from "@std/path";

import { exitCodeOf, ToolError } from "../../../../schemas/error.ts";
import type { Connection } from "../../../../schemas/net.ts";
import { giveUp } from "../../../host/give_up.ts";
import { openHost } from "../../../host/open_host.ts";
import { namedVariables } from "../../../mcp/watch/named_variables.ts";
import { readCalls, type TouchedFiles, traceWords } from "../../../mcp/watch/read_trace.ts";
import { type EntryGrants, smallestEntry } from "../../../mcp/watch/smallest_entry.ts";
import { ServerPins } from "../../../mcp/wrap/server_pins.ts";
import { wrapServer } from "../../../mcp/wrap/wrap_server.ts";
import { ownProgram } from "../../../programs/narrow/own_program.ts";
import { findProgram } from "../../../walls/files/find_program.ts";
import { plural } from "../../../text/plural.ts";
import { boxOf } from "../../../programs/box/box_of.ts";
import { readNamedText } from "../../../walls/files/open_plain.ts";
import { type BoxChoice, usedBubblewrap } from "../../../walls/box/choose_box.ts";
import { SYSTEM_FOLDERS } from "../../../walls/box/bubblewrap.ts";
import type { Options } from "../../args/options/option_table.ts";
import { type Io, print, printError, userFolder } from "../../io/io.ts";
import { hostSettings } from "../../setup/open_run.ts";
import { visit } from "./visit.ts";
import { readWords } from "./wrap.ts";

/** What every program has, or a sandbox has of its own. */
const USUAL =
  /^(?:PATH|HOME|PWD|OLDPWD|SHLVL|_|USER|LOGNAME|SHELL|TERM|LANG|LC_\w+|TZ|TMPDIR|HOSTNAME|DISPLAY|XDG_\w+|LD_\w+|.*_proxy|.*_PROXY)$/;
const SYSTEM_PATH = "/usr/bin:/bin";

/**
 * `mcp audit [NAME] -- COMMAND …`: a server of other people in a sandbox that shows everything, under watch; prints the
 * smallest entry that would have done.
 */
export async function watchCommand(words: readonly string[], options: Options, io: Io): Promise<number> {
  const { name, command } = await readWords(words, "audit");
  const settings = hostSettings({ ...options, allowAll: true }, io, { runsCalls: true, stdinTaken: true });
  await using host = openHost(settings, { manifest: await io.manifest() });
  if (await usedBubblewrap(host.box) === null) {
    throw new ToolError("unavailable", `Cannot watch a server without ${await lackingBox(host.box)}`);
  }
  const cwd = userFolder(io);
  const own = ownProgram(command, { env: settings.env, home: host.home, cwd });
  const { shown } = await host.toolchains();
  const names = Object.keys(settings.env).filter((name) => !USUAL.test(name));
  await giveUp({ host, process: io.process, called: [WIDE_OPEN, WIDE_OPEN], keepsFiles: true });
  const strace = findProgram("strace", SYSTEM_PATH);
  const folder = await Deno.makeTempDir({ prefix: "bulkhead-audit-" });
  const connections: Connection[] = [];
  try {
    const isAlone = io.stdinIsTerminal();
    const { exitCode, answered } = await wrapServer({
      ...{ host, signal: io.interrupt, warn: settings.warn },
      server: { name, own, needs: { read: true, write: true, net: true, env: names } },
      pins: new ServerPins({ read: () => null, write: () => {} }),
      watch: {
        tracer: strace === null ? [] : traceWords(strace, folder),
        onConnections: (made) => void connections.push(...made),
      },
      client: isAlone ? visit() : { input: io.stdin(), write: (bytes) => io.stdout(bytes) },
      onStderr: async (bytes) => {
        if (!options.quiet) await io.stderr(bytes).catch(() => {});
      },
    });
    const texts = Array.from(
      Deno.readDirSync(folder),
      (entry) => readNamedText(`${folder}/${entry.name}`),
    );
    const files = texts.length === 0 ? null : readCalls(texts, basename(own.argv[0]!));
    const packages = [...own.show, ...own.packages];
    const code = (files?.read ?? []).filter((path) => packages.some((part) => path.startsWith(part)));
    const named = namedVariables(code, names);
    const given = givenPaths([...own.argv, ...named.map((name) => settings.env[name] ?? "")], cwd);
    const { grants, notes } = smallestEntry({ files, connections, given, named }, {
      shown: [...packages, ...shown, ...SYSTEM_FOLDERS],
      ...{ home: host.home, workspace: host.grants.workspace },
    });
    const said = [
      ...files === null ? ["its files are not known: install strace, and try again"] : [],
      ...exitCode === 0 ? [] : [`it ended with code ${exitCode}`],
      ...notes,
    ];
    const seen = answered.requests === 0
      ? null
      : seenOf(answered.calls, { isAlone, files, reached: connections.length });
    return await report(shownEntry(name, command, grants), { name, seen, said, isAlone, io });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

interface AuditReport {
  name: string;
  /** On what the entry rests; `null` if the server did not start. */
  seen: string | null;
  /** What more is to be known. */
  said: readonly string[];
  isAlone: boolean;
  io: Io;
}

async function report(entry: string, { name, seen, said, isAlone, io }: AuditReport): Promise<number> {
  const tell = async (notes: readonly string[]) => {
    for (const note of notes) await printError(io, `bulkhead: ${name}: ${note}\n`);
  };
  if (seen === null) {
    await tell([...said, "it did not start: nothing of it was seen, so there is no entry"]);
    return exitCodeOf("unavailable");
  }
  await tell([seen]);
  // Stdout is the client's, if there is one.
  await (isAlone ? print(io, entry) : printError(io, entry));
  await tell(said);
  return 0;
}

/** Says on what the entry rests. */
function seenOf(
  calls: number,
  { isAlone, files, reached }: { isAlone: boolean; files: TouchedFiles | null; reached: number },
): string {
  const touched = files === null ? [] : [
    `${plural(files.read.length, "file")} read`,
    `${files.written.length} written`,
  ];
  const seen = [plural(calls, "call"), ...touched, plural(reached, "connection")].join(", ");
  if (calls > 0) return `seen: its start, ${seen}`;
  return `seen: its start alone, no call${touched.length === 0 ? "" : ` (${touched.join(", ")})`}; ${
    isAlone
      ? "put this command into your client and use it, and the entry is printed at the end"
      : "use its tools, and the entry names what they need"
  }`;
}

/** What may be a path in words of a command: `notes`, `--root=/home/you/notes`. */
function givenPaths(words: readonly string[], cwd: string): string[] {
  return words.flatMap((word) => [word, word.slice(word.indexOf("=") + 1)])
    .filter((word) => word !== "").map((word) => resolve(cwd, word));
}

const WIDE_OPEN = { needs: { run: "granted" as const, net: "granted" as const }, leaves_files: true };

function shownEntry(name: string, [command = "", ...args]: readonly string[], grants: EntryGrants): string {
  const named = Object.fromEntries(Object.entries(grants).filter(([, list]) => list.length > 0));
  return `${JSON.stringify({ mcpServers: { [name]: { command, args, bulkhead: named } } }, null, 2)}\n`;
}

async function lackingBox(box: BoxChoice): Promise<string> {
  const { noBox, advice } = await boxOf(box);
  return noBox === null
    ? "bubblewrap: the walls of this machine do not tell which files a server opens"
    : `a sandbox: ${noBox}; ${advice}`;
}
