import type { AgentTool } from "../loop/parts.ts";
import { StepThinking } from "./step_thinking.ts";

/** The model calls tools, as many as it likes in one reply, and answers with a text. */
export class ToolsThinking extends StepThinking {
  next(open: readonly AgentTool[]): ReturnType<StepThinking["next"]> {
    const closing = this.closing(open);
    if (closing) return closing;
    const tools = this.offer.of(open, this.steps.now);
    // Where none of them ends the run, a text alone is the answer.
    const mustCall = this.parts.settings.must_call === true &&
      tools.some(({ ends_run }) => ends_run !== null);
    return { ask: { tools, ...mustCall && { mustCall } } };
  }
}
