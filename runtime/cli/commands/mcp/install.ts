import { join, resolve } from "@std/path";

import { exitCodeOf, ToolError } from "../../../../schemas/error.ts";
import { didYouMean, nearest } from "../../../../schemas/nearest.ts";
import {
  type ClientForm,
  clientForm,
  MCP_CLIENTS,
  type StartedServer,
} from "../../../mcp/install/clients.ts";
import { addEntry, removeServer, showEntry } from "../../../mcp/install/entry.ts";
import { ROOM_COMMAND } from "../../../self/find_self.ts";
import { realOrNull } from "../../../walls/files/file_facts.ts";
import { optionsOf } from "../../args/command_table.ts";
import type { OptionName, Options } from "../../args/options/option_table.ts";
import { type Io, print, printError, selfOf, userFolder } from "../../io/io.ts";
import { optionWords } from "../../setup/option_words.ts";
import { changeFile, requireInside } from "./change_file.ts";

/** `mcp install CLIENT`: prints the entry for a client's configuration, or adds it there. */
export async function installCommand(client: string, options: Options, io: Io): Promise<number> {
  const form = formOf(client);
  if (options.http !== undefined) {
    throw new ToolError(
      "invalid_input",
      "Option --http has no meaning for mcp install: the client starts the program",
    );
  }
  const workspace = resolve(userFolder(io), options.workspace ?? ".");
  // A client that starts servers in the folder of its project names that folder so.
  const isAnywhere = options.workspace === undefined && form.startsInProject === true;
  const server = startOf(isAnywhere ? options : { ...options, workspace }, io);
  const path = fileOf(form, { client, workspace, options, io });
  const where = isAnywhere
    ? `these tools work in the folder in which ${client} is started`
    : `these tools work in ${workspace} alone; for another project, ${
      form.projectFile === null ? "write its folder there" : "install them there with --project"
    }`;
  const tell = async (text: string) => {
    if (!options.quiet) await printError(io, `bulkhead: ${text}\n`);
  };
  if (!options.write) {
    await print(io, showEntry(form, server));
    await tell(`for ${path}; --write adds it there`);
    await tell(where);
    return 0;
  }
  if (options.project) requireInside(workspace, path);
  const isNew = await changeFile(path, (text) => addEntry(text, form, server, path));
  await tell(isNew ? `wrote the entry to ${path}` : `the entry stands in ${path} already`);
  await tell(where);
  return 0;
}

/** `mcp uninstall CLIENT`: takes the entry out of a client's configuration. */
export async function uninstallCommand(client: string, options: Options, io: Io): Promise<number> {
  const form = formOf(client);
  const workspace = resolve(userFolder(io), options.workspace ?? ".");
  const path = fileOf(form, { client, workspace, options, io });
  if (options.project) requireInside(workspace, path);
  const isGone = realOrNull(path) !== null &&
    await changeFile(path, (text) => removeServer(text, form, path) ?? text);
  const told = isGone
    ? `took the entry out of ${path}`
    : `${path} has no entry of bulkhead${
      options.project || form.projectFile === null ? "" : "; --project looks in that of the project"
    }`;
  if (!options.quiet) await printError(io, `bulkhead: ${told}\n`);
  return isGone ? 0 : exitCodeOf("not_found");
}

function formOf(client: string): ClientForm {
  const form = clientForm(client);
  if (form !== null) return form;
  const candidates = nearest(client, MCP_CLIENTS);
  const hint = candidates.length > 0 ? didYouMean(candidates) : `: there are ${MCP_CLIENTS.join(", ")}`;
  throw new ToolError("invalid_input", `Unknown client ${JSON.stringify(client)}${hint}`, {
    details: { candidates },
  });
}

/** The configuration of the user, or that of the project. */
function fileOf(
  form: ClientForm,
  { client, workspace, options, io }: { client: string; workspace: string; options: Options; io: Io },
): string {
  const home = io.env("HOME") ?? "";
  if (options.project) {
    if (form.projectFile !== null) return join(workspace, form.projectFile);
    throw new ToolError("invalid_input", `${client} has no configuration of projects: leave out --project`);
  }
  if (home === "" && options.write) {
    throw new ToolError("configuration", "Cannot find your files: set HOME");
  }
  return form.userFile({ home, os: Deno.build.os, env: io.env });
}

/** The words with which a client starts this program, wherever it stands. */
function startOf(options: Options, io: Io): StartedServer {
  const { argv: [command = "", ...self] } = selfOf(io);
  const words = self.filter((word) => word !== ROOM_COMMAND);
  const names = optionsOf("mcp").filter((name) => !OWN.includes(name));
  // Paths hold wherever the client stands.
  const given = optionWords(options, names, (path) => resolve(userFolder(io), path));
  return { command, args: [...words, "mcp", "serve", ...given] };
}

/** What says how the entry is made, and not how the server runs. */
const OWN: readonly OptionName[] = [
  "write",
  "project",
  "http",
  "json",
  "quiet",
  "noColor",
  "help",
  "version",
];
