/** Says how long something took: `12 ms`, `3.4 s`, `2 min 5 s`. */
export function durationWords(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Says how long ago something was, in one or two words. */
export function agoWords(time: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(time)) / 1_000);
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 60) return "now";
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`;
  return time.slice(0, 10);
}

/** Says what a run used: `1.2k tokens in, 300 out, 4 calls, $0.0123`. */
export function usageWords(usage: Readonly<Record<string, unknown>> | null): string {
  if (usage === null) return "";
  const number = (name: string) => typeof usage[name] === "number" ? usage[name] : null;
  const [input, output, calls, cost] = [
    number("input_tokens"),
    number("output_tokens"),
    number("calls"),
    number("cost"),
  ];
  return [
    input !== null && `${shortNumber(input)} tokens in`,
    output !== null && `${shortNumber(output)} out`,
    calls !== null && `${calls} ${calls === 1 ? "call" : "calls"}`,
    cost !== null && `$${cost < 1 ? cost.toFixed(4) : cost.toFixed(2)}`,
  ].filter((part) => part !== false).join(", ");
}

/** Says in a line what a call was asked to do: the first short arguments. */
export function inputWords(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const shown = Object.values(input).filter((value) => ["string", "number"].includes(typeof value));
  const text = shown.map(String).map((value) => value.split("\n")[0]!).join("  ");
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/** Splits what a person typed into a field for several values, by commas and lines. */
export function listedValues(text: string): string[] {
  return text.split(/[,\n]/).map((value) => value.trim()).filter((value) => value !== "");
}

function shortNumber(value: number): string {
  if (value < 1_000) return String(value);
  return value < 1_000_000 ? `${(value / 1_000).toFixed(1)}k` : `${(value / 1_000_000).toFixed(1)}M`;
}
