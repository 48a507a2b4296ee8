import { join, resolve } from "@std/path";

import { exitCodeOf, ToolError } from "../../../../schemas/error.ts";
import { configPlaces } from "../../../host/config/find_config.ts";
import { openHost } from "../../../host/open_host.ts";
import { hasServer, removeServer, setServer } from "../../../mcp/install/entry.ts";
import type { ListedServer } from "../../../sources/source.ts";
import { jsonLine } from "../../../text/json_line.ts";
import { plural } from "../../../text/plural.ts";
import { quoteWord } from "../../../text/shell_quote.ts";
import { onOneLine } from "../../../text/strip_controls.ts";
import { realOrNull } from "../../../walls/files/file_facts.ts";
import type { GrantValue, Options } from "../../args/options/option_table.ts";
import { type Io, print, printError, userFolder } from "../../io/io.ts";
import { hostSettings } from "../../setup/open_run.ts";
import { renderTable } from "../../show/tables/columns.ts";
import { changeFile, requireInside } from "./change_file.ts";

/** Where servers stand in a configuration of this program, and in the file of a project. */
const FORM = { format: "json", key: "mcpServers" } as const;
const PROJECT_FILE = ".mcp.json";

/** `mcp list`: the servers of the configuration, of the project and of `--mcp`, and how each stands. */
export async function listCommand(options: Options, io: Io): Promise<number> {
  const settings = hostSettings(options, io, { runsCalls: true });
  let listed: readonly ListedServer[] = [];
  const only = { list: (servers: readonly ListedServer[]) => void (listed = servers) };
  const sources = { ...settings.tools?.sources, only };
  await using host = openHost({ ...settings, tools: { ...settings.tools, sources } }, {
    manifest: await io.manifest(),
  });
  await host.ready({ signal: io.interrupt });
  if (options.json) {
    await print(io, jsonLine(listed));
    return 0;
  }
  if (listed.length === 0) {
    await print(io, "No servers are named. Add one: bulkhead mcp add NAME -- COMMAND [ARG ...]\n");
    return 0;
  }
  const rows = listed.map(({ name, file, start, state, tools, why }) => [
    ...[onOneLine(name), tools === null ? state : `${state}, ${plural(tools, "tool")}`],
    ...[why === null ? start : remedyOf(state, name) ?? onOneLine(why), onOneLine(file)],
  ]);
  const fit = { width: io.stdoutWidth(), narrow: [[2, 20], [3, 20]] as const };
  await print(io, renderTable([["SERVER", "STATE", "COMMAND, ADDRESS OR REASON", "NAMED BY"], ...rows], fit));
  return 0;
}

function remedyOf(state: ListedServer["state"], name: string): string | null {
  return state === "needs login" ? `bulkhead mcp login ${quoteWord(name)}` : null;
}

/** `mcp add NAME -- COMMAND …` or `mcp add NAME URL`: writes the entry of a server, with what it may touch. */
export async function addCommand(words: readonly string[], options: Options, io: Io): Promise<number> {
  const { name, start } = readStart(words);
  const path = fileOf(options, io);
  const grants = grantsOf(options, userFolder(io));
  const entry = { ...start, ...Object.keys(grants).length > 0 && { bulkhead: grants } };
  await changeFile(path, (text) => {
    if (!hasServer(text, FORM, path, name)) return setServer(text, FORM, { name, entry }, path);
    throw new ToolError(
      "conflict",
      `"${path}" names a server ${JSON.stringify(name)} already: take it out first with bulkhead mcp remove ${
        quoteWord(name)
      }${options.project ? " --project" : ""}`,
    );
  });
  if (options.quiet) return 0;
  const say = (text: string) => printError(io, `bulkhead: ${text}\n`);
  await say(`wrote the server ${JSON.stringify(name)} to ${path}`);
  if (options.project) await say("it counts once you trust it: bulkhead trust");
  if ("command" in start && Object.keys(grants).length === 0) {
    const command = [start.command, ...start.args].map(quoteWord).join(" ");
    await say(
      "it sees its own package and no other file, and no network; --allow-read, --allow-write, --allow-net and " +
        `--allow-env give it more. What it needs: bulkhead mcp audit ${quoteWord(name)} -- ${command}`,
    );
  }
  return 0;
}

/** `mcp remove NAME`: takes the entry of a server out. */
export async function removeCommand(
  [name = ""]: readonly string[],
  options: Options,
  io: Io,
): Promise<number> {
  const path = fileOf(options, io);
  const isGone = realOrNull(path) !== null &&
    await changeFile(path, (text) => removeServer(text, FORM, path, name) ?? text);
  const where = options.project ? "" : `; --project looks in ${PROJECT_FILE} of the workspace`;
  const told = isGone
    ? `took the server ${JSON.stringify(name)} out of ${path}`
    : `${path} names no server ${JSON.stringify(name)}${where}; bulkhead mcp list shows which there are`;
  if (!options.quiet || !isGone) await printError(io, `bulkhead: ${told}\n`);
  return isGone ? 0 : exitCodeOf("not_found");
}

type Start = { command: string; args: readonly string[] } | { type: "http"; url: string };

function readStart(words: readonly string[]): { name: string; start: Start } {
  const [name = "", next, ...rest] = words;
  const [command, ...args] = rest;
  if (name !== "" && name !== "--" && next === "--" && command !== undefined) {
    return { name, start: { command, args } };
  }
  if (next !== undefined && rest.length === 0 && /^https?:\/\//.test(next)) {
    return { name, start: { type: "http", url: next } };
  }
  throw new ToolError(
    "invalid_input",
    "Write: bulkhead mcp add NAME [options] -- COMMAND [ARG ...], or bulkhead mcp add NAME URL",
  );
}

/** What the flags name, as the entry of a server has it; paths hold wherever the run stands. */
function grantsOf(options: Options, cwd: string): Record<string, true | readonly string[]> {
  const { allowRead, allowWrite, allowNet, allowPrivateNet, allowEnv } = options;
  const paths = (value: GrantValue | undefined) =>
    value === undefined || value === true ? value : value.map((path) => resolve(cwd, path));
  const isPrivate = Array.isArray(allowPrivateNet) ? allowPrivateNet : [];
  const net = allowNet === true ? true : [...allowNet ?? [], ...isPrivate];
  const all: [string, GrantValue | undefined][] = [
    ["read", paths(allowRead)],
    ["write", paths(allowWrite)],
    ["net", net],
    ["env", allowEnv],
  ];
  return Object.fromEntries(
    all.flatMap(([kind, value = []]) => value === true || value.length > 0 ? [[kind, value]] : []),
  );
}

/** The user's own configuration, or the file of the project. */
function fileOf(options: Options, io: Io): string {
  const cwd = userFolder(io);
  const workspace = resolve(cwd, options.workspace ?? ".");
  if (options.project) {
    const path = join(workspace, PROJECT_FILE);
    requireInside(workspace, path);
    return path;
  }
  const users = configPlaces({ file: options.config, cwd, workspace: null, env: io.env }).filter((
    { whose },
  ) => whose === "user");
  const place = users.find(({ path }) => realOrNull(path) !== null) ?? users[0];
  if (place === undefined) throw new ToolError("configuration", "Cannot find your files: set HOME");
  return place.path;
}
