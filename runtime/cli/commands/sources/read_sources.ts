import { ToolError } from "../../../../schemas/error.ts";
import { isObject } from "../../../../schemas/json/shape.ts";
import type { KeptSource } from "../../../../schemas/step/sources.ts";

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
