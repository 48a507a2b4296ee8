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

/** What a run does without, as its request said. */
export interface WithoutGrants {
  tools?: readonly string[] | undefined;
  deny_read?: readonly string[] | undefined;
  deny_write?: true | readonly string[] | undefined;
  deny_net?: true | readonly string[] | undefined;
  deny_run?: true | readonly string[] | undefined;
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

/** Says in few letters what a run used: `1.5k tokens, $0.0123`. */
export function shortUsage(usage: UsedByRun | null): string {
  if (usage === null || usage.input_tokens + usage.output_tokens === 0) return "";
  const { input_tokens, output_tokens, cost, estimated } = usage;
  const tokens = `${estimated ? "~" : ""}${shortNumber(input_tokens + output_tokens)} tokens`;
  return cost === null ? tokens : `${tokens}, ${dollars(cost)}`;
}

/** Says what a run does without: `no network, not to write docs`. */
export function withoutWords(grants: WithoutGrants | null): string {
  if (grants === null) return "";
  const { tools, deny_read, deny_write, deny_net, deny_run } = grants;
  const part = (all: string, some: string, given: true | readonly string[] | undefined) => {
    if (given === true) return [all];
    return given === undefined || given.length === 0 ? [] : [`${some} ${given.join(", ")}`];
  };
  return [
    ...part("reads nothing", "does not read", deny_read),
    ...part("writes nothing", "does not write", deny_write),
    ...part("no network", "does not reach", deny_net),
    ...part("no programs", "does not start", deny_run),
    ...tools === undefined ? [] : [tools.length === 0 ? "no tools" : `only ${tools.join(", ")}`],
  ].join("; ");
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
