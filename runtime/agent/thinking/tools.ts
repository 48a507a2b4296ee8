import type { AgentTool } from "../loop/parts.ts";
import { StepThinking } from "./step_thinking.ts";

/** The model calls tools, as many as it likes in one reply, and answers with a text. */
export class ToolsThinking extends StepThinking {
  next(open: readonly AgentTool[]): ReturnType<StepThinking["next"]> {
    return this.closing(open) ?? { ask: { tools: this.offer.of(open, this.steps.now) } };
  }
}
