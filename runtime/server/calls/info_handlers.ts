import { basename, dirname, join } from "@std/path";
import type { z } from "zod";

import { namedFileError } from "../../walls/files/system_error.ts";
import { type AgentWish, type KnownAgent, knownAgents } from "../../agent/definitions/known_agents.ts";
import { readHostConfig } from "../../host/configure_host.ts";
import { VERSION } from "../../self/version.ts";
import type { HandlerAnswer, Handlers, Request } from "../contract/answer.ts";
import type { ServerInfo } from "../api/call_operations.ts";
import { modelOfServer } from "../contract/model_of_server.ts";
import { servedFolder } from "../contract/narrow.ts";
import type { Served } from "../contract/served.ts";
import type { CallMachines } from "./call_machines.ts";

/** Most folders of one list. */
const MAX_FOLDERS = 800;

/** Makes what tells clients of the server itself. */
export function infoHandlers(
  { roots }: Pick<Served, "roots">,
  describe: () => ReturnType<typeof describeServer>,
): Handlers {
  return {
    getInfo: async () => ({ json: await describe() }),
    listFolders: ({ query }: Request<{ path?: string }>) => listFolders(query.path, roots),
  };
}

/** Says what the server is now, and what requests may choose. Needs `read` of the configuration. */
export async function describeServer(
  served: Served,
  machines: CallMachines,
  signal: AbortSignal,
): Promise<z.infer<typeof ServerInfo>> {
  const { host, manifest, agent: wish, roots, maxRuns } = served;
  const { env, grants, places: { cwd } } = host;
  const loaded = readHostConfig({ ...host, warn() {} }, manifest.tools);
  const known = await knownAgents(wish, { manifest, loaded, cwd, env, grants });
  const usable = [...known.agents.values()].filter(({ problem }) => problem === null);
  const { models = {} } = loaded.config;
  const usual = modelOfServer(served, loaded.config);
  return await machines.use(
    {},
    signal,
    async ({ grants: { commands, allow, deny, secrets, netNamed, shareNet }, box }, { entries }) => ({
      version: VERSION,
      workspace: roots[0]!,
      workspaces: [...roots],
      agent: wish.name ?? usualOf(usable, wish),
      agents: usable.map(({ name, definition: { description = "", kind = "tools", model: own } }) => ({
        ...{ name, description, kind },
        model: typeof own === "string" ? own : own?.name ?? null,
      })),
      model: usual.model,
      model_problem: usual.problem,
      keys: [...usual.keys],
      models: [...new Set([...usual.model === null ? [] : [usual.model], ...Object.keys(models)])],
      policy: commands.name,
      allow: { ...allow },
      deny: { ...deny },
      secrets: [...secrets],
      programs: {
        boxed: await box.isUsed(),
        net: shareNet ? "host" as const : netNamed === true || [...netNamed],
      },
      max_runs: maxRuns,
      tools: entries.map(({ tool: { name, full_name, description } }) => ({
        name,
        full_name,
        description,
      })),
    }),
  );
}

/** For how long a description of the server is told again, in milliseconds: each chat completion looks at one. */
const TOLD_MS = 2_000;

/** Returns what describes the server: one look serves all who ask in the same moment. */
export function serverOffer(
  served: Served,
  machines: CallMachines,
  now = () => performance.now(),
): () => ReturnType<typeof describeServer> {
  let kept: { until: number; told: ReturnType<typeof describeServer> } | null = null;
  return () => {
    if (kept !== null && now() < kept.until) return kept.told;
    // Others wait for it as well: it does not end with the client that asked first.
    const told = describeServer(served, machines, new AbortController().signal);
    const looked = kept = { until: now() + TOLD_MS, told };
    told.catch(() => {
      if (kept === looked) kept = null;
    });
    return told;
  };
}

/** Of a file with several agents, the first stands at the top of the choice. */
function usualOf(agents: readonly KnownAgent[], { file }: AgentWish): string {
  const own = file === undefined ? undefined : agents.find(({ origin }) => origin === "file");
  return own?.name ?? "default";
}

/** Links are followed only as far as they stay below what is served. */
function listFolders(path: string | undefined, roots: readonly string[]): HandlerAnswer {
  const folder = servedFolder(path ?? roots[0]!, roots);
  const names: string[] = [];
  try {
    for (const { name, isDirectory } of Deno.readDirSync(folder)) if (isDirectory) names.push(name);
  } catch (error) {
    throw namedFileError(error, "list", folder);
  }
  const shown = names.toSorted((a, b) => a.localeCompare(b)).slice(0, MAX_FOLDERS);
  return {
    json: {
      path: folder,
      parent: roots.includes(folder) ? null : dirname(folder),
      folders: shown.map((name) => ({ name: basename(name), path: join(folder, name) })),
      truncated: shown.length < names.length,
    },
  };
}
