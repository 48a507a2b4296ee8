import { ToolError } from "../../../schemas/error.ts";
import type { ToolState } from "../../state/tool_state.ts";
import type { Answers } from "../answer_ask.ts";

/** Longest value of a session, as JSON; main holds it. */
const MAX_STATE_CHARS = 64 * 1024 * 1024;

/** Answers what tools ask of their toolset's state. */
export function stateAnswers(state: ToolState): Answers {
  return {
    "state.get": ({ key }, { tool }) => state.get(tool.toolset, key),
    async "state.set"({ key, value }, { tool }) {
      boundState(value);
      await state.set(tool.toolset, key, value);
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
