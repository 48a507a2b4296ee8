import { resolve } from "@std/path";

import { ToolError } from "../../../../schemas/error.ts";
import type { Manifest } from "../../../../schemas/manifest.ts";
import { configureHost } from "../../../host/configure_host.ts";
import { openHost } from "../../../host/open_host.ts";
import type { ProjectPart } from "../../../sources/source.ts";
import {
  hashOfPart,
  keepTrust,
  listTrust,
  readTrust,
  removeTrust,
} from "../../../state/trust/trust_store.ts";
import { jsonLine } from "../../../text/json_line.ts";
import { plural } from "../../../text/plural.ts";
import { onOneLine, wholeOnOneLine } from "../../../text/strip_controls.ts";
import { foldBlanks } from "../../../text/visible.ts";
import { realOrNull } from "../../../walls/files/file_facts.ts";
import type { Options } from "../../args/options/option_table.ts";
import type { Invocation } from "../../args/parse_argv.ts";
import { awaitInput, type Io, print, printError, userFolder } from "../../io/io.ts";
import { Questioner } from "../../io/keyboard.ts";
import { hostSettings } from "../../setup/open_run.ts";
import { stateOf } from "../../setup/state_of.ts";
import { renderTable } from "../../show/tables/columns.ts";

/** `trust [FOLDER]`: shows what a project adds to runs, and lets the user decide; `list`, `rm FOLDER …`. */
export async function trustCommand({ positionals, options }: Invocation, io: Io): Promise<number> {
  const [first = ".", ...others] = positionals;
  const state = stateOf(io);
  if (first === "list") return await list(state, options, io);
  if (first === "rm") return await remove(others, { state, options, io });
  return await decide(first, { state, options, io });
}

/** What the actions work with. */
interface Asked {
  state: string;
  options: Options;
  io: Io;
}

/** A part as it is shown, and as `--json` prints it. */
interface ShownPart extends Pick<ProjectPart, "name" | "kind" | "adds" | "details"> {
  state: "trusted" | "changed" | "new";
  hash: string;
}

async function decide(named: string, { state, options, io }: Asked): Promise<number> {
  const folder = realOrNull(resolve(userFolder(io), named));
  if (folder === null || !Deno.statSync(folder).isDirectory) {
    throw new ToolError("invalid_input", `Cannot trust ${JSON.stringify(named)}: there is no such folder`);
  }
  const before = (await readTrust(state, folder))?.parts ?? {};
  const parts = await Promise.all((await partsOf(folder, options, io)).map((part) => shown(part, before)));
  const tell = async (trusted: boolean, text: string) => {
    const told = parts.map(({ hash: _, ...part }) => part);
    await print(io, options.json ? jsonLine({ folder, trusted, parts: told }) : text);
    return 0;
  };
  if (!options.json) await print(io, renderParts(folder, parts));
  if (parts.length === 0) return await tell(true, "");
  if (parts.every((part) => part.state === "trusted")) {
    return await tell(true, "You trust all of it as it is.\n");
  }
  if (options.json && !options.yes) return await tell(false, "");
  if (!await consents(options, io)) return await tell(false, "Nothing was changed.\n");
  const since = new Date().toISOString();
  // What was shown is trusted, not what the files say by now.
  const hashes = Object.fromEntries(parts.map(({ name, hash }) => [name, hash]));
  await keepTrust(state, { folder, since, parts: hashes });
  return await tell(true, `Trusted: ${plural(parts.length, "part")} of ${onOneLine(folder)}\n`);
}

/** Finds what a project would add. Its settings are read for it, and nothing of it is imported or started. */
async function partsOf(folder: string, options: Options, io: Io): Promise<ProjectPart[]> {
  const manifest: Manifest = await io.manifest();
  const parts: ProjectPart[] = [];
  const given = hostSettings({ ...options, workspace: folder }, io, {});
  const trust = (part: ProjectPart) => {
    parts.push(part);
    return Promise.resolve(part.kind === "settings");
  };
  const settings = { ...given, tools: { trust } };
  using configured = configureHost(settings, manifest.tools);
  const { project = [] } = configured.sources;
  await using host = openHost(settings, { manifest, configured: { ...configured, sources: { project } } });
  await host.ready({ signal: io.interrupt });
  return parts;
}

async function shown(
  { name, kind, adds, details, content }: ProjectPart,
  before: Readonly<Record<string, string>>,
): Promise<ShownPart> {
  const hash = await hashOfPart(content);
  const known = Object.hasOwn(before, name) ? before[name] : undefined;
  const state = known === undefined ? "new" : known === hash ? "trusted" : "changed";
  return { name, kind, adds, ...details && { details }, state, hash };
}

function renderParts(folder: string, parts: readonly ShownPart[]): string {
  if (parts.length === 0) return `${onOneLine(folder)} adds no tools to runs: there is nothing to trust.\n`;
  const cells = parts.map(({ name, kind, adds, state }) => [
    state,
    onOneLine(name),
    wholeOnOneLine(foldBlanks(adds)) || (kind === "tools" ? "tools, with all that the file imports" : ""),
  ]);
  const details = parts.flatMap(({ details = [] }) => details.map((line) => `${line}\n`));
  return `${onOneLine(folder)} adds to runs:\n` +
    renderTable([["STATE", "FILE", "WHAT IT ADDS"], ...cells]) + details.join("");
}

/** Nobody can say yes without a terminal. */
async function consents({ yes }: Options, io: Io): Promise<boolean> {
  if (yes) return true;
  if (!io.stdinIsTerminal() || io.stderrWidth() === null || io.env("CI")) {
    throw new ToolError(
      "invalid_input",
      "Nothing was changed: look at these files, then pass --yes to trust them without a question",
    );
  }
  const questioner = new Questioner(io.keyboard, (text) => printError(io, text));
  const prompt = "Look at these files. Trust them as they are now? [y]es, [n]o: ";
  const line = await awaitInput(io, questioner.ask({ shown: "", prompt }, io.interrupt));
  return /^\s*y(es)?\s*$/i.test(line ?? "");
}

async function list(state: string, options: Options, io: Io): Promise<number> {
  const records = listTrust(state);
  if (options.json) {
    const folders = records.map(({ folder, since, parts }) => ({ folder, since, parts: Object.keys(parts) }));
    await print(io, jsonLine(folders));
    return 0;
  }
  const cells = records.map(({ folder, since, parts }) => [
    since.slice(0, 16).replace("T", " "),
    onOneLine(folder),
    onOneLine(Object.keys(parts).join(", ")),
  ]);
  await print(
    io,
    cells.length === 0 ? "no trusted folders\n" : renderTable([["SINCE (UTC)", "FOLDER", "FILES"], ...cells]),
  );
  return 0;
}

/** A folder that is gone is named as it was. */
async function remove(named: readonly string[], { state, options, io }: Asked): Promise<number> {
  const known = new Set(listTrust(state).map(({ folder }) => folder));
  const folders = named.map((name) => {
    const path = resolve(userFolder(io), name);
    const folder = [path, realOrNull(path) ?? path].find((one) => known.has(one));
    if (folder !== undefined) return folder;
    throw new ToolError(
      "invalid_input",
      `${JSON.stringify(name)} is not trusted, so there is nothing to remove; see: bulkhead trust list`,
    );
  });
  for (const folder of folders) {
    await removeTrust(state, folder);
    if (!options.json) await print(io, `no longer trusted: ${onOneLine(folder)}\n`);
  }
  if (options.json) await print(io, jsonLine({ removed: folders }));
  return 0;
}
