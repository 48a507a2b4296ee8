import type { ModelReply } from "../../../schemas/agent/model.ts";
import { propertiesOf } from "../../../schemas/json/shape.ts";
import type { AgentTool, StepAsk } from "../loop/parts.ts";
import { findObject } from "./find_object.ts";
import { ACTS, answered, firstCall, type ReadReply, StepThinking } from "./step_thinking.ts";

/** Each step is two calls: a forced one that says how the work stands, then one of another tool. */
export class SgrToolsThinking extends StepThinking {
  next(open: readonly AgentTool[]): ReturnType<StepThinking["next"]> {
    const { now } = this.steps;
    const closing = this.closing(open);
    if (closing && "end" in closing) return closing;
    if (!now.reasoned) {
      const thinks = this.offer.of(this.parts.tools, now, THINKS);
      if (thinks.length > 0) return { ask: { tools: thinks, mustCall: true } };
    }
    if (closing) return closing;
    return { ask: { tools: this.offer.of(open, now, ACTS), mustCall: true } };
  }

  override read(reply: ModelReply, { tools }: StepAsk): ReadReply {
    const [tool, ...others] = tools;
    if (reply.tool_calls.length > 0 || !tool || others.length > 0) return firstCall(reply);
    // Where one tool can be meant, its arguments alone are a call of it.
    const value = findObject(reply.content);
    const isMeant = typeof value !== "string" &&
      Object.keys(value).some((name) => Object.hasOwn(propertiesOf(tool.parameters), name));
    if (!isMeant) return firstCall(reply);
    const call = { id: "", name: tool.name, arguments: JSON.stringify(value) };
    const finish = reply.finish === "stop" || reply.finish === "other" ? "tool_calls" : reply.finish;
    return {
      reply: { ...reply, content: "", tool_calls: [call], finish },
      notes: ["The arguments were written as text and were read as a call"],
      warnings: [],
    };
  }

  override refuses(tool: AgentTool): string | null {
    const { reasoned } = this.steps.last;
    const thinks = this.parts.tools.filter(THINKS.takes).map(({ name }) => name).join(" or ");
    if (reasoned && THINKS.takes(tool)) {
      return "You have said how the work stands: now call one of the other tools";
    }
    if (!reasoned && !THINKS.takes(tool) && thinks !== "") {
      return `A step begins with a call of ${thinks}: call it first, then ${tool.name}`;
    }
    return super.refuses(tool);
  }

  override deal(reply: ModelReply): ReturnType<StepThinking["deal"]> {
    const { reasoned } = this.steps.last;
    if (this.wasClosing && reasoned) return { end: answered(reply) };
    const wanted = reasoned
      ? "exactly one of the other tools"
      : this.parts.tools.filter(THINKS.takes).map(({ name }) => name).join(" or ") || "exactly one tool";
    return {
      fault: {
        remark:
          `Your reply has no call, and a step needs one: call ${wanted}. A text alone is no answer here: give ` +
          "your answer with the tool for it.",
        shown: "the model made no call, though its step needs one",
      },
    };
  }
}

const THINKS = { word: "thinks", takes: ({ step_part }: AgentTool) => step_part === "reason" };
