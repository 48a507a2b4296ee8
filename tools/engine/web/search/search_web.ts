import type { Target } from "../../../../schemas/access.ts";
import type { ToolContext } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { Told } from "../../../../schemas/tool.ts";
import { askService, isUsable, lackOf, serviceTargets } from "../service/ask_service.ts";
import { addressesOf, keysOf, searxng, type Service } from "../service/services.ts";
import { ENGINES } from "./engines.ts";
import type { SearchEngine, SearchHit, SearchQuery } from "./results/search.ts";

/** Variable with the engines to ask, in order, for all search tools. */
const ORDER = "BULKHEAD_SEARCH_ENGINES";
/** Longest time of one engine, in milliseconds. */
const ENGINE_MS = 20_000;
/** Part of the call's time that is kept for returning the result. */
const MARGIN_MS = 250;

const SERVICES = [...ENGINES.values()].map(({ service }) => service);

/** The `settings` of a tool that searches. */
export const SEARCH_SETTINGS: readonly string[] = [ORDER, ...addressesOf(SERVICES)];
/** The `secrets` of a tool that searches. */
export const SEARCH_KEYS = keysOf(SERVICES);

/** How a tool searches. */
export interface SearchOptions {
  /** Names of the engines that the tool's document names, in order. */
  engines: readonly string[];
  /** What an engine leads to that finds nothing. @default "stop": that is the answer */
  onEmpty?: "stop" | "next";
  context: Searching;
}

type Searching = Pick<ToolContext, "web" | "keys" | "settings" | "signal" | "deadline" | "warn">;

/** What a search found, and where. */
export interface Found {
  engine: Service;
  /** Empty if the engine itself said that there is nothing. */
  hits: SearchHit[];
}

/** An engine that could not answer. */
interface Failure {
  service: Service;
  error: ToolError;
}

/**
 * Asks search engines one after the other until one answers. The order is that of the user, or that of the tool, in which
 * a server of one's own stands before the engines that need no key. Engines whose key is not set are left out.
 *
 * @throws {ToolError} `unauthenticated` if no key is set; `configuration` for engines that there are not; if all fail, the
 * error of the only one, or `external_failure`, whose `details` has all
 */
export async function searchWeb(query: SearchQuery, options: SearchOptions): Promise<Found> {
  const { context, onEmpty = "stop" } = options;
  const { usable: engines, lacks } = enginesFor(query.kind ?? "web", {
    engines: options.engines,
    told: context,
  });
  for (const lack of lacks) context.warn(lack);
  const failures: Failure[] = [];
  let empty: Found | null = null;
  for (const [at, engine] of engines.entries()) {
    const { service } = engine;
    try {
      const hits = await askEngine(engine, query, { left: engines.length - at, context });
      if (hits.length > 0 || onEmpty === "stop") {
        tell(failures, `${service.label} was asked instead`, context);
        return { engine: service, hits };
      }
      empty ??= { engine: service, hits };
    } catch (error) {
      if (!(error instanceof ToolError) || context.signal.aborted) throw error;
      failures.push({ service, error });
    }
  }
  if (empty === null) throw allFailed(failures);
  tell(failures, `${empty.engine.label} found nothing`, context);
  return empty;
}

/**
 * Returns the hosts that a search will reach, for the check before it; where there are several engines, each of them only
 * if needed.
 *
 * @throws {ToolError} As {@linkcode searchWeb}, if no engine can be asked
 */
export function searchTargets(
  { kind = "web", engines }: Pick<SearchQuery, "kind"> & Pick<SearchOptions, "engines">,
  told: Told,
): Target[] {
  const { usable } = enginesFor(kind, { engines, told });
  return serviceTargets(usable.map(({ service }) => service), told);
}

async function askEngine(
  { service, ask, read, readsErrors = false }: SearchEngine,
  query: SearchQuery,
  { left, context }: { left: number; context: Searching },
): Promise<SearchHit[]> {
  const { signal, deadline } = context;
  signal.throwIfAborted();
  const timeoutMs = Math.max(1, Math.floor(Math.min(ENGINE_MS, (deadline - Date.now() - MARGIN_MS) / left)));
  const answer = await askService(service, ask(query), { timeoutMs, anyStatus: readsErrors, context });
  return await read(answer, query);
}

/** The engines that can be asked, in order, and what those lack that the user has named. */
function enginesFor(
  kind: NonNullable<SearchQuery["kind"]>,
  { engines, told }: { engines: readonly string[]; told: Told },
): { usable: SearchEngine[]; lacks: string[] } {
  const named = namesIn(told.settings[ORDER]);
  const unknown = named.filter((name) => !ENGINES.has(name));
  if (unknown.length > 0) {
    const known = [...ENGINES.keys()].join(", ");
    throw new ToolError("configuration", `${ORDER} names "${unknown[0]}", which is none of ${known}`, {
      details: { variable: ORDER, unknown },
    });
  }
  const names = named.length > 0 ? named : withOwnServer(engines, told);
  const able = names.map((name) => ENGINES.get(name)!).filter(({ kinds }) => kinds.includes(kind));
  const usable = able.filter(({ service }) => isUsable(service, told));
  if (usable.length === 0) throw noneUsable(able, kind, told);
  const lacks = (named.length > 0 ? able : []).flatMap(({ service }) => {
    const lack = lackOf(service, told);
    return lack === null ? [] : [`${service.label} was not asked: ${lack} is not set`];
  });
  return { usable, lacks };
}

/** Returns the engines that a variable names, parted by commas or blanks. */
export function namesIn(value: string | undefined): string[] {
  return [...new Set((value ?? "").toLowerCase().split(/[\s,]+/).filter((name) => name !== ""))];
}

/** A server of one's own answers where engines that need no key take one for a robot. */
function withOwnServer(names: readonly string[], told: Told): string[] {
  if (names.includes(searxng.name) || !isUsable(searxng, told)) return [...names];
  const found = names.findIndex((name) => ENGINES.get(name)?.service.key === undefined);
  return names.toSpliced(found < 0 ? names.length : found, 0, searxng.name);
}

function noneUsable(able: readonly SearchEngine[], kind: string, told: Told): ToolError {
  const lack = able[0] === undefined ? null : lackOf(able[0].service, told);
  if (lack === null) {
    return new ToolError(
      "configuration",
      `${ORDER} names no engine that finds papers: add serper or searxng`,
      {
        details: { variable: ORDER, kind },
      },
    );
  }
  const else_ = kind === "web" ? `, or name engines without a key, such as ${ORDER}=duckduckgo,bing` : "";
  return new ToolError(
    "unauthenticated",
    `${lack} is not set. Set it, or ${searxng.urlVariable} to a SearXNG server of your own${else_}`,
    { details: { variable: lack } },
  );
}

function tell(failures: readonly Failure[], outcome: string, { warn }: Searching): void {
  for (const { error } of failures) warn(`${error.message}; ${outcome}`);
}

function allFailed(failures: readonly Failure[]): ToolError {
  const [first] = failures;
  if (failures.length === 1) return first!.error;
  const all = failures.map(({ service, error }) => ({
    engine: service.name,
    code: error.code,
    message: error.message,
  }));
  const codes = new Set(all.map(({ code }) => code));
  return new ToolError(
    codes.size === 1 ? first!.error.code : "external_failure",
    `No search engine answered: ${all.map(({ message }) => message).join("; ")}`,
    { retryable: failures.some(({ error }) => error.retryable), details: { engines: all } },
  );
}
