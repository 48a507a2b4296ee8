import { ToolError } from "../../../schemas/error.ts";
import type { CatalogEntry } from "../../calls/catalog/catalog.ts";
import { toToolError } from "../../calls/failed_result.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import type { ProjectSources } from "../project/project_sources.ts";
import { refuseDuplicates } from "./duplicates.ts";
import { OpenGrowth } from "./open_growth.ts";
import type { MakeSource, SourceHost, SourceSettings, SourceState, ToolSource } from "../source.ts";

/** Longest time that a source may take unless it says otherwise, in milliseconds. */
const LOAD_MS = 30_000;

/** The tools of all sources of a run. */
export interface OpenSources extends AsyncDisposable {
  /** Those of the beginning. */
  entries: readonly CatalogEntry[];
  /** Why tools are left out, a sentence each. */
  leftOut: readonly string[];
  /** How each source is doing now. */
  states(): readonly SourceState[];
  /** What is added later. */
  growth: OpenGrowth;
}

/**
 * Loads all sources at once, each within its time. One that fails is a warning, and the others go on.
 *
 * @param options `known` are the tools that there are already
 * @throws {ToolError} `configuration` if two tools have one name, `cancelled` at the signal, and the failure of a source
 * that the user named for this run
 */
export async function openSources(
  settings: SourceSettings,
  given: SourceHost,
  { known, signal }: { known: readonly CatalogEntry[]; signal?: AbortSignal | undefined },
): Promise<OpenSources> {
  await using stack = new AsyncDisposableStack();
  const leftOut: string[] = [];
  const host: SourceHost = {
    ...given,
    warn(message, about) {
      if (about?.leftOut) leftOut.push(message);
      given.warn(about?.leftOut ? `${message}; the other tools go on without it` : message);
    },
  };
  const project = await projectOf(settings, host);
  const sources = await makeSources({
    ...settings,
    files: [...settings.files ?? [], ...project.files],
    mcp: [...settings.mcp ?? [], ...project.mcp],
  }, host);
  for (const source of sources) stack.use(source);
  const loaded = await Promise.all(sources.map((source) => loadSource(source, signal)));
  signal?.throwIfAborted();
  const untrusted = project.leftOut();
  if (untrusted !== null) host.warn(untrusted);
  for (const { source, problem } of loaded) {
    if (problem === null) continue;
    if (source.isRequired) throw problem;
    host.warn(`${source.name}: ${onOneLine(problem.message)}`, { leftOut: true });
  }
  refuseDuplicates([
    { name: "the built-in tools", entries: known },
    ...loaded.map(({ source, entries }) => ({ name: source.name, entries })),
  ]);
  const opened = stack.move();
  const growth = new OpenGrowth(loaded.flatMap(({ source, problem }) => problem === null ? [source] : []));
  return {
    entries: loaded.flatMap(({ entries }) => entries),
    leftOut,
    growth,
    states: () =>
      loaded.map(({ source, entries, problem }) => ({
        name: source.name,
        tools: entries.length + growth.countOf(source),
        problem: problem?.message ?? null,
        keepsFiles: source.keepsFiles ?? false,
      })),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

const NO_PROJECT: ProjectSources = { files: [], mcp: [], leftOut: () => null };

/** Few projects add tools. */
async function projectOf({ project = [] }: SourceSettings, host: SourceHost): Promise<ProjectSources> {
  if (project.length === 0) return NO_PROJECT;
  const { projectSources } = await import("../project/project_sources.ts");
  return await projectSources(project, host);
}

/** What a kind of source is made of is imported with the first source of its kind. */
async function makeSources(
  { files = [], scripts = [], made = [], mcp = [], mcpContextLimit: contextLimit, only }: SourceSettings,
  host: SourceHost,
): Promise<ToolSource[]> {
  if (only !== undefined && "list" in only) {
    const { listServers } = await import("../mcp/list_servers.ts");
    return [listServers(mcp, only.list)(host)];
  }
  if (only !== undefined) {
    const { oneServer } = await import("../mcp/one_server.ts");
    return [oneServer(mcp, only)(host)];
  }
  const makers: MakeSource[] = [...made];
  if (files.length > 0) {
    const { ownSource } = await import("../own/own_source.ts");
    makers.push(...files.map(ownSource));
  }
  if (mcp.length > 0) {
    const { mcpSource } = await import("../mcp/mcp_source.ts");
    makers.push(mcpSource({ places: mcp, contextLimit }));
  }
  if (scripts.length > 0) {
    const { scriptSource } = await import("../script/script_source.ts");
    makers.push(scriptSource(scripts));
  }
  return makers.map((make) => make(host));
}

/** What became of a source. */
interface Loaded {
  source: ToolSource;
  entries: readonly CatalogEntry[];
  problem: ToolError | null;
}

async function loadSource(source: ToolSource, signal: AbortSignal | undefined): Promise<Loaded> {
  const { loadMs = LOAD_MS } = source;
  const late = Promise.withResolvers<never>();
  // The source may have answered before.
  late.promise.catch(() => {});
  const timer = setTimeout(() => late.reject(tooSlow(loadMs)), loadMs);
  const onAbort = () => late.reject(new ToolError("cancelled", "The run was interrupted"));
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const entries = await Promise.race([source.load(), late.promise]);
    return { source, entries, problem: null };
  } catch (error) {
    // What it goes on to do is of no use.
    closeQuietly(source);
    return { source, entries: [], problem: toToolError(error) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

async function closeQuietly(source: ToolSource): Promise<void> {
  try {
    await source[Symbol.asyncDispose]();
  } catch {
    // It has failed already, and the user is told that.
  }
}

function tooSlow(loadMs: number): ToolError {
  return new ToolError("timeout", `it did not tell its tools within ${loadMs / 1000} seconds`, {
    details: { timeout_ms: loadMs },
  });
}
