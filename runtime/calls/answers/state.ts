import { ToolError } from "../../../schemas/error.ts";
import { readAnswer } from "../../../schemas/own/answers.ts";
import { HeldNames } from "../../state/held_names.ts";
import type { ToolState } from "../../state/tool_state.ts";
import type { Answers, AskingCall } from "../answer_ask.ts";

/** Longest value of a session, as JSON; main holds it. */
const MAX_STATE_CHARS = 64 * 1024 * 1024;

/** Most names that a call holds at once. */
const MAX_HELD = 64;

/** Answers what tools ask of their toolset's state. */
export function stateAnswers(state: ToolState): Answers {
  const held = new WeakMap<AskingCall, Map<string, Disposable>>();
  return {
    "state.get": async ({ key }, { tool }) =>
      readAnswer("session.get", await state.get(tool.toolset, key)) ?? undefined,
    async "state.set"({ key, value }, { tool }) {
      boundState(value);
      await state.set(tool.toolset, key, value);
    },
    async "state.hold"({ key }, call) {
      const names = held.get(call) ?? heldBy(call);
      held.set(call, names);
      if (names.has(key) || names.size >= MAX_HELD) throw new Error("a room holds a name twice, or too many");
      const { signal } = call.program;
      const hold = await holdName(state, { toolset: call.tool.toolset, name: key, signal });
      // The end of the call gave back what it held before.
      if (signal.aborted) hold[Symbol.dispose]();
      else names.set(key, hold);
    },
    "state.giveBack"({ key }, call) {
      held.get(call)?.get(key)?.[Symbol.dispose]();
      held.get(call)?.delete(key);
      return Promise.resolve();
    },
  };
}

function boundState(value: unknown): void {
  const chars = JSON.stringify(value)?.length ?? 0;
  if (chars <= MAX_STATE_CHARS) return;
  throw new ToolError(
    "limit_exceeded",
    `A session keeps at most ${MAX_STATE_CHARS} characters of JSON for one key, this value has ${chars}`,
  );
}

/** What a call holds; its end gives all of it back. */
function heldBy({ program: { signal } }: AskingCall): Map<string, Disposable> {
  const names = new Map<string, Disposable>();
  signal.addEventListener("abort", () => {
    for (const hold of names.values()) hold[Symbol.dispose]();
    names.clear();
  }, { once: true });
  return names;
}

/** The names of stores that hold none themselves. */
const NAMES = new WeakMap<ToolState, HeldNames>();

async function holdName(
  state: ToolState,
  { toolset, name, signal }: { toolset: string; name: string; signal: AbortSignal },
): Promise<Disposable> {
  if (state.hold !== undefined) {
    return readAnswer("session.hold", await state.hold(toolset, name, signal)) as Disposable;
  }
  const names = NAMES.get(state) ?? new HeldNames();
  NAMES.set(state, names);
  return await names.hold(`${toolset}\0${name}`, signal);
}
