import type { CallResult } from "../../../schemas/agent/trace.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import type { RecordedPlaces, RecordedResult } from "../../state/sessions/recording_lines.ts";

/** Longest piece of a line that is shown, in characters. */
const SHOWN = 80;

/**
 * Says how a result differs from the recorded one, `null` if it does not. Compares success or error code, the
 * text, and the number of pictures. In texts, the folders of the two machines, durations, and ids of runs and
 * sessions count as equal.
 */
export function compareResults(
  result: CallResult,
  recorded: RecordedResult,
  { now, then }: { now: RecordedPlaces; then: RecordedPlaces },
): string | null {
  const outcome = result.error?.code ?? "ok";
  const before = recorded.error?.code ?? "ok";
  if (outcome !== before) return `the result is not the recorded one: it was ${before}, is ${outcome}`;
  const difference = firstDifference(plain(recorded.content, then), plain(result.content, now));
  if (difference !== null) return `the result is not the recorded one: ${difference}`;
  const [had, has] = [recorded.pictures.length, result.pictures.length];
  return had === has ? null : `the result is not the recorded one: it had ${had} pictures, has ${has}`;
}

const UUID = /(?<![\da-f])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-f])/g;
/** `duration_ms: 12`, `"duration": 0.1`: as tools print them. */
const DURATION = /\b(duration(?:_ms|_seconds)?"?: ?)\d+(?:\.\d+)?/g;
const SESSION = /\b((?:session|run)_id"?: ?"?)[\w-]+/g;

/** Returns a text without what differs from run to run and from machine to machine. */
export function plain(text: string, places: RecordedPlaces): string {
  let found = text;
  // The folder of artifacts may lie in the workspace.
  for (const [name, path] of [["artifacts", places.artifacts], ["workspace", places.workspace]] as const) {
    // The root is a part of every path.
    if (path.length > 1) found = found.replaceAll(path, `<${name}>`);
  }
  return found.replace(UUID, "<id>").replace(DURATION, "$1<time>").replace(SESSION, "$1<id>");
}

/** Says in which line two texts differ first, `null` if they are equal. */
export function firstDifference(recorded: string, found: string): string | null {
  if (recorded === found) return null;
  const was = recorded.split("\n");
  const is = found.split("\n");
  const at = was.findIndex((line, index) => line !== is[index]);
  const line = at < 0 ? was.length : at;
  return `line ${line + 1} was ${show(was[line], is[line])}, is ${show(is[line], was[line])}`;
}

/** Returns the line from shortly before the first difference. */
function show(line: string | undefined, other: string | undefined): string {
  if (line === undefined) return "missing";
  let at = 0;
  while (other !== undefined && at < line.length && line[at] === other[at]) at++;
  const start = line.length <= SHOWN ? 0 : Math.max(0, Math.min(at - SHOWN / 4, line.length - SHOWN));
  const piece = line.slice(start, start + SHOWN);
  return `"${start > 0 ? "…" : ""}${onOneLine(piece)}${start + SHOWN < line.length ? "…" : ""}"`;
}
