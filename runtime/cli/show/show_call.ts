import type { RunEvent } from "../../../schemas/agent/events.ts";
import type { ToolResult } from "../../../schemas/result.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import { takeMarkOff } from "../../text/mark_block.ts";
import { onOneLine, visibleJson } from "../../text/strip_controls.ts";

/** How much of one argument, of all arguments, and of a result is shown, in characters. */
const MAX_VALUE = 48;
const MAX_ARGUMENTS = 96;
const MAX_RESULT = 100;

/** Returns a call in short, on one line: `Grep pattern=discount path=src`. */
export function showCall(tool: string, input: unknown): string {
  const name = onOneLine(tool.split("/").at(-1) ?? tool);
  if (!isObject(input)) return input === undefined ? name : `${name} ${clip(visibleJson(input), MAX_VALUE)}`;
  const words = Object.entries(input).map(([key, value]) => `${onOneLine(key)}=${showValue(value)}`);
  return `${name} ${clip(words.join(" "), MAX_ARGUMENTS)}`.trimEnd();
}

/** Returns a result in short, on one line. */
export function showResult({ ok, text, error, images, metadata }: ToolResult): string {
  if (!ok) return clip(onOneLine((error?.message ?? text).trim().split("\n", 1)[0]!), MAX_RESULT * 2);
  if (metadata.summary !== undefined) return clip(onOneLine(metadata.summary), MAX_RESULT);
  if (images.length > 0) return images.length === 1 ? "a picture" : `${images.length} pictures`;
  const lines = takeMarkOff(text).content.split("\n").filter((line) => line.trim() !== "");
  const [first = "no output"] = lines;
  const more = lines.length > 1 ? ` (${lines.length} lines)` : "";
  return `${clip(onOneLine(first.trim()), MAX_RESULT)}${more}`;
}

/** Returns in short what of a file the model was shown with the prompt. */
export function showAttached({ path, lines }: Extract<RunEvent, { type: "attached" }>): string {
  const what = lines === null ? "a picture" : lines === 1 ? "1 line" : `${lines} lines`;
  return `attached ${onOneLine(path)} (${what})`;
}

/** Returns in short which tools the model has from now on. */
export function showAdded({ tools }: Extract<RunEvent, { type: "tools.added" }>): string {
  return clip(`new tools: ${tools.map(onOneLine).join(", ")}`, MAX_RESULT * 2);
}

/** Returns a time in short: `0.4 s`, `75 s`, `3 min 20 s`. */
export function showTime(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function showValue(value: unknown): string {
  if (typeof value !== "string") return clip(visibleJson(value), MAX_VALUE);
  return clip(/^[^\s"']+$/.test(value) ? onOneLine(value) : visibleJson(value), MAX_VALUE);
}

/** Cuts a text without parting a character. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text[max - 2] ?? "") ? max - 2 : max - 1;
  return `${text.slice(0, end)}…`;
}
