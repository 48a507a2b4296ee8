import type { ModelReply, ReplyForm } from "../../../schemas/agent/model.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { AgentTool, StepAsk } from "../loop/parts.ts";
import { readArguments } from "../loop/read_call.ts";
import { nextStepForm } from "./next_step.ts";
import { readStep } from "./read_step.ts";
import { ACTS, answered, oneCall, type ReadReply, StepThinking } from "./step_thinking.ts";

/** What a step says that names nothing that remains. */
const COMPLETING = "Completing";

/**
 * Each reply is one object: the fields of the reasoning, then exactly one tool. What the model said of the work is kept
 * in the trace; the conversation goes on with the choice alone.
 */
export class SgrThinking extends StepThinking {
  readonly #forms = new WeakMap<readonly AgentTool[], ReplyForm>();

  next(open: readonly AgentTool[]): ReturnType<StepThinking["next"]> {
    const closing = this.closing(open);
    if (closing && "end" in closing) return closing;
    const tools = closing?.ask.tools ?? this.offer.of(open, this.steps.now, ACTS);
    const note = closing?.ask.note;
    const said = { ...note !== undefined && { note }, ...this.steps.needsWords && { inWords: true } };
    if (tools.length === 0) return { ask: { tools, ...said } };
    const form = this.#forms.get(tools) ?? nextStepForm(this.parts.reasoning, tools);
    this.#forms.set(tools, form);
    return { ask: { tools, form, ...said } };
  }

  override read(reply: ModelReply, { form, tools }: StepAsk): ReadReply {
    if (!form) return super.read(reply, { tools });
    if (reply.tool_calls.length > 0) return this.#readCalls(reply, tools);
    const read = readStep(reply.content, { reasoning: this.parts.reasoning, tools });
    if (typeof read === "string") return super.read(reply, { tools });
    const { call, reasoning, notes } = read;
    const finish = reply.finish === "stop" || reply.finish === "other" ? "tool_calls" : reply.finish;
    return {
      reply: { ...reply, content: wordsOf(reasoning), tool_calls: [call], finish, reasoning },
      notes,
      warnings: notes.map((note) => `what the model said was repaired: ${note}`),
    };
  }

  override deal(reply: ModelReply): ReturnType<StepThinking["deal"]> {
    const isText = this.parts.tools.every((tool) => !ACTS.takes(tool)) || this.wasClosing;
    if (isText && !reply.content.includes("{")) return { end: answered(reply) };
    const read = readStep(reply.content, this.parts);
    const problem = typeof read === "string" ? read : "it was not read as one";
    return {
      fault: {
        remark:
          `Your reply is not the one JSON object of a step: ${problem}. Nothing was run. Reply with one JSON ` +
          'object and no text around it: first what you think of the work, then "function" with ' +
          '"tool_name_discriminator" and the arguments of one tool.',
        shown: `the model's reply is not the JSON of a step (${problem})`,
      },
    };
  }

  /** Some models call tools though they were asked for an object. */
  #readCalls(reply: ModelReply, tools: readonly AgentTool[]): ReadReply {
    const isThought = (name: string) =>
      this.parts.tools.some((tool) => tool.name === name && tool.step_part === "reason");
    const thought = reply.tool_calls.find(({ name }) => isThought(name));
    const others = reply.tool_calls.filter(({ name }) => !isThought(name));
    const chosen = others.length > 0 ? { ...reply, tool_calls: others } : reply;
    const read = oneCall(chosen, { tools });
    if (!thought) return read;
    try {
      return { ...read, reply: { ...read.reply, reasoning: readArguments(thought) } };
    } catch {
      // What it said of the work cannot be read; its choice can.
      return read;
    }
  }
}

function wordsOf({ remaining_steps: left }: Record<string, unknown>): string {
  const [next] = Array.isArray(left) ? left : [];
  if (typeof next === "string" && next.trim() !== "") return next;
  return isObject(next) ? JSON.stringify(next) : COMPLETING;
}
