import type { Target } from "../../../schemas/access.ts";
import type { CommandAnalysis } from "../../../schemas/command.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { CallPreview, ConfirmCall } from "../../../schemas/permission.ts";
import { onOneLine, visibleJson, wholeOnOneLine } from "../../text/strip_controls.ts";
import { foldBlanks } from "../../text/visible.ts";

/** Lines of a change that a question shows of its start and of its end; `explain` shows all. */
const START_LINES = 30;
const END_LINES = 10;
/** Longest text of content that is shown whole, and what is shown of the start and the end of a longer one. */
const SHOWN_CHARS = 400;
const START_CHARS = 240;
const END_CHARS = 120;
const MAX_FIELDS = 40;
/** A command beyond one of these is said to be long, because its start may have left the screen. */
const LONG_CHARS = 3_000;
const LONG_LINES = 30;
const COLORS: Readonly<Record<string, string>> = { "+": "32", "-": "31", "@": "36" };

/** Said of what is touched only if something else fails. */
export const IF_NEEDED = " (if needed)";

/** How a question is shown. */
export interface ConsentStyle {
  colors: boolean;
  /** Shows everything, however long. @default false */
  whole?: boolean;
}

/**
 * Returns what a person must know to decide about a call: what it would touch, change and run. Targets, commands and code
 * are shown whole; only content is shortened. Ends with a line break.
 */
export function showConsent(call: ConfirmCall, preview: CallPreview, style: ConsentStyle): string {
  const { targets, analyses, change } = preview;
  const lines = [
    ...targets.flatMap(targetLines),
    ...analyses.map((analysis) => `  risk  ${showRisk(analysis)}`),
    // What a program gets to run is code, and not content.
    ...(change !== null && targets.some(({ kind }) => kind === "run")
      ? codeLines(change, "  code  ")
      : changeLines(change, style)),
    ...inputLines(call.input, preview, style),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns the choices of a question, as it ends. */
export function showChoices({ always }: CallPreview): string {
  const run = always === null ? "" : `, [a]lways in this run (${onOneLine(always)})`;
  return `Allow it? [y]es${run}, [n]o, [e]xplain: `;
}

/** A command is never shortened: its end could say the opposite. */
function targetLines({ kind, value, real, command, ifNeeded = false }: Target): string[] {
  const lead = `  ${kind.padEnd(6)}`;
  if (command === undefined) {
    const behind = real === undefined ? "" : ` (leads to ${wholeText(real)})`;
    return [`${lead}${wholeText(value)}${behind}${ifNeeded ? IF_NEEDED : ""}`];
  }
  if ("argv" in command) return [`${lead}${visibleJson(command.argv.map(foldBlanks))}`];
  return codeLines(command.script, lead);
}

/** A command or code, line by line. */
function codeLines(code: string, lead: string): string[] {
  const lines = foldBlanks(code).split("\n").map(wholeOnOneLine);
  const shown = lines.map((line, at) => `${at === 0 ? lead : "        "}${line}`);
  if (code.length <= LONG_CHARS && lines.length <= LONG_LINES) return shown;
  const size = `${code.length} characters in ${code.split("\n").length} lines`;
  return [...shown, `  long  ${size}; it begins with ${visibleJson(foldBlanks(code.trim()).slice(0, 80))}`];
}

function wholeText(text: string): string {
  return wholeOnOneLine(foldBlanks(text));
}

function showRisk({ risk, commands, opaque }: CommandAnalysis): string {
  const programs = [...new Set(commands.flatMap(({ via, program }) => [...via, program || "?"]))];
  const unknown = opaque.length > 0 ? `; not understood: ${opaque.map(onOneLine).join(", ")}` : "";
  return `${risk}; starts ${programs.map(onOneLine).join(", ") || "nothing"}${unknown}`;
}

function changeLines(change: string | null, { colors, whole = false }: ConsentStyle): string[] {
  if (change === null) return [];
  const lines = change.split("\n");
  const rest = whole ? 0 : Math.max(0, lines.length - START_LINES - END_LINES);
  const paint = (line: string) => {
    const color = COLORS[line[0] ?? ""];
    const text = `    ${shorten(wholeText(line), whole)}`;
    return colors && color !== undefined ? `\x1b[${color}m${text}\x1b[0m` : text;
  };
  if (rest === 0) return lines.map(paint);
  const left = `    … ${rest} lines left out, [e]xplain shows them`;
  return [...lines.slice(0, START_LINES).map(paint), left, ...lines.slice(-END_LINES).map(paint)];
}

/** What of the arguments is not told above. */
function inputLines(input: unknown, preview: CallPreview, { whole = false }: ConsentStyle): string[] {
  if (!isObject(input)) return [`  with  ${shorten(visibleJson(input), whole)}`];
  const { targets, change } = preview;
  const isTold = change !== null || targets.some(({ command }) => command !== undefined);
  const rest = Object.entries(input).filter(([, value]) => !isTold || whole || !tells(preview, value));
  const isCode = ([, value]: [string, unknown]) =>
    typeof value === "string" && value.includes("\n") && targets.some(({ kind }) => kind === "run");
  const fields = rest.filter((field) => !isCode(field)).map(([name, value]): [string, string] => [
    shorten(visibleJson(name), whole),
    shorten(visibleJson(typeof value === "string" ? foldBlanks(value) : value), whole),
  ]).sort(([, a], [, b]) => a.length - b.length);
  const shown = whole ? fields : fields.slice(0, MAX_FIELDS);
  const more = fields.length > shown.length ? `, … ${fields.length - shown.length} fields left out` : "";
  const json = shown.map(([name, value]) => `${name}:${value}`).join(",");
  return [
    ...(isTold && fields.length === 0 ? [] : [`  with  {${json}${more}}`]),
    ...rest.filter(isCode).flatMap(([name, value]) => codeLines(`${name}:\n${value}`, "  with  ")),
  ];
}

/** The lines above show a value as it is. */
function tells({ targets, change }: CallPreview, value: unknown): boolean {
  const json = JSON.stringify(value);
  const isTarget = targets.some(({ value: path, command }) => {
    if (command === undefined) return path === value;
    return "argv" in command ? JSON.stringify(command.argv) === json : command.script === value;
  });
  if (isTarget || typeof value !== "string" || change === null) return isTarget;
  const plain = change.split("\n").map((line) => line.slice(1)).join("\n");
  return [change, plain].some((text) => text.includes(value.trimEnd()));
}

/** Cuts content in its middle, and says how much is left out. */
function shorten(text: string, whole: boolean): string {
  if (whole || text.length <= SHOWN_CHARS) return text;
  const rest = text.length - START_CHARS - END_CHARS;
  return `${text.slice(0, START_CHARS)}… ${rest} characters left out …${text.slice(-END_CHARS)}`;
}
