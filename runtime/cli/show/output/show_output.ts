import { isObject } from "../../../../schemas/json/shape.ts";
import type { ToolResult } from "../../../../schemas/result.ts";
import type { ShownOutput } from "../../../../schemas/manifest.ts";
import type { Ranges } from "../../../text/foreign/protocol.ts";
import { onOneLine, onTerminal } from "../../../text/strip_controls.ts";
import type { ForeignReader } from "../markdown/foreign_reader.ts";
import { type Canvas, paint } from "../markdown/spans.ts";

const STYLES = { path: "35", line: "32", match: "1;31", dim: "2", bad: "31" } as const;
/** Characters that mean more than themselves in a pattern. */
const SPECIAL = /[\\^$.|?*+()[\]{}]/;

/** How an output is shown. */
export interface OutputPlace {
  shows: ShownOutput;
  /** The arguments of the call. */
  input: Record<string, unknown>;
  canvas: Pick<Canvas, "colors">;
  /** Paths below this folder are shown relative to it. */
  folder: string;
  reader: ForeignReader;
}

/** What each stream gets. */
export interface ShownStreams {
  stdout: string;
  stderr: string;
}

/**
 * Returns a result as a person at a terminal reads it, without controls: hits with their lines, a file's text, the streams of
 * a program; `null` if the output is not of the form that the tool says.
 */
export async function showOutput(result: ToolResult, place: OutputPlace): Promise<ShownStreams | null> {
  const { shows, canvas } = place;
  const output = result.result;
  const summary = onOneLine(result.metadata.summary ?? "");
  const dim = (text: string) => text === "" ? "" : `${paint([{ text, style: STYLES.dim }], canvas)}\n`;
  switch (shows.kind) {
    case "text": {
      const text = fieldOf(output, shows.at);
      if (typeof text !== "string") return null;
      const isCut = isObject(output) && output.truncated === true;
      return { stdout: ended(onTerminal(text)) + (isCut ? dim(`[${summary}]`) : ""), stderr: "" };
    }
    case "lines": {
      const lines = fieldOf(output, shows.at);
      if (!isTexts(lines)) return null;
      const shown = lines.map((line) => `${onOneLine(below(line, place.folder))}\n`).join("");
      return { stdout: shown + dim(summary), stderr: "" };
    }
    case "matches":
      return await showMatches(output, {
        ...place,
        shows,
        end: dim(summary + searched(output, shows.searched)),
      });
    case "program": {
      if (!isObject(output)) return null;
      const [out, err, code] = [output.stdout, output.stderr, output[shows.code]];
      if (typeof out !== "string" || typeof err !== "string") return null;
      const failed = typeof code === "number" && code !== 0
        ? `${paint([{ text: `exit ${code}`, style: STYLES.bad }], canvas)}\n`
        : "";
      return { stdout: ended(onTerminal(out)), stderr: ended(onTerminal(err)) + failed };
    }
  }
}

/** A line in which the pattern was found; one that stands around it has no number. */
interface Hit {
  path: string;
  line: number | null;
  text: string;
}

async function showMatches(
  output: unknown,
  { shows, input, canvas, folder, reader, end }: OutputPlace & {
    shows: Extract<ShownOutput, { kind: "matches" }>;
    end: string;
  },
): Promise<ShownStreams | null> {
  const hits = hitsOf(fieldOf(output, shows.at));
  if (hits === null) return null;
  const lines = hits.map(({ text }) => onTerminal(text));
  const ignoreCase = shows.caseArgument !== undefined && input[shows.caseArgument] !== true;
  const ranges = canvas.colors ? await rangesIn(lines, { pattern: input.pattern, ignoreCase, reader }) : null;
  const shown = hits.map(({ path, line }, at) => {
    const place = line === null ? [] : [
      { text: onOneLine(below(path, folder)), style: STYLES.path },
      { text: ":", style: "" },
      { text: String(line), style: STYLES.line },
      { text: ": ", style: "" },
    ];
    return `${paint([...place, ...marked(lines[at]!, ranges?.[at] ?? [])], canvas)}\n`;
  });
  return { stdout: shown.join("") + end, stderr: "" };
}

/** Hits are objects with `path`, `line` and `text`, or texts that have all of it. */
function hitsOf(value: unknown): Hit[] | null {
  if (isTexts(value)) return value.map((text) => ({ path: "", line: null, text }));
  if (!Array.isArray(value)) return null;
  const isHit = (one: unknown): one is Hit =>
    isObject(one) && typeof one.path === "string" && typeof one.line === "number" &&
    typeof one.text === "string";
  return value.every(isHit) ? value : null;
}

/** A pattern that means itself is found here; any other one may take long, and is searched by the reader. */
async function rangesIn(
  lines: readonly string[],
  { pattern, ignoreCase, reader }: { pattern: unknown; ignoreCase: boolean; reader: ForeignReader },
): Promise<readonly Ranges[] | null> {
  if (typeof pattern !== "string" || pattern === "") return null;
  if (SPECIAL.test(pattern)) return await reader.ranges(pattern, lines, { ignoreCase });
  const fold = (text: string) => ignoreCase ? text.toLowerCase() : text;
  const wanted = fold(pattern);
  return lines.map((line) => {
    const found: [number, number][] = [];
    const text = fold(line);
    // A letter may have another length in the other case.
    if (text.length !== line.length) return found;
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      found.push([at, at + wanted.length]);
    }
    return found;
  });
}

function marked(line: string, ranges: Ranges): { text: string; style: string }[] {
  const pieces: { text: string; style: string }[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    pieces.push({ text: line.slice(at, start), style: "" }, {
      text: line.slice(start, end),
      style: STYLES.match,
    });
    at = end;
  }
  return [...pieces, { text: line.slice(at), style: "" }];
}

function searched(output: unknown, field: string | undefined): string {
  const count = field !== undefined && isObject(output) ? output[field] : undefined;
  return typeof count === "number" ? ` (${count} searched)` : "";
}

function fieldOf(output: unknown, at: string | null): unknown {
  return at === null ? output : isObject(output) ? output[at] : undefined;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function below(path: string, folder: string): string {
  const start = folder.endsWith("/") ? folder : `${folder}/`;
  return path.startsWith(start) && path.length > start.length ? path.slice(start.length) : path;
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
