import type { ToolCall } from "../../../schemas/agent/chat.ts";
import type { ModelReply } from "../../../schemas/agent/model.ts";
import { propertiesOf } from "../../../schemas/json/shape.ts";
import type { AgentTool, StepAsk } from "../loop/parts.ts";
import { findObjects } from "./find_object.ts";
import { NEXT, readStep } from "./read_step.ts";
import { ACTS, answered, oneCall, type ReadReply, StepThinking } from "./step_thinking.ts";

/** Each step is two calls: a forced one that says how the work stands, then one of another tool. */
export class SgrToolsThinking extends StepThinking {
  next(open: readonly AgentTool[]): ReturnType<StepThinking["next"]> {
    const { now } = this.steps;
    const closing = this.closing(open);
    if (closing && "end" in closing) return closing;
    const told = this.steps.needsWords ? { inWords: true } : {};
    if (!now.reasoned) {
      const thinks = this.offer.of(this.parts.tools, now, THINKS);
      if (thinks.length > 0) return { ask: { tools: thinks, mustCall: true, ...told } };
    }
    if (closing) return { ask: { ...closing.ask, ...told } };
    return { ask: { tools: this.offer.of(open, now, ACTS), mustCall: true, ...told } };
  }

  override read(reply: ModelReply, { tools }: StepAsk): ReadReply {
    if (reply.tool_calls.length > 0) return oneCall(reply, { tools });
    const call = this.#callIn(reply.content, tools);
    if (call === null) return { reply, notes: [], warnings: [] };
    const finish = reply.finish === "stop" || reply.finish === "other" ? "tool_calls" : reply.finish;
    return {
      reply: { ...reply, content: "", tool_calls: [call], finish },
      notes: ["The call was written as text and was read as a call"],
      warnings: ["the model wrote its call as text, it was read as a call"],
    };
  }

  /** The call that a text means: where one tool can be meant, its arguments alone; else one tool with its arguments. */
  #callIn(text: string, tools: readonly AgentTool[]): ToolCall | null {
    const [tool, ...others] = tools;
    if (!tool || !text.includes("{")) return null;
    if (others.length === 0) {
      const fields = Object.keys(propertiesOf(tool.parameters));
      const has = (value: Record<string, unknown>) => fields.some((name) => Object.hasOwn(value, name));
      const found = findObjects(text);
      const meant = typeof found === "string" ? undefined : found.findLast(has);
      const { [NEXT]: _, ...input } = meant ?? {};
      if (meant) return { id: "", name: tool.name, arguments: JSON.stringify(input) };
    }
    const read = readStep(text, { reasoning: this.parts.reasoning, tools });
    return typeof read === "string" ? null : read.call;
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
    const found = reply.content.includes("{") ? findObjects(reply.content) : [];
    const why = typeof found === "string" ? ` that can be read (${found})` : "";
    return {
      fault: {
        remark:
          `Your reply has no call${why}, and a step needs one: call ${wanted}. A text alone is no answer here: give ` +
          "your answer with the tool for it.",
        shown: "the model made no call, though its step needs one",
      },
    };
  }
}

const THINKS = { word: "thinks", takes: ({ step_part }: AgentTool) => step_part === "reason" };
