/** What a run used, as the server tells it. */
export interface UsedByRun {
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  calls: number;
  /** Dollars; `null` if nobody says. */
  cost: number | null;
  estimated: boolean;
}

/** Says how long something took: `12 ms`, `3.4 s`, `2 min 5 s`. */
export function durationWords(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 60) return `${Number.isInteger(seconds) ? seconds : seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
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

/** Says what a run used: `1.2k tokens in (300 cached), 300 out, 4 calls, $0.0123`. */
export function usageWords(usage: UsedByRun | null): string {
  if (!usage || usage.input_tokens + usage.output_tokens + usage.calls === 0) return "";
  const { input_tokens: input, cached_tokens: cached, output_tokens: output, calls, cost, estimated } = usage;
  return [
    `${estimated ? "about " : ""}${shortNumber(input)} tokens in${
      cached > 0 ? ` (${shortNumber(cached)} cached)` : ""
    }`,
    `${shortNumber(output)} out`,
    `${calls} ${calls === 1 ? "call" : "calls"}`,
    ...cost === null ? [] : [dollars(cost)],
  ].join(", ");
}

/** Says what a list tells of a run behind its state: how long it took, what it changed, and when it began. */
export function rowFacts(
  { seconds, changed, created }: { seconds: number | null; changed: number | null; created: string },
  now: number,
): string[] {
  return [
    ...seconds === null ? [] : [durationWords(seconds < 10 ? seconds * 1_000 : Math.round(seconds) * 1_000)],
    ...changed ? [`${changed} ${changed === 1 ? "file" : "files"}`] : [],
    agoWords(created, now),
  ].filter((words) => words !== "");
}

const ENDS: Readonly<Record<string, string>> = {
  completed: "Done",
  task_failed: "The agent says that it could not do it",
  waiting_for_clarification: "The agent waits for your answer",
  interrupted: "Stopped",
  max_iterations: "Stopped: it has used all its steps",
  max_rounds: "Stopped: it has used all its rounds",
  max_calls: "Stopped: it has used all its calls",
  max_time: "Stopped: its time is over",
  max_tokens: "Stopped: it has used all its tokens",
  max_cost: "Stopped: it has cost as much as it may",
  repeated_call: "Stopped: it made the same call again and again",
  too_many_faults: "Stopped: too many calls failed one after the other",
  cut_off: "The last answer was cut off at its longest length",
  context_overflow: "Stopped: the conversation is longer than the model reads",
  unauthenticated: "The model's server does not take the key",
  model_unreachable: "The model's server cannot be reached",
  model_unknown: "The model's server does not know this model",
  rate_limited: "The model's server is asked too often",
  output_invalid: "The answer has not the form that was asked for",
  replay_differs: "The recording does not fit",
};

/** Says in plain words why a run ended. */
export function endWords(reason: string): string {
  return ENDS[reason] ?? `It failed (${reason.replaceAll("_", " ")})`;
}

/** Says in a line why a call failed: what an error says first, with paths from the folder of the run. */
export function errorLine({ message, code }: { message: string; code: string }, folder: string): string {
  const line = message.replaceAll(`${folder}/`, "").split("\n").find((part) => part.trim() !== "")?.trim() ??
    "";
  return line === "" ? code.replaceAll("_", " ") : line.length > 200 ? `${line.slice(0, 199)}…` : line;
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

function dollars(cost: number): string {
  return `$${cost < 1 ? cost.toFixed(4) : cost.toFixed(2)}`;
}
