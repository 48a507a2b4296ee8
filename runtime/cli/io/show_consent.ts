import type { CallPreview, ConfirmCall } from "../../../schemas/permission.ts";
import type { Target } from "../../../schemas/access.ts";
import type { CommandAnalysis } from "../../../schemas/command.ts";
import { onOneLine, visibleJson } from "../../text/strip_controls.ts";

/** Lines of a change that a question shows, and characters of the arguments; `explain` shows all. */
const SHOWN_LINES = 40;
const SHOWN_CHARS = 4_000;
const COLORS: Readonly<Record<string, string>> = { "+": "32", "-": "31", "@": "36" };

/** How a question is shown. */
export interface ConsentStyle {
  colors: boolean;
  /** Shows everything, however long. @default false */
  whole?: boolean;
}

/** Returns what a person must know to decide about a call: what it would touch, change and run. Ends with a line break. */
export function showConsent(call: ConfirmCall, preview: CallPreview, style: ConsentStyle): string {
  const { targets, analyses, change } = preview;
  const lines = [
    ...targets.flatMap(targetLines),
    ...analyses.map((analysis) => `  risk  ${showRisk(analysis)}`),
    ...changeLines(change, style),
  ];
  // What is told apart above need not be read in JSON again.
  const isTold = change !== null || targets.some(({ command }) => command !== undefined);
  const told = isTold && !style.whole ? [] : [`  with  ${clip(visibleJson(call.input), style)}`];
  return [...lines, ...told].map((line) => `${line}\n`).join("");
}

/** Returns the choices of a question, as it ends. */
export function showChoices({ always }: CallPreview): string {
  const run = always === null ? "" : `, [a]lways in this run (${onOneLine(always)})`;
  return `Allow it? [y]es${run}, [n]o, [e]xplain: `;
}

/** A command is never shortened: its end could say the opposite. */
function targetLines({ kind, value, command }: Target): string[] {
  if (command === undefined) return [`  ${kind.padEnd(6)}${onOneLine(value)}`];
  if ("argv" in command) return [`  ${kind.padEnd(6)}${visibleJson(command.argv)}`];
  const lines = command.script.split("\n").map(onOneLine);
  return lines.map((line, at) => `  ${(at === 0 ? kind : "").padEnd(6)}${line}`);
}

function showRisk({ risk, commands, opaque }: CommandAnalysis): string {
  const programs = [...new Set(commands.flatMap(({ via, program }) => [...via, program || "?"]))];
  const unknown = opaque.length > 0 ? `; not understood: ${opaque.map(onOneLine).join(", ")}` : "";
  return `${risk}; starts ${programs.map(onOneLine).join(", ") || "nothing"}${unknown}`;
}

function changeLines(change: string | null, { colors, whole = false }: ConsentStyle): string[] {
  if (change === null) return [];
  const lines = change.split("\n");
  const shown = whole ? lines : lines.slice(0, SHOWN_LINES);
  const rest = lines.length - shown.length;
  const painted = shown.map((line) => {
    const color = COLORS[line[0] ?? ""];
    const text = `    ${onOneLine(line)}`;
    return colors && color !== undefined ? `\x1b[${color}m${text}\x1b[0m` : text;
  });
  return [...painted, ...rest > 0 ? [`    … ${rest} more lines, [e]xplain shows them`] : []];
}

function clip(text: string, { whole = false }: ConsentStyle): string {
  const rest = text.length - SHOWN_CHARS;
  return whole || rest <= 0 ? text : `${text.slice(0, SHOWN_CHARS)}… ${rest} characters more`;
}
