import { dirname, join, resolve } from "@std/path";

import { ToolError } from "../../../../schemas/error.ts";
import { didYouMean, nearest } from "../../../../schemas/nearest.ts";
import { clientForm, MCP_CLIENTS, type StartedServer } from "../../../mcp/install/clients.ts";
import { addEntry, showEntry } from "../../../mcp/install/entry.ts";
import { ROOM_COMMAND } from "../../../self/find_self.ts";
import { realOrNull } from "../../../walls/files/file_facts.ts";
import { realTarget } from "../../../walls/files/real_target.ts";
import { namedFileError } from "../../../walls/files/system_error.ts";
import { isInside } from "../../../walls/grants/inside.ts";
import { optionsOf } from "../../args/command_table.ts";
import type { OptionName, Options } from "../../args/options/option_table.ts";
import { type Io, print, printError, selfOf, userFolder } from "../../io/io.ts";
import { optionWords } from "../../setup/option_words.ts";

/** `mcp install CLIENT`: prints the entry for a client's configuration, or adds it there. */
export async function installCommand(client: string, options: Options, io: Io): Promise<number> {
  const form = clientForm(client);
  if (form === null) {
    const candidates = nearest(client, MCP_CLIENTS);
    const hint = candidates.length > 0 ? didYouMean(candidates) : `: there are ${MCP_CLIENTS.join(", ")}`;
    throw new ToolError("invalid_input", `Unknown client ${JSON.stringify(client)}${hint}`, {
      details: { candidates },
    });
  }
  if (options.http !== undefined) {
    throw new ToolError(
      "invalid_input",
      "Option --http has no meaning for mcp install: the client starts the program",
    );
  }
  const workspace = resolve(userFolder(io), options.workspace ?? ".");
  const server = startOf({ ...options, workspace }, io);
  const home = io.env("HOME") ?? "";
  if (options.project && form.projectFile === null) {
    throw new ToolError("invalid_input", `${client} has no configuration of projects: leave out --project`);
  }
  const path = options.project
    ? join(workspace, form.projectFile!)
    : form.userFile({ home, os: Deno.build.os, env: io.env });
  if (!options.write) {
    await print(io, showEntry(form, server));
    if (!options.quiet) await printError(io, `bulkhead: for ${path}; --write adds it there\n`);
    return 0;
  }
  if (home === "" && !options.project) {
    throw new ToolError("configuration", "Cannot find your files: set HOME");
  }
  if (options.project) requireInside(workspace, path);
  const isNew = await change(path, (text) => addEntry(text, form, server, path));
  const told = isNew ? `wrote the entry to ${path}` : `the entry stands in ${path} already`;
  if (!options.quiet) await printError(io, `bulkhead: ${told}\n`);
  return 0;
}

/** A clone brings links of strangers: what is written for the project stays in it. */
function requireInside(workspace: string, path: string): void {
  const root = realOrNull(workspace) ?? workspace;
  const real = realTarget(path, { workspace: root, aliases: [] });
  if (real !== null && isInside(root, real)) return;
  const where = real === null ? "in a circle" : `out of the project, to "${real}"`;
  throw new ToolError(
    "permission_denied",
    `Cannot write "${path}": a link leads ${where}; remove the link, or add the entry by hand`,
    { details: { path, workspace: root } },
  );
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
const OWN: readonly OptionName[] = ["write", "project", "http", "quiet", "noColor", "help", "version"];

/** Changes a text file as a whole: readers see the old text or the new one. A link stays one. Returns whether it changed. */
async function change(path: string, edit: (text: string) => string): Promise<boolean> {
  const real = realOrNull(path) ?? path;
  const before = await textOrNull(real, path);
  const after = edit(before ?? "");
  if (after === before) return false;
  const temporary = `${real}.${crypto.randomUUID()}`;
  try {
    await Deno.mkdir(dirname(real), { recursive: true });
    const mode = before === null ? 0o600 : ((await Deno.stat(real)).mode ?? 0o600) & 0o777;
    await Deno.writeTextFile(temporary, after, { createNew: true, mode });
    await Deno.chmod(temporary, mode);
    if (await textOrNull(real, path) !== before) {
      throw new ToolError("conflict", `"${path}" was changed by somebody else meanwhile: try again`);
    }
    await Deno.rename(temporary, real);
    return true;
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error instanceof ToolError ? error : namedFileError(error, "write", path);
  }
}

async function textOrNull(real: string, path: string): Promise<string | null> {
  try {
    return await Deno.readTextFile(real);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw namedFileError(error, "read", path);
  }
}
