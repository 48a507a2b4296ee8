import { ToolError } from "../../../schemas/error.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import type { KeptSource } from "../../../schemas/step/sources.ts";
import { diskSession, sessionFolder, type ToolState } from "../tool_state.ts";
import { checkSession } from "./check_session.ts";

/** A source as JSON has it. */
export interface SourceRow extends Pick<KeptSource, "number" | "title" | "url" | "snippet"> {
  /** Characters of the content that is kept of it; 0 if it was not opened. */
  chars: number;
  /** ISO 8601; `null` if it is not known. */
  found: string | null;
  opened: string | null;
}

/** Returns a source as JSON has it. */
export function sourceRow({ number, title, url, snippet, charCount, found, opened }: KeptSource): SourceRow {
  return { number, title, url, snippet, chars: charCount, found: found ?? null, opened: opened ?? null };
}

/**
 * Reads all sources of a session. Each toolset keeps its own under the key that its tools name. Needs `read`.
 *
 * @param state Where bulkhead keeps what outlives a run
 * @throws {ToolError} `configuration` for what no tool wrote so, or what others could have written
 */
export async function sessionSources(
  state: string,
  id: string,
  { tools }: Pick<Manifest, "tools">,
): Promise<KeptSource[]> {
  checkSession(state, id);
  const kept: Pick<ToolState, "get"> = diskSession(sessionFolder(state, id));
  const places = new Map(
    tools.flatMap(({ toolset, keeps_sources: key }) =>
      key === undefined ? [] : [[`${toolset}/${key}`, { toolset, key }]]
    ),
  );
  const books = [...places.values()].map(async ({ toolset, key }) =>
    readSources(await kept.get(toolset, key), id)
  );
  return (await Promise.all(books)).flat();
}

/**
 * Reads what a session kept as its sources.
 *
 * @throws {ToolError} `configuration` for what no tool wrote so
 */
export function readSources(kept: unknown, session: string): KeptSource[] {
  if (kept === undefined || kept === null) return [];
  if (isObject(kept) && Array.isArray(kept.sources) && kept.sources.every(isSource)) {
    return kept.sources.toSorted((a, b) => a.number - b.number);
  }
  throw new ToolError(
    "configuration",
    `The sources of session ${session} cannot be read: they have another form`,
  );
}

function isSource(value: unknown): value is KeptSource {
  if (!isObject(value)) return false;
  const { number, title, url, snippet, charCount, found, opened } = value;
  return [number, charCount].every(Number.isSafeInteger) &&
    [title, url, snippet].every((text) => typeof text === "string") &&
    [found, opened].every((time) => time === undefined || (typeof time === "string" && isTime(time)));
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text));
}
