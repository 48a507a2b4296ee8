import type { ToolResult } from "../../schemas/result.ts";
import { readAnswer } from "../../schemas/own/answers.ts";

/** A call as hooks see it: with its arguments as the tool will read them. */
export interface HookCall {
  /** Full name. */
  tool: string;
  /** The arguments. */
  input: unknown;
  /** Absolute, real path. */
  workspace: string;
  /** Aborts when the call is cancelled or the hook's time is up. */
  signal: AbortSignal;
}

/** A hook's answer before a call. An empty answer allows the call. */
export type BeforeAnswer = void | { refuse: string } | { input: unknown };

/** Functions of the user's own around every call. One that fails, or takes too long, stops the call. */
export interface Hooks {
  /** Allows a call, refuses it, or changes its arguments. */
  before?(call: HookCall): BeforeAnswer | Promise<BeforeAnswer>;
  /** Sees a call that ran, and may change its result. */
  after?(call: HookCall, result: ToolResult): ToolResult | void | Promise<ToolResult | void>;
}

/** Longest time of one hook, in milliseconds. */
export const HOOK_MS = 10_000;

/** The result of all hooks before a call. */
export interface BeforeOutcome {
  input: unknown;
  /** `null` if all hooks allow the call. */
  refusal: string | null;
}

/** Runs the hooks before a call, in order: each gets what the one before it left, and the first refusal counts. */
export async function runBefore(
  hooks: readonly Hooks[],
  call: HookCall,
  options: { limitMs?: number } = {},
): Promise<BeforeOutcome> {
  let { input } = call;
  for (const { before } of hooks) {
    if (!before) continue;
    const run = async (signal: AbortSignal) =>
      // A copy: a hook can change the call only by its answer.
      readBefore(await before({ ...call, input: structuredClone(input), signal }));
    const answer = await withinLimit(run, { ...options, signal: call.signal });
    if ("problem" in answer) return { input, refusal: `a hook failed: ${answer.problem}` };
    if (answer.value === null) continue;
    if ("refuse" in answer.value) return { input, refusal: answer.value.refuse };
    input = answer.value.input;
  }
  return { input, refusal: null };
}

/** Runs the hooks after a call, in order. */
export async function runAfter(
  hooks: readonly Hooks[],
  call: HookCall,
  { result, limitMs }: { result: ToolResult; limitMs?: number },
): Promise<ToolResult | { problem: string }> {
  let last = result;
  for (const { after } of hooks) {
    if (!after) continue;
    const run = async (signal: AbortSignal) => {
      return readAfter(await after({ ...call, signal }, structuredClone(last)), last);
    };
    const answer = await withinLimit(run, { ...(limitMs && { limitMs }), signal: call.signal });
    if ("problem" in answer) return answer;
    last = answer.value;
  }
  return last;
}

/** An empty object is an empty answer. */
function readBefore(given: unknown): { refuse: string } | { input: unknown } | null {
  const answer = readAnswer("hooks.before", given) as { refuse: string } | { input: unknown } | null;
  return answer === null || Object.keys(answer).length === 0 ? null : answer;
}

function readAfter(given: unknown, result: ToolResult): ToolResult {
  const changed = (readAnswer("hooks.after", given) ?? result) as ToolResult;
  if (changed.ok === (changed.error === null)) return changed;
  throw new TypeError(`hooks.after gave a result whose "ok" is ${changed.ok}, which its "error" contradicts`);
}

/** Waits for a hook, but no longer than until its time is up or the call is cancelled. */
async function withinLimit<T>(
  run: (signal: AbortSignal) => Promise<T>,
  { limitMs = HOOK_MS, signal }: { limitMs?: number; signal: AbortSignal },
): Promise<{ value: T } | { problem: string }> {
  const stop = new AbortController();
  const { promise: stopped, resolve } = Promise.withResolvers<{ problem: string }>();
  const end = (problem: string) => {
    stop.abort();
    resolve({ problem });
  };
  const timer = setTimeout(() => end(`it took longer than ${limitMs} ms`), limitMs);
  const onAbort = () => end("the call was cancelled");
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const ran = run(stop.signal).then(
      (value) => ({ value }),
      (error) => ({ problem: error instanceof Error ? error.message : String(error) }),
    );
    return await Promise.race([ran, stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
