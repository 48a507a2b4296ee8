import { join, relative } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { CatalogEntry } from "../../calls/catalog/catalog.ts";
import { denoCache } from "../../self/find_self.ts";
import { stateFolder } from "../../state/state_folder.ts";
import { enclosesRooms } from "../../walls/box/choose_box.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import type { MakeSource, SourceHost, ToolPath } from "../source.ts";
import { findToolFiles, type ToolFile } from "./find_tool_files.ts";
import { buildModule, describeModule } from "./module_jobs.ts";
import { hashOf, type KeptModule, type KeptModules, keptModules } from "./kept_modules.ts";
import { readDescription } from "./read_description.ts";
import { namingNeeds } from "./refused_need.ts";

/** Longest time of all files of one path, in milliseconds. */
const LOAD_MS = 60_000;
/** Files that are looked at beside each other: each takes two processes. */
const AT_ONCE = 4;
/** Most tools of one file. */
const MAX_TOOLS = 200;

/**
 * Makes a source of a file, or of a folder with files, that define tools of one's own. The files run in processes of
 * their own alone, never here.
 */
export function ownSource({ path, isRequired, project }: ToolPath): MakeSource {
  return (host) => ({
    name: path,
    isRequired,
    loadMs: LOAD_MS,
    async load() {
      const files = findToolFiles(path, { home: host.machine.home, within: project?.folder });
      if (Deno.build.standalone && !await enclosesRooms(host.box)) host.warn(openToScripts(path));
      const entries: CatalogEntry[] = [];
      for (let at = 0; at < files.length; at += AT_ONCE) {
        const some = files.slice(at, at + AT_ONCE).map((file) =>
          loadOrWarn(file, { host, isRequired, project })
        );
        entries.push(...(await Promise.all(some)).flat());
      }
      return entries;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}

/** A file that the configuration names does not take its neighbours down. */
async function loadOrWarn(
  file: ToolFile,
  { host, isRequired, project }: Omit<ToolPath, "path"> & { host: SourceHost },
): Promise<CatalogEntry[]> {
  try {
    return await loadFile(file, { ...host, project });
  } catch (error) {
    if (isRequired || !(error instanceof ToolError)) throw error;
    host.warn(error.message, { leftOut: true });
    return [];
  }
}

async function loadFile(
  file: ToolFile,
  { rooms, roomCarrier, env, project, machine }: SourceHost & Pick<ToolPath, "project">,
): Promise<CatalogEntry[]> {
  const kept = keptModules(stateFolder(env.XDG_STATE_HOME, env.HOME ?? ""));
  const isTrusted = (code: string) => mayRun(code, file, project);
  try {
    const known = await kept.find(file);
    const module = known === null
      ? await makeModule(file, { rooms, kept, cache: packageCache(env), isTrusted })
      : await isTrusted(known.code) && known;
    if (!module) return [];
    const { code, described } = module;
    const tools = readTools(described);
    const room = roomCarrier({ code, hash: await hashOf(new TextEncoder().encode(code)) });
    const carrier = namingNeeds(room, file.path, machine.grants);
    return tools.map((tool) => ({ tool, carrier }));
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { code, message, details } = error;
    throw new ToolError(code, `Cannot use the tools of "${file.path}": ${message}`, {
      details,
      cause: error,
    });
  }
}

/** Nothing of a project runs, not even to tell what it is, before its user trusts all that it is made of. */
async function mayRun(code: string, { path }: ToolFile, project: ToolPath["project"]): Promise<boolean> {
  if (!project) return true;
  const { folder, judge } = project;
  return await judge({ folder, name: relative(folder, path), kind: "tools", content: code, adds: "" });
}

/** What a file is made with. */
interface Making {
  rooms: SourceHost["rooms"];
  kept: KeptModules;
  /** Folder of packages. */
  cache: string | null;
  /** Says whether the module may run. */
  isTrusted(code: string): Promise<boolean>;
}

/** What is wrong with its tools is told again the next time, so it may be kept too. `null` for what may not run. */
async function makeModule(
  file: ToolFile,
  { rooms, kept, cache, isTrusted }: Making,
): Promise<Pick<KeptModule, "code" | "described"> | null> {
  const built = await buildModule(rooms, file, cache);
  if (!await isTrusted(built.code)) return null;
  const described = await describeModule(rooms, built.code);
  await kept.keep(file, { ...built, described });
  return { code: built.code, described };
}

/** All problems of a file are told at once. */
function readTools(said: unknown): ManifestEntry[] {
  if (!Array.isArray(said) || said.length === 0) {
    throw new ToolError("invalid_input", "it exports no tool: write export default defineTool({ … })");
  }
  if (said.length > MAX_TOOLS) {
    throw new ToolError(
      "limit_exceeded",
      `it has ${said.length} tools: at most ${MAX_TOOLS} are taken of one file`,
    );
  }
  const read = said.map((one) => readDescription(one));
  const problems = read.flatMap((one) => "problems" in one ? one.problems : []);
  if (problems.length > 0) {
    throw new ToolError("invalid_input", problems.map(onOneLine).join("; "), { details: { problems } });
  }
  return read.flatMap((one) => "tool" in one ? [one.tool] : []);
}

/** Where Deno keeps the packages of npm's registry that it has fetched; `null` if there is no such folder. */
function packageCache(env: SourceHost["env"]): string | null {
  return realOrNull(join(denoCache((name) => env[name]), "npm/registry.npmjs.org"));
}

/** The compiled Deno imports files, as texts too, whatever a room may read; only the sandbox hides them. */
function openToScripts(path: string): string {
  return `without a sandbox, the tools of "${path}" can read all your files; see bulkhead doctor`;
}
